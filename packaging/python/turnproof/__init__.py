"""Judge what an agent sends to the Messages API, in tests.

>>> import turnproof
>>> turnproof.check_request({"model": "claude-opus-4-6", "max_tokens": 9, "messages": []})[0].error
'messages: at least one message is required'

The functions ask one process of the command ``turnproof``, which is started at the first call and ends with this one.
"""

from turnproof._judge import (
    Change,
    Host,
    IllegalReply,
    IllegalRequest,
    Refusal,
    Removed,
    Repair,
    Severity,
    Verdict,
    Violation,
    assert_legal,
    assert_legal_reply,
    check_request,
    check_response,
    check_session,
    repair,
)
from turnproof._program import ProgramError
from turnproof.mock import BrokenRules, Mock, Request

__all__ = [
    "BrokenRules",
    "Change",
    "Host",
    "IllegalReply",
    "IllegalRequest",
    "Mock",
    "ProgramError",
    "Refusal",
    "Removed",
    "Repair",
    "Request",
    "Severity",
    "Verdict",
    "Violation",
    "assert_legal",
    "assert_legal_reply",
    "check_request",
    "check_response",
    "check_session",
    "repair",
]
