"""The elements of an XML document without nesting, by lxml or, without it, by expat.

Both refuse a declaration (``<!…``), so that a document has no entities and names no other file.
Comments and processing instructions are left out.
"""

from __future__ import annotations

from collections.abc import ItemsView, Sequence
from typing import Any, Protocol, TypeAlias
from xml.etree.ElementTree import Element as PlainElement
from xml.parsers import expat

try:
    from lxml import etree
except ImportError:
    HAS_LXML = False
else:
    HAS_LXML = True
    _PARSER = etree.XMLParser(  # not collect_ids=False, with which lxml opens the file of a DOCTYPE
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    _NESTED = etree.XPath("boolean(*/*)")


_MOST_SHOWN = 64  # unit: attributes; lxml takes minutes for a million


class Element(Protocol):
    """A tag with attributes, of either parser."""

    tag: Any
    attrib: Any

    def items(self) -> ItemsView[str, str]:
        """The names and values of its attributes."""
        ...


Document: TypeAlias = "tuple[str, Sequence[Element], bool, bool]"
"""The tag of the root, its elements, whether these have others, whether there is a declaration."""


def document(data: bytes) -> Document:
    """Read a document; raises ValueError with the message of the parser if it is not XML."""
    return _by_lxml(data) if HAS_LXML else by_expat(data)


def _by_lxml(data: bytes) -> Document:
    try:
        root: Any = etree.fromstring(data, _PARSER)
    except etree.XMLSyntaxError as problem:
        raise ValueError(str(problem)) from None
    is_declared = root.getroottree().docinfo.internalDTD is not None
    return root.tag, root, bool(_NESTED(root)), is_declared


def by_expat(data: bytes) -> Document:
    """As `document`, with the standard library alone."""
    tags: list[str] = []
    elements: list[PlainElement] = []
    depth, deepest, is_declared = 0, 0, False

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, deepest
        depth += 1
        deepest = max(deepest, depth)
        if depth == 1:
            tags.append(tag)
        elif depth == 2:
            elements.append(PlainElement(tag, attributes))

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def declare(*_: object) -> None:
        nonlocal is_declared
        is_declared = True
        raise _DeclaredError

    parser = expat.ParserCreate(namespace_separator="}")
    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.StartDoctypeDeclHandler = declare
    try:
        parser.Parse(data, True)
    except _DeclaredError:
        return "", (), False, True
    except (expat.ExpatError, LookupError) as problem:
        raise ValueError(str(problem)) from None
    return tags[0], elements, deepest > 2, False


class _DeclaredError(Exception):
    """Ends the reading of a document with a declaration, before an entity is defined."""


def shown(element: Element) -> str:
    """The element as text, for an error."""
    attributes = dict(element.items()) if len(element.attrib) <= _MOST_SHOWN else {"…": "…"}
    return tag(element.tag, **attributes)


def tag(name: str, /, **attributes: object) -> str:
    """An empty element as text, without the attributes that are None."""
    from xml.sax.saxutils import quoteattr  # its module imports a client of HTTP

    parts = (f" {k}={quoteattr(str(v))}" for k, v in attributes.items() if v is not None)
    return f"<{name}{''.join(parts)}/>"
