"""reserves: the times of earlier calls, which tell later ones how much to keep beside the search.

They lie in the cache (python/times.json): the last calls' seconds beside their searches, and the
time that each call gave its search. The same call gives its search the same time again, because
the program's database knows a search by its time too."""

from __future__ import annotations

import contextlib
import json
import math
import os
from typing import Any

from .budgets import search_time, seconds_of, spent_seconds
from .cache import python_folder
from .errors import Error
from .folders import locked
from .trust import is_own_file, make_own_folder, read_text

_SPENT_MOST = 8  # calls
_GIVEN_MOST = 500


def _file() -> str:
    return os.path.join(python_folder(), "times.json")


def _is_seconds(value: Any) -> bool:
    return isinstance(value, float) and math.isfinite(value) and value >= 0


def _known() -> "tuple[dict[str, list[float]], dict[str, str]]":
    """The seconds of earlier calls by kind of device, and the search's time of each call. What
    cannot be read was never there."""
    with contextlib.suppress(Error, ValueError, KeyError, TypeError, AttributeError):
        if is_own_file(_file()):
            told = json.loads(read_text(_file()))
            spent, given = told["spent"], told["given"]
            for kind, seconds in spent.items():
                spent[kind] = [one for one in seconds if _is_seconds(one)]
            return spent, {call: text for call, text in given.items() if seconds_of(text)}
    return {}, {}


def _write(spent: "dict[str, list[float]]", given: "dict[str, str]") -> None:
    fresh = f"{_file()}.{os.getpid()}"
    with open(fresh, "w", encoding="utf-8") as file:
        json.dump({"spent": spent, "given": dict(list(given.items())[-_GIVEN_MOST:])}, file)
    os.chmod(fresh, 0o600)
    os.replace(fresh, _file())


class Call:
    """A call of `tune`: `key` is the same for the same call, but for its time `text`, and `kind`
    that of the device."""

    def __init__(self, key: str, text: str, nnz: int, kind: str) -> None:
        self._key, self._nnz, self._kind = f"{key} {text}", nnz, kind
        spent, given = _known()
        self.searched = given.get(self._key) or search_time(text, nnz, spent.get(kind, ()))

    def note(self, seconds: "float | None") -> None:
        """Keeps the search's time, and the seconds that a search took with all that belongs to it;
        None: it did not compile its kernel, or did not search. Where the cache takes no files,
        nothing is kept."""
        if not seconds_of(self.searched):
            return
        with contextlib.suppress(Error, OSError):
            make_own_folder(python_folder())
            with locked(python_folder(), exclusive=True):
                spent, given = _known()
                given.pop(self._key, None)
                given[self._key] = self.searched
                beside = None
                if seconds is not None:
                    beside = spent_seconds(seconds, self.searched, self._nnz)
                if beside is not None:
                    lately = [*spent.get(self._kind, []), round(beside, 3)]
                    spent[self._kind] = lately[-_SPENT_MOST:]
                _write(spent, given)
