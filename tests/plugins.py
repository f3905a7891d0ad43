"""Families and metrics of tests, registered for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

from tertium import registry
from tertium.families.base import Metric
from tertium.families.family import Family


@contextmanager
def registered(family: type[Family], *metrics: type[Metric]) -> Iterator[None]:
    """With a family and its metrics."""
    plugins = [("families", family), *(("metrics", metric) for metric in metrics)]
    for kind, plugin in plugins:
        registry.register(kind, plugin)
    try:
        yield
    finally:
        for kind, plugin in plugins:
            registry.unregister(kind, plugin.id)
