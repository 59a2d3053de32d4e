"""What all shapes have in common that the API tells or takes."""

from ninja import Schema
from pydantic import ConfigDict


class Shape(Schema):
    """Fields are described by the texts below them."""

    model_config = ConfigDict(use_attribute_docstrings=True)
