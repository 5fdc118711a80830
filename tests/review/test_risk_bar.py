"""The bar of a risk: its levels and colours."""

from __future__ import annotations

from houjuu.review import risk_bar


def test_the_levels_of_risks() -> None:
    """A quarter of the full risk fills half of the bar; colours get darker, or on dark lighter."""
    assert [risk_bar.level(risk) for risk in (0, 0.075, 0.3, 1)] == [0, 50, 100, 100]
    for palette, sign in ((risk_bar.LIGHT, 1), (risk_bar.DARK, -1)):
        light = [
            sign * (0.2126 * r + 0.7152 * g + 0.0722 * b)
            for r, g, b in (bytes.fromhex(colour[1:]) for colour in palette)
        ]
        assert len(light) == risk_bar.LEVELS + 1
        assert light == sorted(light, reverse=True)
    assert (risk_bar.LIGHT[0], risk_bar.LIGHT[100]) == ("#fff3c4", "#6b0020")
