"""What mkdocs does not do by itself: the navigation from docs/README.md, GitHub's names of headings, frames around wide things, and an
index for a search without a server."""

import html
import json
import logging
import pathlib
import posixpath
import re

log = logging.getLogger("mkdocs.site")
sections = []  # of all pages: address, page, heading, text


def slug(heading, separator):
    """As GitHub names headings, so that links work in both places."""
    kept = "".join(c.lower() if c.isalnum() or c in "-_" else " " if c == " " else "" for c in heading)
    return kept.replace(" ", separator)


def pages_of(source, link):
    """A page, or where it is the README of a folder with other pages, all of them."""
    path = posixpath.normpath(f"docs/{link}")
    if not path.endswith("/README.md"):
        return path
    folder = pathlib.Path(source) / path
    return [path, *(f"{pathlib.PurePosixPath(path).parent}/{one.name}" for one in sorted(folder.parent.glob("*.md")) if one != folder)]


def navigation(source):
    """Headings of docs/README.md with the pages that are listed below them."""
    entries, seen = [{"CubicBench": "README.md"}, {"All pages": "docs/README.md"}], {"README.md", "docs/README.md"}
    heading = ""
    for line in (pathlib.Path(source) / "docs/README.md").read_text().split("\n"):
        if line.startswith("## "):
            heading = line[3:]
        match = re.match(r"- \[([^]]*)\]\(([^)#]+\.md)\)", line)
        if not match:
            continue
        if heading not in entries[-1]:
            entries.append({heading: []})
        pages = pages_of(source, match.group(2))
        entries[-1][heading].append({match.group(1): pages})
        seen.update(pages if isinstance(pages, list) else [pages])
    for path in sorted(pathlib.Path(source).glob("docs/**/*.md")):
        if str(path.relative_to(source)) not in seen:
            log.warning("docs/README.md does not list %s", path.relative_to(source))
    return entries


def on_config(config):
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slug
    config["nav"] = navigation(config["docs_dir"])
    return config


def plain(text):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text))).strip()


def on_page_content(content, page, config, files):
    title = page.title
    parts = re.split(r'<h[1-3] id="([^"]*)">(.*?)</h[1-3]>', content)
    for i in range(1, len(parts), 3):
        sections.append([f"{page.url}#{parts[i]}", plain(title), plain(parts[i + 1]), plain(parts[i + 2])])
    content = content.replace("<table>", '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>').replace("</table>", "</table></div>")
    return re.sub(r'(<img [^>]*src="[^"]*\.svg"[^>]*>)', r'<span class="figure">\1</span>', content)


def on_post_build(config):
    text = json.dumps(sections, ensure_ascii=False, separators=(",", ":"))
    (pathlib.Path(config["site_dir"]) / "search_index.js").write_text(f"window.searchIndex={text};\n", encoding="utf-8")
    sections.clear()
