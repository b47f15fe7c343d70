"""The stubs of the extension name what it has, and the package what it exports."""

import ast
import pathlib

import cubicbench
from cubicbench import _cubicbench

stubs = ast.parse((pathlib.Path(cubicbench.__file__).parent / "_cubicbench.pyi").read_text())


def named(body):
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_")}


def test_stubs_are_of_what_is_there():
    assert public(_cubicbench) | {"__version__"} == set(named(stubs.body))
    for node in stubs.body:
        if not isinstance(node, ast.ClassDef) or not node.body or node.name in ("InputError", "OutputError", "Refused"):
            continue
        stated = {name for name in named(node.body) if not name.startswith("__")}
        assert stated == public(getattr(_cubicbench, node.name)), node.name


def test_the_package_exports_and_explains_what_it_says():
    for name in cubicbench.__all__:
        thing = getattr(cubicbench, name)
        assert isinstance(thing, (str, tuple)) or thing.__doc__ or name in ("Trial", "InputError", "OutputError", "Refused"), name
