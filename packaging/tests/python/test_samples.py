"""What newcomers write: the first test of the page for Python, with the official SDK, and a typed project."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent


def run(*words):
    return subprocess.run([sys.executable, *words], cwd=HERE, capture_output=True, text=True)


def block_of_the_page(language):
    samples = os.environ.get("TURNPROOF_SAMPLES") or HERE.parents[2] / "docs/samples"
    page = (Path(samples).parent / "python.md").read_text()
    return re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)[1], page


def test_the_first_test_of_the_page_fails_as_the_page_says_and_passes_with_a_result(tmp_path):
    pytest.importorskip("anthropic")
    (written, page), (said, _) = block_of_the_page("python"), block_of_the_page("text")
    assert len(written.splitlines()) <= 12
    sample = tmp_path / "test_weather.py"
    sample.write_text(written)
    ran = run("-m", "pytest", "-p", "no:cacheprovider", "-W", "ignore", str(sample))
    assert "1 failed" in ran.stdout, ran.stdout + ran.stderr
    words = "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1."
    assert f"BadRequestError: Error code: 400 - {{'error': {{'message': '{words}" in ran.stdout
    for line in said.splitlines():
        assert line.removesuffix("…") in ran.stdout, ran.stdout
    result = re.search(r"`(\[.*tool_result.*\])`", page)[1]
    sample.write_text(written.replace('"And now?"', result))
    ran = run("-m", "pytest", "-p", "no:cacheprovider", "-W", "ignore", str(sample))
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr
    pytest.importorskip("mypy")
    ran = run("-m", "mypy", "--strict", "--cache-dir", "/dev/null", str(sample))
    assert ran.returncode == 0, ran.stdout + ran.stderr


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
