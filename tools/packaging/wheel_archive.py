"""wheel_archive: a wheel as a zip file - its contents, its metadata and the hashes of all."""

import base64
import hashlib
import os
import zipfile

_MOMENT = (1980, 1, 1, 0, 0, 0)  # of every file: the same contents make the same wheel


class WheelArchive:
    """Files of a wheel for one Python (cp311) and one platform (manylinux_2_36_x86_64)."""

    def __init__(self, name: str, version: str, python: str, platform: str) -> None:
        self._stem = f"{name}-{version}"
        self._tag = f"{python}-{python}-{platform}"
        self._files: "dict[str, tuple[bytes, int]]" = {}

    def add(self, path: str, contents: bytes, mode: int = 0o644) -> None:
        if path in self._files:
            raise ValueError(f"{path} is in the wheel already")
        self._files[path] = (contents, mode)

    def add_information(self, name: str, text: str) -> None:
        """A file of the folder that describes the wheel."""
        self.add(f"{self._stem}.dist-info/{name}", text.encode())

    def paths(self) -> "list[str]":
        return sorted(self._files)

    def write(self, folder: str) -> str:
        """Writes the wheel; gives its path."""
        self.add_information(
            "WHEEL",
            "Wheel-Version: 1.0\nGenerator: alphasparse\nRoot-Is-Purelib: false\n"
            f"Tag: {self._tag}\n",
        )
        record = f"{self._stem}.dist-info/RECORD"
        lines = [
            f"{path},{_hash(self._files[path][0])},{len(self._files[path][0])}"
            for path in self.paths()
        ]
        self.add(record, "\n".join([*lines, f"{record},,", ""]).encode())
        target = os.path.join(folder, f"{self._stem}-{self._tag}.whl")
        draft = target + ".draft"
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in [*(one for one in self.paths() if one != record), record]:
                contents, mode = self._files[path]
                facts = zipfile.ZipInfo(path, _MOMENT)
                facts.compress_type = zipfile.ZIP_DEFLATED
                facts.external_attr = (0o100000 | mode) << 16
                archive.writestr(facts, contents)
        os.replace(draft, target)
        return target


def _hash(contents: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest())
    return "sha256=" + digest.decode().rstrip("=")
