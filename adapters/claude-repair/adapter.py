"""`claude-repair repair --yes` of claude-repair: the file that it makes of a damaged one, and the lines that are gone."""

from repair import repair
from repairs import answer
from neutral import serve_library

serve_library("claude-repair", repair=lambda data: answer(data, repair))
