"""debian_root: a fresh Debian in a folder, in which commands run."""

import glob
import json
import os
import shutil
import subprocess
from typing import Sequence

from wheel_contents import Interpreter, WheelError, run

_CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
_MOUNTED = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"'
_PYTHON_FACTS = (
    "import json, sys, sysconfig; major, minor = sys.version_info[:2]; "
    "print(json.dumps([major, minor, sysconfig.get_config_var('EXT_SUFFIX')]))"
)


class DebianRoot:
    """A minimal Debian with python3 and nothing to compile with."""

    def __init__(self, suite: str, folder: str) -> None:
        self.suite, self.folder = suite, os.path.join(folder, suite)
        run(
            [
                "debootstrap",
                "--variant=minbase",
                "--include=python3,python3-venv",
                suite,
                self.folder,
            ]
        )
        for path in ("/etc/resolv.conf", _CERTIFICATES):  # so that pip reaches the same hosts as
                                                          # here
            if os.path.exists(path):
                os.makedirs(os.path.dirname(self.inside(path)), exist_ok=True)
                shutil.copyfile(path, self.inside(path))

    def inside(self, path: str) -> str:
        return self.folder + path

    def attempt(self, command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        """Runs a command there, as in a fresh login, with the settings of pip."""
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        kept.pop("PIP_FIND_LINKS", None)  # a folder of this machine
        words = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
                 "DEBIAN_FRONTEND": "noninteractive", **kept}  # fmt: skip
        mounted = ["unshare", "--mount", "sh", "-c", _MOUNTED, self.folder]
        return subprocess.run(
            [*mounted, *command], env=words, capture_output=True, text=True, check=False
        )

    def run(self, *command: str) -> str:
        """The output of the command. Raises WheelError with its last line."""
        done = self.attempt(command)
        if done.returncode != 0:
            told = (done.stderr.strip() or done.stdout.strip() or "it said nothing").split("\n")
            raise WheelError(f"{self.suite}: {' '.join(command[:3])} failed: {told[-1]}")
        return done.stdout

    def interpreter(self, scratch: str) -> Interpreter:
        """Its Python. The headers are unpacked beside the root: in it they are not installed."""
        major, minor, suffix = json.loads(self.run("python3", "-c", _PYTHON_FACTS))
        version, unpacked = f"{major}.{minor}", os.path.join(scratch, f"headers-{self.suite}")
        self.run("apt-get", "-qq", "update")
        self.run("sh", "-c", f"cd /tmp && apt-get -qq download libpython{version}-dev")
        for package in glob.glob(self.inside(f"/tmp/libpython{version}-dev*.deb")):
            run(["dpkg-deb", "-x", package, unpacked])
            os.unlink(package)
        headers = os.path.join(unpacked, "usr", "include")
        return Interpreter(f"cp{major}{minor}", suffix, [f"{headers}/python{version}", headers])
