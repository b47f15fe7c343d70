"""Where a fault can be planted in a C++ source: expressions and statements, and what stands in their place.

The operators are those of DeMillo, Lipton and Sayward, as far as a compiler takes the result: comparisons, arithmetic, logic,
numbers, the smaller for the larger, what is returned, and statements that are left out.
"""

import re
from dataclasses import dataclass

from clang.cindex import CursorKind as Kind
from clang.cindex import Index, TranslationUnit, TypeKind

COMPARISONS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"], "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"]}
LOGIC = {"&&": ["||"], "||": ["&&"]}
ASSIGNMENTS = {"+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "|=": ["&="], "&=": ["|="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="]}
OPERATORS = COMPARISONS | ARITHMETIC | LOGIC | ASSIGNMENTS

INTEGERS = {
    TypeKind.CHAR_U, TypeKind.UCHAR, TypeKind.USHORT, TypeKind.UINT, TypeKind.ULONG, TypeKind.ULONGLONG, TypeKind.UINT128,
    TypeKind.CHAR_S, TypeKind.SCHAR, TypeKind.SHORT, TypeKind.INT, TypeKind.LONG, TypeKind.LONGLONG, TypeKind.INT128,
}  # fmt: skip
NUMBERS = INTEGERS | {TypeKind.FLOAT, TypeKind.DOUBLE, TypeKind.LONGDOUBLE}
# What has to be known when it is compiled, and so cannot ask at run time which fault is on.
CONSTANT = {Kind.STATIC_ASSERT, Kind.ENUM_DECL, Kind.CASE_STMT, Kind.TEMPLATE_NON_TYPE_PARAMETER, Kind.FRIEND_DECL, Kind.CXX_UNARY_EXPR}


@dataclass(frozen=True, order=True)
class Mutant:
    """A fault: in `path`, the bytes from `begin` to `end` become `after`."""

    path: str
    begin: int
    end: int
    line: int
    kind: str
    before: str
    after: str
    is_statement: bool = False

    def switched(self, identity):
        """C++ that is `after` where the fault of this number is on, and `before` everywhere else."""
        if self.is_statement:
            return f"if (!mutants::on({identity})) {{ {self.before} }}"
        return f"(mutants::on({identity}) ? ({self.after}) : ({self.before}))"

    def overlaps(self, other):
        return self.path == other.path and self.begin < other.end and other.begin < self.end


def parse(path, text, arguments):
    return Index.create().parse(path, args=arguments, unsaved_files=[(path, text)])


def errors(unit):
    return [diagnostic.spelling for diagnostic in unit.diagnostics if diagnostic.severity >= 3]


def candidates(path, relative, arguments):
    """All mutants of one source, in the order of the text."""
    with open(path, "rb") as file:
        source = file.read()
    found = set()
    macros = list(_macro_calls(source))
    unit = TranslationUnit.from_source(path, args=arguments)
    for cursor in unit.cursor.get_children():
        if cursor.location.file and cursor.location.file.name == path:
            _visit(cursor, None, source, relative, found)
    return sorted(m for m in found if not any(m.begin < end and begin < m.end for begin, end in macros))


def _macro_calls(source):
    """The places of calls in capitals: what a macro makes of a changed argument is not known."""
    for match in re.finditer(rb"\b[A-Z][A-Z0-9_]{2,}\(", source):
        depth, at = 1, match.end()
        while depth and at < len(source):
            depth += {ord("("): 1, ord(")"): -1}.get(source[at], 0)
            at += 1
        yield match.start(), at


def _text(source, begin, end):
    return source[begin:end].decode()


def _is_constant(cursor):
    if cursor.kind in CONSTANT:
        return True
    if cursor.kind != Kind.VAR_DECL:
        return False
    # A constant of a file is one of the compiler, and so is a local one that says so.
    words = {token.spelling for token in list(cursor.get_tokens())[:3]}
    return "constexpr" in words or cursor.semantic_parent.kind in (Kind.NAMESPACE, Kind.TRANSLATION_UNIT)


def _visit(cursor, parent, source, relative, found):
    if _is_constant(cursor):
        return
    for mutant in _mutants_of(cursor, parent, source, relative):
        found.add(mutant)
    for child in cursor.get_children():
        _visit(child, cursor, source, relative, found)


def _mutants_of(cursor, parent, source, relative):
    begin, end = cursor.extent.start.offset, cursor.extent.end.offset
    before = _text(source, begin, end)

    def mutant(kind, after, is_statement=False, stop=end):
        return Mutant(relative, begin, stop, cursor.extent.start.line, kind, _text(source, begin, stop), after, is_statement)

    children = list(cursor.get_children())
    if cursor.kind in (Kind.BINARY_OPERATOR, Kind.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
        left, right = children
        between = _text(source, left.extent.end.offset, right.extent.start.offset)
        operator = re.sub(r"//.*|/\*.*?\*/|\s", "", between)
        if operator in OPERATORS and _is_number(left) and _is_number(right):
            for other in OPERATORS[operator]:
                place = len(_text(source, begin, left.extent.end.offset))
                changed = before[:place] + between.replace(operator, other) + before[place + len(between):]
                yield mutant("operator", changed)
    if cursor.kind == Kind.UNARY_OPERATOR and before.startswith("!"):
        yield mutant("negation", f"bool({before[1:]})")
    if cursor.kind == Kind.INTEGER_LITERAL and parent.kind != Kind.INIT_LIST_EXPR and cursor.type.kind in INTEGERS:
        yield mutant("number", f"{before} + 1")
    if cursor.kind == Kind.CALL_EXPR and (match := re.match(r"std::(min|max)\(", before)):
        yield mutant("min and max", f"std::{'max' if match[1] == 'min' else 'min'}({before[match.end():]}")
    if cursor.kind == Kind.RETURN_STMT and children and _is_number(children[0]):
        value = children[0]
        begin, end = value.extent.start.offset, value.extent.end.offset
        inner = _text(source, begin, end)
        kind = value.type.get_canonical().kind
        if kind == TypeKind.BOOL:
            yield Mutant(relative, begin, end, value.extent.start.line, "returned", inner, f"!({inner})")
        elif inner not in ("0", "0.0"):
            yield Mutant(relative, begin, end, value.extent.start.line, "returned", inner, "0")
    if parent is not None and parent.kind == Kind.COMPOUND_STMT and _is_left_out(cursor, children):
        if source[end:end + 1] == b";":
            yield mutant("left out", "", True, end + 1)


def _is_number(cursor):
    kind = cursor.type.get_canonical().kind
    return kind in NUMBERS or kind == TypeKind.BOOL


def _is_left_out(cursor, children):
    """A call or an assignment whose value nobody takes."""
    if cursor.kind in (Kind.CALL_EXPR, Kind.COMPOUND_ASSIGNMENT_OPERATOR):
        return True
    return cursor.kind == Kind.BINARY_OPERATOR and len(children) == 2
