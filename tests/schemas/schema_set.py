"""The schemas of schemas/, and which of them a document has to meet."""

import json
import pathlib

import jsonschema

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
FOLDER = REPOSITORY / "schemas"
SCHEMAS = {path.name.removesuffix(".schema.json"): json.loads(path.read_text())
           for path in sorted(FOLDER.glob("*.schema.json"))}
STORE = {schema["$id"]: schema for schema in SCHEMAS.values()}


def validator(name):
    """Checks documents against the schema of that name."""
    schema = SCHEMAS[name]
    resolver = jsonschema.RefResolver(schema["$id"], schema, store=STORE)
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def branches(schema):
    """The objects that a schema allows: itself, or those of its top-level anyOf."""
    return [schema] if "properties" in schema else schema.get("anyOf", [])


def kinds():
    """Names of schemas by what documents have under "schema"."""
    names = {}
    for name, schema in SCHEMAS.items():
        for branch in branches(schema):
            kind = branch.get("properties", {}).get("schema", {}).get("const")
            if kind is not None and name not in names.setdefault(kind, []):
                names[kind].append(name)
    return names


def name_of(document):
    """The schema that a document names. A suite is a file as well as what a command prints."""
    names = kinds()[document["schema"]]
    if len(names) == 2 and "suite" in names:
        return "suite" if "seeds" in document else "suite-document"
    assert len(names) == 1, names
    return names[0]


def leaves(error):
    """What is wrong, as deep in the document as it can be said: of alternatives the nearest one."""
    if not error.context:
        return [error]
    nearest = max(error.context, key=lambda one: len(one.absolute_path))
    return leaves(nearest)


def problems(name, document):
    """One line for each thing that is wrong; empty where nothing is."""
    lines = []
    for error in validator(name).iter_errors(document):
        for leaf in leaves(error):
            place = "/".join(str(step) for step in leaf.absolute_path)
            lines.append(f"{name} at /{place}: {leaf.message[:300]}")
    return lines


def json_texts(text):
    """The JSON objects that a text consists of, one after another; ends at what is none."""
    decoder = json.JSONDecoder()
    found = []
    text = text.strip()
    while text:
        document, end = decoder.raw_decode(text)
        found.append(document)
        text = text[end:].lstrip()
    return found
