# SPDX-FileCopyrightText: 2026 The Vinculum authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the wheel: calls cmake, and zips what it leaves. The standard library only, so that nothing is fetched.

pip calls the functions of PEP 517; cmake calls this file: `backend.py wheel BUILD_FOLDER OUT`, `backend.py examples FROM TO`.
"""
from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULE = "_vinculum" + (sysconfig.get_config_var("EXT_SUFFIX") or ".so")


def _version() -> str:
    match = re.search(r"project\(vinculum VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    if match is None:
        raise RuntimeError("CMakeLists.txt names no version")
    return match.group(1)


def _tag() -> str:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def _metadata() -> str:
    return (
        "Metadata-Version: 2.1\n"
        "Name: vinculum\n"
        f"Version: {_version()}\n"
        "Summary: The motion of mechanisms, and whether the assumptions behind the model hold\n"
        "License: Apache-2.0\n"
        "Requires-Python: >=3.9\n"
        "Requires-Dist: numpy\n"
        "Provides-Extra: plot\n"
        "Requires-Dist: matplotlib; extra == 'plot'\n"
    )


def _write_wheel(files: dict[str, bytes], directory: Path) -> str:
    """A zip with fixed dates: the same files give the same bytes."""
    name = f"vinculum-{_version()}"
    info = f"{name}.dist-info"
    files = dict(sorted(files.items()))
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: vinculum\nRoot-Is-Purelib: false\nTag: {_tag()}\n".encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = ""
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = f"{name}-{_tag()}.whl"
    directory.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(directory / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            archive.writestr(entry, content)
    return wheel


def _package(folder: Path) -> dict[str, bytes]:
    package = folder / "vinculum"
    if not (package / MODULE).exists():
        raise RuntimeError(f"{package / MODULE} is missing: was it built for another Python?")
    files = {}
    for path in sorted(package.rglob("*")):
        if not path.is_file() or "__pycache__" in path.parts or (path.suffix == ".so" and path.name != MODULE):
            continue
        files[f"vinculum/{path.relative_to(package).as_posix()}"] = path.read_bytes()
    return files


def _build() -> Path:
    """The module for the Python that runs this, in a build folder of its own; VINCULUM_BUILD names another one."""
    build = Path(os.environ.get("VINCULUM_BUILD", ROOT / "build-python"))
    options = ["-DVINCULUM_PYTHON=ON", "-DVINCULUM_TESTS=OFF", "-DVINCULUM_BENCH=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    options.append(f"-DPython_EXECUTABLE={sys.executable}")
    if not (build / "CMakeCache.txt").exists():
        if shutil.which("ninja"):
            options += ["-G", "Ninja"]
        if shutil.which("clang++") and "CXX" not in os.environ:
            options.append("-DCMAKE_CXX_COMPILER=clang++")
    subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *options], check=True, stdout=sys.stderr)
    jobs = str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    subprocess.run(
        ["cmake", "--build", str(build), "-j", jobs, "--target", "vinculum_python_layer"], check=True, stdout=sys.stderr
    )
    return build / "python"


# ---- PEP 517 and 660 ----


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    return []


get_requires_for_build_sdist = get_requires_for_build_editable = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: object = None) -> str:
    info = Path(metadata_directory) / f"vinculum-{_version()}.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text(_metadata(), encoding="utf-8")
    return info.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    return _write_wheel(_package(_build()), Path(wheel_directory))


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    return _write_wheel({"vinculum.pth": f"{_build()}\n".encode()}, Path(wheel_directory))


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True, capture_output=True).stdout
    name = f"vinculum-{_version()}"
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in sorted(listed.decode().split("\0")):
            if path:
                archive.add(ROOT / path, f"{name}/{path}")
    return f"{name}.tar.gz"


def _copy_examples(source: Path, target: Path) -> None:
    """The models of the examples, and the tables and meshes that they name."""
    shutil.rmtree(target, ignore_errors=True)
    for model in sorted(source.glob("*/model.yaml")):
        folder = target / model.parent.name
        folder.mkdir(parents=True)
        for path in sorted(model.parent.iterdir()):
            if path.suffix in (".yaml", ".csv"):
                shutil.copyfile(path, folder / path.name)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "wheel":
        print(Path(sys.argv[3]) / _write_wheel(_package(Path(sys.argv[2])), Path(sys.argv[3])))
    elif len(sys.argv) == 4 and sys.argv[1] == "examples":
        _copy_examples(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        sys.exit(f"usage: {sys.argv[0]} wheel BUILD_FOLDER OUT | examples FROM TO")
