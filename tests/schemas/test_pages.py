"""What the pages of the reference claim to have in full, and the JSON that any page shows."""

import json
import re

import schema_set
from schema_set import REPOSITORY

SENTENCES = REPOSITORY / "scenarios/evaluation/violation_text.cc"


def sentences_of_rules():
    """Patterns of what the program says of a plan that breaks a rule."""
    table = SENTENCES.read_text().split("> texts{{")[1].split("}};")[0]
    entries = re.findall(r'\{((?:"[^"]*"\s*)+),', table)
    texts = ["".join(re.findall(r'"([^"]*)"', entry)) for entry in entries]
    return [re.escape(text).replace(r"\$S", ".+").replace(r"\$G", ".+").replace(r"\$N", ".+") for text in texts[1:]]


def test_every_rule_of_plans_has_an_example():
    page = (REPOSITORY / "docs/reference/settings.md").read_text()
    answers = re.findall(r"^\| `[^`]+` \| `[^`]+` \| (.+) \|$", page, re.MULTILINE)
    rules = sentences_of_rules()
    assert len(rules) > 20
    missing = [rule for rule in rules if not any(re.fullmatch(rule, answer) for answer in answers)]
    assert not missing


def test_every_page_is_listed():
    folder = REPOSITORY / "docs/reference"
    index = (folder / "README.md").read_text()
    assert [page.name for page in sorted(folder.glob("*.md")) if page.name != "README.md" and f"({page.name})" not in index] == []


BLOCK = re.compile(r"^(?:<!-- (\w+): (\S+) -->\n)?```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def member_schemas(name, key):
    """Every schema that the schema called `name` has for a member of that name."""
    nodes, found = [schema_set.SCHEMAS[name]], []
    while nodes:
        node = nodes.pop()
        if isinstance(node, dict):
            found += [node["properties"][key]] if key in node.get("properties", {}) else []
            nodes += node.values()
        elif isinstance(node, list):
            nodes += node
    return found


def is_member(name, key, value):
    whole = schema_set.validator(name)
    return any(whole.evolve(schema=one).is_valid(value) for one in member_schemas(name, key))


def problems_of_block(kind, name, text):
    """Of one document, one per line, or members of one, which a comment or "schema" says what they are."""
    if text.startswith('"'):
        members = json.loads("{" + text + "}")
        return [f"{name}: no {key} like this" for key, value in members.items() if not is_member(name, key, value)]
    documents = schema_set.json_texts(text)
    if kind == "test":
        return []
    names = [name or schema_set.name_of(one) for one in documents]
    return [problem for one, document in zip(names, documents) for problem in schema_set.problems(one, document)]


def test_blocks_of_json_meet_their_schemas():
    wrong, count = [], 0
    for path in [REPOSITORY / "README.md", *sorted(REPOSITORY.glob("docs/**/*.md"))]:
        for kind, name, text in BLOCK.findall(path.read_text()):
            assert not kind or kind in ("schema", "test"), (path, kind)
            wrong += [f"{path.relative_to(REPOSITORY)}: {problem}" for problem in problems_of_block(kind, name, text)]
            count += 1
    assert not wrong
    assert count > 15


def test_a_block_that_breaks_its_schema_is_found():
    assert problems_of_block("schema", "scenario", '"objective": {"metric": 3}\n')
    assert problems_of_block("schema", "scenario", '"no_such_member": {}\n')
    assert problems_of_block("", "", '{"schema": "cubicbench.conditions/1", "slow_ranks": [{"rank": "three", "factor": 1.5}]}\n')
    assert problems_of_block("schema", "wire-external-suite", '{"type": "asks", "n": 1}\n')
