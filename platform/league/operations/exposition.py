"""Metrics in the text format of Prometheus, version 0.0.4."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
ESCAPED = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})


class Sample(NamedTuple):
    value: float
    labels: Mapping[str, str] = {}
    suffix: str = ""
    """Behind the name of the metric: a histogram is told as its buckets, sum and count."""


class Metric(NamedTuple):
    name: str
    kind: str
    """gauge, counter or histogram."""
    about: str
    """One line."""
    samples: Iterable[Sample]


def text(metrics: Iterable[Metric]) -> str:
    """All of them, a line a sample."""
    lines: list[str] = []
    for metric in metrics:
        lines += [f"# HELP {metric.name} {metric.about}", f"# TYPE {metric.name} {metric.kind}"]
        lines += [f"{metric.name}{each.suffix}{_labels(each.labels)} {each.value!r}" for each in metric.samples]
    return "\n".join([*lines, ""])


def _labels(labels: Mapping[str, str]) -> str:
    words = [f'{name}="{value.translate(ESCAPED)}"' for name, value in labels.items()]
    return f"{{{','.join(words)}}}" if words else ""
