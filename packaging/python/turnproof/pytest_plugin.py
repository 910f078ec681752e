"""The plugin for pytest: the fixture ``claude_mock`` and the marker ``turnproof``."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator
from typing import Any

import pytest

from turnproof._said import said
from turnproof._shrink import shrink
from turnproof.mock import BrokenRules, Mock

FIXTURE = "claude_mock"
_MOCK = pytest.StashKey[Mock]()
_SIZES = 64


@pytest.fixture
def claude_mock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Generator[Mock, None, None]:
    """A mock of the Messages API for this test, which the environment names to SDKs.

    The test fails where a request was not legal, or lost something of the one that it continues.
    """
    with Mock() as mock:
        for name, value in mock.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("ANTHROPIC_AUTH_TOKEN", raising=False)
        request.node.stash[_MOCK] = mock
        yield mock


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "turnproof(seeds=100, replies=None): run the test with so many generated sets of replies of the model, and show "
        "the smallest by which it fails; `replies` plays one such set again.",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A marked test has the mock, whether it names the fixture or not."""
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("turnproof") and FIXTURE not in item.fixturenames:
            item.fixturenames.append(FIXTURE)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, None]:
    """Fails a test whose requests break rules; shows them beside another failure."""
    outcome = yield
    mock = item.stash.get(_MOCK, None)
    if mock is None:
        return
    try:
        mock.assert_legal()
    except BrokenRules as broken:
        if outcome.excinfo is None:
            outcome.force_exception(broken)
        elif not isinstance(outcome.excinfo[1], BrokenRules):
            item.add_report_section("call", "turnproof", str(broken))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs a marked test with one set of replies after the other."""
    marker = pyfuncitem.get_closest_marker("turnproof")
    mock = pyfuncitem.stash.get(_MOCK, None)
    if marker is None or mock is None:
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    run = _Run(mock, lambda: pyfuncitem.obj(**arguments))
    replies = marker.kwargs.get("replies")
    if replies is not None:
        run.once(bytes.fromhex(replies))
        return True
    for seed in range(marker.kwargs.get("seeds", 100)):
        choices = choices_of(seed)
        failure = run.failure(choices)
        if failure is not None:
            smallest = shrink(choices, lambda fewer: run.failure(fewer) == failure)
            _show(pyfuncitem, mock, run, seed, smallest)
            pytest.fail(f"seed {seed} fails once with {failure[0]} and then no more: the test depends on more than replies")
    return True


def choices_of(seed: int) -> bytes:
    """The bytes of a seed; those of the first seeds are few."""
    return random.Random(seed).randbytes(min(4 * seed, _SIZES))


class _Run:
    """A test that is run again and again."""

    def __init__(self, mock: Mock, test: Callable[[], object]) -> None:
        self.mock = mock
        self.test = test

    def once(self, choices: bytes) -> None:
        """Runs it; raises what it raises, or ``BrokenRules``."""
        self.mock.begin(choices)
        self.test()
        self.mock.assert_legal()

    def failure(self, choices: bytes) -> tuple[str, ...] | None:
        """How it fails, so that other failures are told apart; ``None`` where it passes."""
        try:
            self.once(choices)
        except pytest.skip.Exception:
            raise
        except (Exception, pytest.fail.Exception) as error:
            reports = [request.report.splitlines() for request in self.mock.problems]
            rules = {line.split(":")[0] for report in reports for line in report if line.startswith("error[")}
            return (type(error).__name__, *sorted(rules))
        return None


def _show(item: pytest.Item, mock: Mock, run: _Run, seed: int, smallest: bytes) -> None:
    """Fails as the smallest replies let the test fail, and says what they were."""
    try:
        run.once(smallest)
    finally:
        again = f'@pytest.mark.turnproof(replies="{smallest.hex()}")'
        lines = [f"seed {seed} fails; the smallest replies by which it does:"]
        for request in mock.requests:
            lines.append(f"  {request.number} {request.line}: {said(request)}")
        item.add_report_section("call", "turnproof", "\n".join([*lines, f"again: {again}"]))
