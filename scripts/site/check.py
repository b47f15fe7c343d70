"""Links of a built site lead somewhere, and no escape of Markdown is left in its text: check.py SITE. Addresses elsewhere are not
followed; nothing may be loaded from there."""

import html.parser
import pathlib
import re
import sys
import urllib.parse

ESCAPE = re.compile(r"\\[^\w\s]\S*")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.escapes = set(), [], [], []
        self.code = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.code += tag in ("code", "script")
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.ids.add(value)
            if name in ("href", "src"):
                (self.links if tag == "a" else self.loads).append(value)

    def handle_endtag(self, tag):
        self.code -= tag in ("code", "script")

    def handle_data(self, text):
        if not self.code:
            self.escapes += ESCAPE.findall(text)


def problems(site):
    # The explorer is a page with a test of its own.
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html")) if path.parent.name != "explorer"}
    for path, page in pages.items():
        for escape in page.escapes:
            yield f"{path.relative_to(site)}: shows {escape}"
        for link in page.links + page.loads:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme == "data":
                continue
            if parts.scheme or parts.netloc:
                if link in page.loads:
                    yield f"{path.relative_to(site)}: loads {link}"
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            fragment = urllib.parse.unquote(parts.fragment)
            if not target.is_file():
                yield f"{path.relative_to(site)}: {link} leads nowhere"
            elif fragment and target in pages and fragment not in pages[target].ids:
                yield f"{path.relative_to(site)}: {link}: no such heading"
    if not pages:
        yield "no pages"


def main():
    site = pathlib.Path(sys.argv[1]).resolve()
    found = list(problems(site))
    for problem in found:
        print(f"docs.sh: {problem}", file=sys.stderr)
    sys.exit(1 if found else 0)


main()
