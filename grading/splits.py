"""The splits of a benchmark. Lite is another word for low."""

from enum import StrEnum


class Split(StrEnum):
    """`all` is the union of low, medium and high; a competition itself has one of the others."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    ALL = "all"
    DEV = "dev"

    @classmethod
    def stored(cls) -> tuple["Split", ...]:
        """The splits a competition can be in."""
        return (cls.LOW, cls.MEDIUM, cls.HIGH, cls.DEV)

    @property
    def members(self) -> tuple["Split", ...]:
        """The stored splits this one is made of."""
        return (Split.LOW, Split.MEDIUM, Split.HIGH) if self is Split.ALL else (self,)

    @property
    def label(self) -> str:
        return {"low": "Low (Lite)", "all": "All"}.get(self.value, self.value.capitalize())

    def covers(self, other: "Split") -> bool:
        """Whether a submission of this scope can be ranked on the other split."""
        return set(other.members) <= set(self.members)
