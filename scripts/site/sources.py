"""Puts the sources of the site into a folder, in the layout of the repository: sources.py FOLDER EXPLORER

The pages are README.md and its neighbours, docs/, and every file that a link of theirs leads to. Links to folders lose their link, because
the site has no page for a folder. A "<" behind a backslash is written as mkdocs reads it, which knows no such escape. EXPLORER is the file of the explorer; the pages do without it if it does not exist.
"""

import pathlib
import re
import shutil
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!`)(!?\[(?:[^][]|\[[^]]*\])*\])\(([^) ]+)\)")


def is_elsewhere(link):
    return re.match(r"[a-z]+:", link) or link.startswith("#")


def with_site_links(page, text, found):
    """The text without links to folders; adds the files that it links to."""

    def replaced(match):
        label, link = match.groups()
        if is_elsewhere(link):
            return match.group(0)
        target = (page.parent / link.partition("#")[0]).resolve()
        if target.is_dir():
            return label.strip("[]")
        if target.is_file() and target.is_relative_to(REPOSITORY):
            found.append(target)
        return match.group(0)

    return LINK.sub(replaced, text)


def add_explorer(out, explorer):
    """A page of docs/examples has it in a frame, and docs/explorer.md as well."""
    example = out / "docs/examples/explorer.html"
    text = example.read_text()
    page = out / "docs/explorer.md"
    if explorer.is_file():
        (out / "explorer").mkdir()
        shutil.copyfile(explorer, out / "explorer/index.html")
        text = text.replace("../../build/web/site/index.html", "../../explorer/index.html")
        title, rest = page.read_text().split("\n", 1)
        frame = ('<p><a href="../explorer/index.html">Open the explorer in a page of its own.</a></p>\n'
                 '<iframe class="explorer" src="../explorer/index.html" title="The explorer" loading="lazy"></iframe>')
        page.write_text(f"{title}\n\n{frame}\n{rest}")
    else:
        text = re.sub(r"<iframe.*?</iframe>", "<p><strong>The explorer was not built with this site.</strong></p>", text, flags=re.S)
    example.write_text(text)


def main():
    out, explorer = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    shutil.rmtree(out, ignore_errors=True)
    files = [*REPOSITORY.glob("*.md"), *(path for path in (REPOSITORY / "docs").rglob("*") if path.is_file())]
    copied = set()
    while files:
        path = files.pop()
        if path in copied:
            continue
        copied.add(path)
        to = out / path.relative_to(REPOSITORY)
        to.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            to.write_text(with_site_links(path, path.read_text(), files).replace(r"\<", "&lt;"))
        else:
            shutil.copyfile(path, to)
    add_explorer(out, explorer)


main()
