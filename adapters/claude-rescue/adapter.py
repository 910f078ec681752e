"""`claude-rescue recover-all --in-place` of claude-rescue: the file that it makes of a damaged one, and the lines that are gone."""

from repair import repair
from repairs import answer
from neutral import serve_library

serve_library("claude-rescue", repair=lambda data: answer(data, repair))
