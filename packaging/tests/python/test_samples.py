"""What newcomers write: a test against the mock with the official SDK, and a typed project."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def run(*words):
    return subprocess.run([sys.executable, *words], cwd=HERE, capture_output=True, text=True)


def test_a_dangling_call_fails_with_the_words_of_the_api_and_an_answered_one_passes():
    pytest.importorskip("anthropic")
    assert len((HERE / "sample_agent.py").read_text().splitlines()) <= 12
    ran = run("-m", "pytest", "-p", "no:cacheprovider", "-W", "ignore", "-v", "sample_agent.py")
    assert "1 failed, 1 passed" in ran.stdout, ran.stdout + ran.stderr
    assert "test_the_history_is_legal[dangling] FAILED" in ran.stdout
    words = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."
    assert f"BadRequestError: Error code: 400 - {{'error': {{'message': '{words}" in ran.stdout
    assert "error[pairing/result-follows-use]: the call toolu_1 has no result in the next turn" in ran.stdout


@pytest.mark.parametrize("what", [["-p", "turnproof"], ["sample_typed.py"]], ids=["package", "project"])
def test_the_package_and_a_typed_project_are_strictly_typed(what):
    pytest.importorskip("mypy")
    pytest.importorskip("hypothesis")
    ran = run("-m", "mypy", "--strict", "--cache-dir", "/dev/null", *what)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_typed_project_runs():
    pytest.importorskip("hypothesis")
    ran = run("-m", "pytest", "-p", "no:cacheprovider", "-q", "sample_typed.py")
    assert "3 passed" in ran.stdout, ran.stdout + ran.stderr
