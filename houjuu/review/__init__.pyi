from houjuu.review.page_types import Review
from houjuu.review.rendering import render, reviewed

__all__ = ["Review", "render", "reviewed"]
