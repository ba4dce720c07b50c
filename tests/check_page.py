#!/usr/bin/env python3
"""Checks a page of HTML: every tag closed in its order, ids once, links to them, every SVG XML, and
nothing that a browser would fetch. Prints what is wrong, a line each; exit 1 where anything is.
Usage: check_page.py FILE"""

import re
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta", "link", "img", "br"}
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
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
