"""What the pages of the reference claim to have in full."""

import re

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
