#!/usr/bin/env python3
"""Plays every page of `cubicbench lesson --out DIR` in a headless browser, with the keyboard alone.

    scripts/play_lessons.py PROGRAM

On each page, for each of its choices: before it is chosen nothing of the answer can be seen; then Tab, Space and the arrow keys
choose it, its reply and no other appears with all that follows; then the solution is opened. At last the page is printed, where
all of it must be there. Exits with 0, also where no Chromium is installed, which it says; with 1 where a page is wrong.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

# What a reader sees: elements with a size.
SEEN = """(() => {
  const seen = (query) => [...document.querySelectorAll(query)].map((e) => e.getClientRects().length > 0);
  return {inputs: document.querySelectorAll('input[type=radio]').length, replies: seen('.reply'),
          then: seen('.then'), verdict: [...document.querySelectorAll('.reply')].map((e) => e.querySelector('p').textContent),
          focus: document.activeElement.id, scripts: document.scripts.length, outside: performance.getEntriesByType('resource').length};
})()"""


class Browser:
    """One page of a browser, driven by lines that end in a zero byte on descriptors 3 and 4."""

    def __init__(self, program, folder):
        to_browser, self.out = os.pipe()
        self.inn, from_browser = os.pipe()

        def place_pipes():
            # Copies first: one of the pipes may have the number that the other needs.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={folder}"],
            preexec_fn=place_pipes, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def read(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.inn, 1 << 16)
            if not piece:
                raise RuntimeError("the browser ended")
            self.buffer += piece
        line, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(line)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, url):
        self.call("Page.navigate", url=url)
        while self.read().get("method") != "Page.loadEventFired":
            pass

    def seen(self):
        return self.call("Runtime.evaluate", expression=SEEN, returnByValue=True)["result"]["value"]

    def press(self, key, code):
        text = {"text": " "} if key == " " else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key if key != " " else "Space", windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key if key != " " else "Space", windowsVirtualKeyCode=code)

    def print_media(self, on):
        self.call("Emulation.setEmulatedMedia", media="print" if on else "")

    def close(self):
        self.process.terminate()
        self.process.wait()


def wrong(condition, what, problems):
    if condition:
        problems.append(what)


def choose(browser, url, place, problems):
    """Chooses the choice in that place by keys and looks at what can be seen before and after."""
    name = f"{url.rsplit('/', 1)[1]}, choice {place + 1}"
    browser.open(url)
    before = browser.seen()
    wrong(any(before["replies"] + before["then"]), f"{name}: something of the answer can be seen before", problems)
    wrong(before["scripts"] or before["outside"], f"{name}: a script or a request", problems)
    browser.press("Tab", 9)
    browser.press(" ", 32)
    for _ in range(place):
        browser.press("ArrowDown", 40)
    after = browser.seen()
    wanted = [i == place for i in range(before["inputs"])]
    wrong(after["replies"] != wanted, f"{name}: replies {after['replies']}", problems)
    wrong(after["then"] != [True, False], f"{name}: the answer without the solution is not what is seen: {after['then']}", problems)
    # The solution is the last thing that can be entered before the links.
    for _ in range(40):
        if browser.seen()["focus"] == "solution":
            break
        browser.press("Tab", 9)
    browser.press(" ", 32)
    wrong(browser.seen()["then"] != [True, True], f"{name}: the solution cannot be opened", problems)
    return after["verdict"]


def play(browser, page, problems):
    url = page.resolve().as_uri()
    browser.open(url)
    choices = browser.seen()["inputs"]
    wrong(choices < 2, f"{page.name}: {choices} choices", problems)
    for place in range(choices):
        verdict = choose(browser, url, place, problems)
    right = sum(text.startswith("Right.") for text in verdict)
    wrong(right != 1, f"{page.name}: {right} choices are right", problems)
    browser.open(url)
    browser.print_media(True)
    printed = browser.seen()
    wrong(not all(printed["replies"] + printed["then"]), f"{page.name}: something is missing on paper", problems)
    browser.print_media(False)


def main():
    program = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if program is None:
        print("skipped: no Chromium is installed")
        return 0
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        pages = pathlib.Path(folder) / "lessons"
        subprocess.run([sys.argv[1], "lesson", "--out", pages, "--quiet"], check=True, stdout=subprocess.DEVNULL)
        browser = Browser(program, f"{folder}/browser")
        try:
            names = sorted(path for path in pages.glob("*.html") if path.name != "index.html")
            for page in names:
                play(browser, page, problems)
        finally:
            browser.close()
    for problem in problems:
        print(problem)
    print(f"{len(names)} lessons played, {len(problems)} problems")
    return 1 if problems or not names else 0


if __name__ == "__main__":
    sys.exit(main())
