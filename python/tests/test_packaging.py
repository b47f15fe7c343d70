"""The backend that pip calls: a wheel of what CMake installs, named and signed as pip wants it."""

import base64
import hashlib
import importlib.util
import pathlib
import zipfile

import cubicbench

root = pathlib.Path(__file__).parents[2]


def backend():
    spec = importlib.util.spec_from_file_location("cmake_wheel", root / "python" / "build_backend" / "cmake_wheel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_version_is_that_of_the_build():
    assert backend().version() == cubicbench.__version__


def test_a_wheel_lists_every_file_with_its_hash(tmp_path):
    (tmp_path / "cubicbench").mkdir()
    (tmp_path / "cubicbench" / "__init__.py").write_bytes(b"x = 1\n")
    name = backend().write_wheel(tmp_path, tmp_path, "cp311-cp311-linux_x86_64")
    assert name == f"cubicbench-{cubicbench.__version__}-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(tmp_path / name) as wheel:
        info = f"cubicbench-{cubicbench.__version__}.dist-info"
        record = dict(line.split(",", 1) for line in wheel.read(f"{info}/RECORD").decode().splitlines())
        assert set(record) == set(wheel.namelist())
        assert record.pop(f"{info}/RECORD") == ","
        for path, signed in record.items():
            content = wheel.read(path)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert signed == f"sha256={digest},{len(content)}"
        assert f"Version: {cubicbench.__version__}\n" in wheel.read(f"{info}/METADATA").decode()
