#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""drive.py PAGE PICTURES: what must hold of a page of `tune report`,
in headless Chromium: nothing on the console, no network, filters and keys work,
light and dark differ, nothing is wider than the window, it opens in 2 s and has
at most 10 MB. Pictures go to a folder."""
import base64
import json
import os
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

OPENS_MS = 2000

page, pictures = os.path.abspath(sys.argv[1]), sys.argv[2]
failed = 0


def check(good, what):
    global failed
    if not good:
        failed += 1
        print("FAILED:", what)


def start():
    options = Options()
    for flag in ("--headless=new", "--no-sandbox", "--hide-scrollbars",
                 "--disable-gpu", "--disable-background-networking"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs",
                           {"browser": "ALL", "performance": "ALL"})
    options.binary_location = "/usr/bin/chromium"
    d = webdriver.Chrome(service=Service("/usr/bin/chromedriver"),
                         options=options)
    d.set_page_load_timeout(60)
    d.set_script_timeout(60)
    return d


d = start()


def script(text, *args):
    return d.execute_script("return " + text, *args)


def open_page(width, height, theme):
    d.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
        {"name": "prefers-color-scheme", "value": theme}]})
    d.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": height, "deviceScaleFactor": 1,
        "mobile": False})
    d.get("file://" + page)
    ready = script("document.documentElement.dataset.ready")
    check(ready is not None, "the page's script did not come to its end")
    return int(ready or 1e9)


def picture(name, width):
    height = script("document.documentElement.scrollHeight")
    shot = d.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True,
        "clip": {"x": 0, "y": 0, "width": width, "height": height,
                 "scale": 1}})
    with open(os.path.join(pictures, name + ".png"), "wb") as f:
        f.write(base64.b64decode(shot["data"]))


def quiet(what):
    """Nothing on the console, and nothing asked of a network."""
    for entry in d.get_log("browser"):
        check(False, f"{what}: console: {entry['message'][:300]}")
    for entry in d.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] != "Network.requestWillBeSent":
            continue
        url = message["params"]["request"]["url"]
        check(url.startswith(("file://" + page, "data:")),
              f"{what}: asks for {url[:100]}")


def rows(host):
    """How many rows a table has; only those in sight exist."""
    return int(script(f"document.querySelector('#{host} table')"
                      ".getAttribute('aria-rowcount')")) - 1


def cells(host, column):
    return script(f"[...document.querySelectorAll('#{host} tr[data-at]')]"
                  f".map(r => r.cells[{column}].textContent)")


def type_into(name, text):
    field = d.find_element(By.ID, name)
    field.clear()
    field.send_keys(text or " " + Keys.BACKSPACE)


def press(keys):
    d.switch_to.active_element.send_keys(keys)


def chosen():
    return script("document.getElementById('problem-name').textContent")


def size_of(text):
    x = float(text.split()[0])
    return x * {"ns": 1e-3, "µs": 1, "ms": 1e3, "s": 1e6}[text.split()[1]]


def test_tables():
    everything = script("COUNT")
    for button in d.find_elements(By.CSS_SELECTOR, "#verdicts button"):
        if button.text.startswith("All"):
            button.click()
            break
    check(rows("problems") == everything, "All does not show all problems")
    type_into("find", "gload")
    check(0 < rows("problems") < everything, "the filter gload keeps all or none")
    check(set(cells("problems", 3)) == {"gload"}, "the filter gload keeps others")
    type_into("find", "m=48 n=1024")
    check(all("m=48,n=1024" in x for x in cells("problems", 2)),
          "the filter m=48 keeps others")
    type_into("find", "change>3")
    check(rows("problems") == script(
        "P.change.filter(x => x !== null && x > 3).length"), "change>3")
    type_into("find", "no such problem")
    check(rows("problems") == 0, "a filter that nothing fits keeps something")
    type_into("find", "")
    check(rows("problems") == everything, "an empty filter hides something")
    heads = d.find_elements(By.CSS_SELECTOR, "#problems th button")
    now = [h.text for h in heads].index("Now")
    heads[now].click()
    times = [size_of(x) for x in cells("problems", now) if x != "–"]
    check(times == sorted(times, reverse=True) and len(times) > 5,
          "a table is not sorted by the heading that was pressed")
    check(script(f"document.querySelectorAll('#problems th')[{now}]"
                 ".getAttribute('aria-sort')") == "descending", "aria-sort")
    check(len(cells("problems", 0)) < 80, "rows out of sight exist")


def test_keys():
    script("document.activeElement.blur()")
    press("/")
    check(script("document.activeElement.id") == "find", "/ does not find")
    press(Keys.ESCAPE)
    script("document.querySelector('#problems .list').focus()")
    press(Keys.HOME)
    first = chosen()
    press(Keys.ARROW_DOWN)
    second = chosen()
    check(first != second, "down does not choose the next problem")
    press(Keys.ARROW_UP)
    check(chosen() == first, "up does not choose the one before")
    press(Keys.END)
    check(chosen() not in (first, second), "End does not choose the last")
    check(script("document.querySelectorAll('#problems tr[aria-selected=true]')"
                 ".length") == 1, "the chosen row is not in sight")
    before = script("getComputedStyle(document.body).backgroundColor")
    press("d")
    check(script("getComputedStyle(document.body).backgroundColor") != before,
          "d does not change light and dark")
    press("d")


def test_candidates():
    type_into("find", "gemm")
    d.find_element(By.CSS_SELECTOR, "#problems tr[data-at]").click()
    everything = rows("candidate-table")
    check(everything > 10, "there are no candidates")
    times = [size_of(x) for x in cells("candidate-table", 1)]
    check(times == sorted(times), "candidates are not sorted by time")
    type_into("find-candidate", "tile_m=64")
    some = rows("candidate-table")
    check(0 < some < everything, "tile_m=64 keeps all or none")
    type_into("find-candidate", "")
    overlay = script(
        "document.querySelectorAll('#parallel .overlay')[1]"
        ".getBoundingClientRect().toJSON()")
    script("document.getElementById('candidates').scrollIntoView()")
    box = script("document.querySelectorAll('#parallel .overlay')[1]"
                 ".getBoundingClientRect().toJSON()")
    mouse = {"button": "left", "clickCount": 1, "x": box["x"] + 10}
    top, middle = box["y"] + 2, box["y"] + box["height"] * 0.3
    for kind, y in (("mousePressed", top), ("mouseMoved", middle),
                    ("mouseReleased", middle)):
        d.execute_cdp_cmd("Input.dispatchMouseEvent",
                          {"type": kind, "y": y, "buttons": 1, **mouse})
    brushed = rows("candidate-table")
    check(0 < brushed < everything, f"dragging on an axis keeps {brushed} of "
          f"{everything}")
    picture("brushed", 1600)
    d.find_element(By.ID, "clear").click()
    check(rows("candidate-table") == everything, "Clear does not clear")
    check(overlay["height"] > 100, "the axes are flat")
    winners = script("candidates.filter(c => c.winner).length")
    check(winners == 1, f"{winners} candidates are marked as the winner")


def test_honesty():
    """Every row with a time says how it was come by."""
    type_into("find", "")
    marks = script("[...document.querySelectorAll('#problems tr[data-at]')]"
                   ".filter(r => r.cells[5].textContent != '–')"
                   ".every(r => /^(measured|modelled)$/"
                   ".test(r.cells[8].textContent))")
    check(marks, "a time says not whether it is measured or modelled")
    check(script("[...document.querySelectorAll('figcaption')]"
                 ".every(f => f.textContent.trim())"), "a figure has no caption")
    check(script("document.getElementById('provenance').textContent"
                 ".includes('recorded in')"), "no provenance")


def narrow(width):
    wide = script("document.documentElement.scrollWidth")
    check(wide <= width, f"at {width} the page is {wide} wide")


ready = open_page(1600, 1000, "light")
print(f"{os.path.basename(page)}: {os.path.getsize(page) / 1e6:.2f} MB, "
      f"opens in {ready / 1000:.2f} s, {script('COUNT')} problems, "
      f"{script('N')} nights")
check(ready <= OPENS_MS, f"opens in {ready} ms, not in {OPENS_MS}")
check(os.path.getsize(page) <= 10e6, "has more than 10 MB")
picture("light-1600", 1600)
narrow(1600)
test_tables()
test_keys()
test_honesty()
if script("D.tried.some(n => n > 20)"):
    test_candidates()
quiet("light")
for theme, width in (("dark", 1600), ("light", 400), ("dark", 400)):
    open_page(width, 900, theme)
    narrow(width)
    picture(f"{theme}-{width}", width)
    quiet(f"{theme} at {width}")
quiet("at last")
d.quit()
print("FAILED" if failed else "ok")
sys.exit(failed > 0)
