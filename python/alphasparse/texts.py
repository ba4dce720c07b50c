"""texts: kernels' texts as compilers read them."""

from __future__ import annotations

import functools
import re

# Pieces in which the signs of comments mean nothing - numbers with digit separators, strings,
# characters - are taken whole.
_PIECES = re.compile(
    r"""(?P<kept>\b\d[\w'.]*
        | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
        | "(?:\\.|[^"\\\n])*"
        | '(?:\\.|[^'\\\n])*')
      | (?:\s | //[^\n]* | /\*.*?\*/)+""",
    re.DOTALL | re.VERBOSE,
)


@functools.lru_cache(maxsize=8)
def without_comments(text: str) -> str:
    """The text of a C++ or CUDA source with one line end, or one blank, in the place of comments
    and separators of words. It tells whether two texts compile to the same."""

    def shortened(found: "re.Match[str]") -> str:
        return found["kept"] or ("\n" if "\n" in found[0] else " ")

    return _PIECES.sub(shortened, text)
