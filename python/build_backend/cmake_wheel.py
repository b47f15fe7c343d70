"""Builds the wheel for `pip install ./python` by CMake, with nothing but the standard library (PEP 517).

CUBICBENCH_BUILD names the build folder (default: build/python-X.Y of the source tree). It is kept, so that the next
install compiles what changed; a folder of the preset `python` will do.
"""

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

source = pathlib.Path(__file__).resolve().parents[2]


def version():
    text = (source / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(cubicbench VERSION (\S+)", text)[1]


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    build = pathlib.Path(os.environ.get("CUBICBENCH_BUILD") or source / "build" / f"python-{python}")
    with tempfile.TemporaryDirectory() as folder:
        stage = pathlib.Path(folder)
        install_package(build.absolute(), stage)
        tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
        platform = re.sub(r"[^0-9A-Za-z]", "_", sysconfig.get_platform())
        return write_wheel(pathlib.Path(wheel_directory), stage, f"{tag}-{tag}-{platform}")


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("cubicbench: the sources are those of the whole repository; install from a clone of it")


def install_package(build, stage):
    """Leaves the folder `cubicbench` in `stage`."""
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    if (build / "CMakeCache.txt").exists():
        generator = []
    cmake = os.environ.get("CMAKE", "cmake")
    subprocess.run(
        [cmake, *generator, "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
         "-DCMAKE_CXX_FLAGS_RELEASE=-O3 -DNDEBUG", "-DBUILD_TESTING=OFF", "-DCUBICBENCH_PYTHON=ON",
         f"-DPython_EXECUTABLE={os.path.realpath(sys.executable)}"],
        check=True,
    )
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or subprocess.run(
        [source / "scripts" / "jobs.sh"], check=True, capture_output=True, text=True
    ).stdout.strip()
    subprocess.run([cmake, "--build", build, "--target", "_cubicbench", "--parallel", jobs], check=True)
    library = subprocess.run(
        [cmake, "--install", build, "--prefix", stage, "--component", "python", "--strip"], check=True, capture_output=True, text=True
    ).stdout
    package = next(stage.rglob("cubicbench/__init__.py"), None)
    if package is None:
        raise SystemExit(f"cubicbench: CMake installed no package:\n{library}")
    if package.parent != stage / "cubicbench":
        package.parent.rename(stage / "cubicbench")


def metadata():
    return f"""Metadata-Version: 2.1
Name: cubicbench
Version: {version()}
Summary: Sealed tuning problems of large-scale training, and the ledger that they are searched on
License: Apache-2.0
Requires-Python: >=3.9
Provides-Extra: enumerate
Requires-Dist: numpy ; extra == 'enumerate'
Provides-Extra: gymnasium
Requires-Dist: gymnasium ; extra == 'gymnasium'
Requires-Dist: numpy ; extra == 'gymnasium'
"""


def write_wheel(folder, stage, tag):
    """Packs `stage`/cubicbench; the name of the file."""
    name = f"cubicbench-{version()}-{tag}.whl"
    info = f"cubicbench-{version()}.dist-info"
    entries = {f.relative_to(stage).as_posix(): f.read_bytes() for f in sorted((stage / "cubicbench").rglob("*")) if f.is_file()}
    entries[f"{info}/METADATA"] = metadata().encode()
    entries[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cmake_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for path, content in entries.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{path},sha256={digest},{len(content)}\n"
    entries[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in entries.items():
            wheel.writestr(path, content)
    return name
