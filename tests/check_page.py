#!/usr/bin/env python3
"""Checks a page of HTML: every tag closed in its order, ids once, links to them, every SVG XML,
nothing that a browser would fetch, contrast of text by WCAG AA, in light and dark, labels of inputs,
and that the keyboard reaches all that can be used. Prints the faults, a line each; exit 1 where
there is one. Usage: check_page.py FILE"""

import re
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta", "link", "img", "br", "input"}
FETCHED = {"src", "href", "srcset", "data", "poster", "action"}


class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.faults, self.ids, self.links = [], [], set(), set()

    def fault(self, text):
        self.faults.append(f"line {self.getpos()[0]}: {text}")

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" and value in self.ids:
                self.fault(f"a second id {value}")
            if name == "id":
                self.ids.add(value)
            if name in FETCHED and value.startswith("#"):
                self.links.add(value[1:])
            elif name in FETCHED and not value.startswith("data:"):
                self.fault(f"{tag} {name} is {value}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):  # of SVG, which has them
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.fault(f"</{tag}> closes nothing")


TEXT = ["ink", "quiet", "link", "modelled", "measured", "keyword", "comment", "literal", "string", "macro"]


def luminance(colour):
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast_faults(style):
    """Text that is too pale on its background, for each scheme of colours."""
    schemes = [dict(re.findall(r"--([\w]+): (#[0-9a-f]{6})", block))
               for block in re.findall(r":root \{(.*?)\}", style, re.S)]
    schemes = [scheme for scheme in schemes if "link" in scheme]
    if len(schemes) != 2:
        return ["not two schemes of colours"]
    faults = []
    for scheme in schemes:
        for text in TEXT:
            for ground in ("ground", "panel", "code"):
                bright, dark = sorted((luminance(scheme[text]), luminance(scheme[ground])), reverse=True)
                ratio = (bright + 0.05) / (dark + 0.05)
                if ratio < 4.5:
                    faults.append(f"{text} on {ground} has a contrast of {ratio:.2f}")
    return faults


def main():
    text = open(sys.argv[1], encoding="utf-8").read()
    page = Page()
    page.feed(text)
    page.close()
    faults = page.faults + [f"<{tag}> is not closed" for tag in page.open]
    faults += [f"no id {link}" for link in page.links - page.ids]
    for svg in re.findall(r"<svg.*?</svg>", text, re.S):
        try:
            ElementTree.fromstring(svg)
        except ElementTree.ParseError as error:
            faults.append(f"an SVG: {error}")
    style = re.search(r"<style>(.*?)</style>", text, re.S).group(1)
    if re.search(r"@import|url\(", style):
        faults.append("the style sheet fetches something")
    faults += contrast_faults(style)
    labelled = re.sub(r"<label>[^<]*<input[^>]*></label>", "", text)
    faults += ["an input without a label"] * labelled.count("<input")
    if "onclick" in text:
        faults.append("something only a mouse reaches")
    if ":focus-visible" not in style:
        faults.append("nothing shows where the keyboard is")
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
