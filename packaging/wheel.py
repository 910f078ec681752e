"""Packs a program that is built already into a wheel: python3 packaging/wheel.py OUT PROGRAM

A release is built by maturin, from the same pyproject.toml. This takes no time, so that each change is installed by pip
before it goes in. It prints the path of the wheel, which is for this machine.
"""

import base64
import hashlib
import re
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    out, program = Path(sys.argv[1]), Path(sys.argv[2])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    platform = re.sub(r"[.-]", "_", sysconfig.get_platform())
    name = f"{project['name']}-{version}"
    metadata = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        f"Requires-Python: {project['requires-python']}",
        *extras(project["optional-dependencies"]),
        "Description-Content-Type: text/markdown",
        "",
        (ROOT / project["readme"]).read_text(),
    ]
    wheel = ["Wheel-Version: 1.0", "Generator: turnproof", "Root-Is-Purelib: false", f"Tag: py3-none-{platform}", ""]
    files = {
        f"{name}.data/scripts/turnproof": program.read_bytes(),
        f"{name}.dist-info/METADATA": "\n".join(metadata).encode(),
        f"{name}.dist-info/WHEEL": "\n".join(wheel).encode(),
        f"{name}.dist-info/entry_points.txt": entry_points(project["entry-points"]).encode(),
    }
    package = ROOT / "packaging/python"
    for path in sorted(package.glob("turnproof/**/*")):
        if path.suffix in (".py", ".typed"):
            files[path.relative_to(package).as_posix()] = path.read_bytes()
    for license_file in project["license-files"]:
        files[f"{name}.dist-info/licenses/{license_file}"] = (ROOT / license_file).read_bytes()
    record = f"{name}.dist-info/RECORD"
    digest = lambda data: base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    lines = [f"{path},sha256={digest(data)},{len(data)}" for path, data in files.items()] + [f"{record},,"]
    files[record] = ("\n".join(lines) + "\n").encode()
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}-py3-none-{platform}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for inside, data in files.items():
            entry = zipfile.ZipInfo(inside)
            entry.external_attr = (0o100755 if "/scripts/" in inside else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(path)


def extras(dependencies):
    """What may be installed with the package."""
    for name, packages in dependencies.items():
        yield f"Provides-Extra: {name}"
        yield from (f"Requires-Dist: {package}; extra == '{name}'" for package in packages)


def entry_points(groups):
    lines = []
    for group, points in groups.items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items()), ""]
    return "\n".join(lines)


main()
