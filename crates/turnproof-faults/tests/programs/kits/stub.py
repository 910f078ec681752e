"""Answers each question with no turns, on the kit: what an adapter costs before it does anything."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[5] / "adapters/kit/python"))

from turnproof_subject import serve  # noqa: E402

serve(name="stub", normalize_api=lambda messages, options: [])
