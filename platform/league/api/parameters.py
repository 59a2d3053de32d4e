"""What addresses of the API hold: numbers and names in their paths, filters and pages in their queries."""

from typing import Annotated, Any

from ninja import Path
from pydantic import Field, StringConstraints, ValidationInfo, model_validator

from league.api.problems import Refused
from league.api.schema import Shape

LARGEST_ID = 2**63 - 1
LONGEST_NAME = 150

Number = Annotated[int, Field(ge=1, le=LARGEST_ID, examples=[12])]
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_NAME, pattern=r"^[^\x00]*$")]
"""Databases refuse a NUL."""
Slug = Annotated[Name, Path(..., description="Such as `ladder`, as in the address of its table.")]
PathNumber = Annotated[Number, Path(..., description="As in the address of its page.")]


class Parameters(Shape):
    """Of an address's query. What an operation does not know is refused: its list would not be what was asked for."""

    @model_validator(mode="before")
    @classmethod
    def _all_known(cls, values: Any, about: ValidationInfo) -> Any:
        request = (about.context or {}).get("request")
        unknown = sorted(set(request.GET) - set(cls.model_fields)) if request else []
        if unknown:
            known = ", ".join(cls.model_fields)
            raise Refused(
                "invalid", f"expected some of the parameters {known}, got {unknown[0]!r:.40}", unknown[0][:40]
            )
        return values


class Paged(Parameters):
    """A list is told in pages."""

    limit: int = Field(50, ge=1, le=200)
    """How many to tell at most."""
    cursor: str = Field("", pattern="^[0-9]{0,18}$")
    """`next` of the page before; empty for the first page."""
