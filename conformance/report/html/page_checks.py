"""What can be measured of a page: text against what is behind it, width, and names of what can be used."""
import base64

# Elements that reach out of the window, where the page as a whole can be moved sideways.
WIDER_THAN_THE_WINDOW = """
const width = document.documentElement.clientWidth;
if (document.documentElement.scrollWidth <= width) return [];
return [...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > width + 1 && !one.closest('nav ul, .wide, .unseen'))
  .slice(0, 5).map((one) => `${one.tagName}.${one.className}: ${one.textContent.slice(0, 40)}`);
"""

# Plain words that the end of a line cuts in two. Ids, requests and shapes may be cut: they know no blanks.
CUT_WORDS = """
const found = new Set();
const range = document.createRange();
const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const text = texts.currentNode;
  if (!text.parentElement.checkVisibility()) continue;
  for (const word of text.data.matchAll(/(?<!\\S)[A-Za-z]{2,14}(?!\\S)/g)) {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const rects = range.getClientRects();
    if (rects.length > 1 && rects[0].top !== rects[rects.length - 1].top) found.add(word[0]);
  }
}
return [...found];
"""

# Links of the navigation that have to be scrolled to, where there is room for them.
HIDDEN_LINKS = """
const list = document.querySelector('nav ul');
return list.scrollWidth <= list.clientWidth + 1 ? [] : [`${list.scrollWidth} in ${list.clientWidth}`];
"""

# Texts with less than 4.5:1 to what is behind them (WCAG 2.1, 1.4.3), each sort once.
HARD_TO_READ = """
const parts = (color) => (color.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
const light = (color) => {
  const [red, green, blue] = parts(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = getComputedStyle(at).backgroundColor;
    const [, , , alpha = 1] = parts(color);
    if (alpha > 0.99) return color;
  }
  return 'rgb(255, 255, 255)';
};
const found = new Set();
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  if (!own || !element.checkVisibility() || element.closest('.unseen, script, style, noscript')) continue;
  const drawn = element.tagName === 'text';
  const style = getComputedStyle(element);
  let rect = element;
  while (drawn && rect.tagName !== 'rect') rect = rect.previousElementSibling;
  const one = light(drawn ? style.fill : style.color);
  const other = light(drawn ? getComputedStyle(rect).fill : behind(element));
  const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (ratio < 4.5) {
    found.add(`${element.tagName}.${element.getAttribute('class') || ''} ${ratio.toFixed(2)}`);
  }
}
return [...found];
"""

NEEDS_A_NAME = {"button", "link", "combobox", "searchbox", "textbox", "checkbox", "table", "region", "image", "img",
                "dialog", "navigation"}


def without_a_name(browser):
    """What a screen reader could say nothing of, as the browser's own tree tells it."""
    browser.execute_cdp_cmd("Accessibility.enable", {})
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = [node for node in nodes if not node.get("ignored")
             and node.get("role", {}).get("value") in NEEDS_A_NAME]
    if len(named) < 10:
        return [f"the browser tells of {len(named)} elements only"]
    return sorted({node["role"]["value"] for node in named if not node.get("name", {}).get("value", "").strip()})


def keep(browser, file):
    """The whole page as a picture, as far as a picture is of use."""
    size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True,
        "clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 12000), "scale": 1}})
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(shot["data"]))
