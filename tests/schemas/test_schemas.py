"""What is written meets its schema, and nothing else does."""

import copy
import functools
import json
import re
import tempfile

import documents
import jsonschema
import pytest
import schema_set

UNKNOWN = "no_such_key"
ALIKE_MAX = 40


def all_found():
    return documents.library() + documents.printed()


def nodes(schema):
    """Every subschema of a schema, itself included."""
    yield schema
    for key in ("anyOf", "oneOf"):
        for one in schema.get(key, []):
            yield from nodes(one)
    for key in ("properties", "$defs"):
        for one in schema.get(key, {}).values():
            yield from nodes(one)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from nodes(schema[key])


class Visit:
    """Walks a document beside its schema: which object is described by which subschema."""

    def __init__(self, name):
        self.whole = schema_set.validator(name)
        self.found = []

    def walk(self, validator, schema, content, path):
        if "$ref" in schema:
            with validator.resolver.resolving(schema["$ref"]) as target:
                pushed = validator.evolve(schema=target)
                self.walk(pushed, target, content, path)
            return
        for one in schema.get("anyOf", []):
            if validator.evolve(schema=one).is_valid(content):
                self.walk(validator, one, content, path)
        if isinstance(content, dict) and "additionalProperties" in schema:
            self.found.append((schema, path))
            for key, value in content.items():
                below = schema.get("properties", {}).get(key, schema["additionalProperties"])
                if isinstance(below, dict):
                    self.walk(validator, below, value, path + [key])
        if isinstance(content, list) and isinstance(schema.get("items"), dict):
            for i, value in enumerate(content):
                self.walk(validator, schema["items"], value, path + [i])


def objects_of(found):
    """(subschema, path of an object that it describes), each subschema's first object."""
    visit = Visit(found.schema)
    visit.walk(visit.whole, visit.whole.schema, found.content, [])
    first = {}
    for schema, path in visit.found:
        first.setdefault(id(schema), (schema, path))
    return list(first.values())


def changed(content, path, change):
    content = copy.deepcopy(content)
    at = content
    for step in path:
        at = at[step]
    change(at)
    return content


@pytest.mark.parametrize("name", schema_set.SCHEMAS)
def test_schema_is_one_and_says_what_it_is(name):
    schema = schema_set.SCHEMAS[name]
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"].endswith(f"/{name}.schema.json")
    assert schema["title"] and schema["description"].endswith(".")


@pytest.mark.parametrize("name", schema_set.SCHEMAS)
def test_every_object_says_what_else_it_may_have(name):
    for node in nodes(schema_set.SCHEMAS[name]):
        if node.get("type") == "object" and "anyOf" not in node:
            assert "additionalProperties" in node, node
        assert set(node.get("required", [])) <= set(node.get("properties", node.get("required", []))), node


@pytest.mark.parametrize("name", schema_set.SCHEMAS)
def test_every_field_is_described(name):
    bare = [key for node in nodes(schema_set.SCHEMAS[name]) for key, field in node.get("properties", {}).items()
            if "$ref" not in field and not field.get("description", "").endswith(".")]
    assert not bare


def test_every_file_of_the_library_meets_its_schema():
    found = documents.library()
    wrong = [f"{one.where}: {line}" for one in found for line in schema_set.problems(one.schema, one.content)]
    assert not wrong
    assert len(found) > 200


def test_every_document_meets_its_schema():
    found = documents.printed()
    wrong = [f"{one.where}: {line}" for one in found for line in schema_set.problems(one.schema, one.content)]
    assert not wrong


def test_every_schema_has_a_document():
    seen = {found.schema for found in all_found()}
    # These are no documents of their own.
    assert set(schema_set.SCHEMAS) - seen == {"common", "settings"}


@functools.cache
def examples():
    """For each subschema one document and the place of an object in it; the smallest documents first."""
    seen, alike = {}, {}
    for found in sorted(all_found(), key=lambda one: len(json.dumps(one.content))):
        # Lines of journals and messages are alike by the hundred.
        kind = (found.schema, *found.content)
        alike[kind] = alike.get(kind, 0) + 1
        if alike[kind] > ALIKE_MAX:
            continue
        for schema, path in objects_of(found):
            seen.setdefault(id(schema), (found, schema, path))
    return list(seen.values())


def test_a_field_without_a_description_is_refused():
    accepted = []
    for found, schema, path in examples():
        if schema["additionalProperties"] is not False:
            continue
        more = changed(found.content, path, lambda at: at.update({UNKNOWN: {"": []}}))
        if schema_set.validator(found.schema).is_valid(more):
            accepted.append((found.schema, path))
    assert not accepted


def test_a_field_that_is_required_cannot_be_left_out():
    accepted = []
    for found, schema, path in examples():
        for key in schema.get("required", []):
            less = changed(found.content, path, lambda at, gone=key: at.pop(gone))
            if schema_set.validator(found.schema).is_valid(less):
                accepted.append((found.schema, path, key))
    assert not accepted


def test_the_example_of_the_reference_runs():
    page = (schema_set.REPOSITORY / "docs/reference/README.md").read_text()
    [block] = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with tempfile.TemporaryDirectory() as folder:
        found = documents.run("README", f"ln -s $repository/schemas .\n{block}", folder)
    assert [one.schema for one in found if one.where.endswith("answer.json")] == ["simulate"]
