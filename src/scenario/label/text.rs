//! Labels of *texts*: one for each of the pool, in its order.

use crate::scenario::pool::TEXT_COUNT;

use super::{Label, Labels, any, at, shuffled};

/// In the order of the pool.
pub(super) const LABELS: &[Label] = &[
    any("text/plain", "a letter", 0.28),
    any("text/another", "another letter", 0.18),
    any("text/words", "several words", 0.094),
    any("text/empty", "the empty text", 0.019),
    any("text/blank", "white space alone", 0.018),
    any("text/no-content", "the text that stands for no content", 0.0056),
    any("text/no-content-in-brackets", "its other form", 0.0053),
    any("text/interruption", "the text of an interruption", 0.02),
    any("text/interruption-for-tool-use", "the text of an interruption of a tool", 0.0054),
    any("text/cancel", "the text of a cancelled action", 0.0037),
    any("text/reject", "the text of a rejection", 0.0031),
    any("text/no-response-requested", "the text of a turn that nobody wants", 0.0039),
    any("text/missing-result", "the text of a result that is missing", 0.0035),
    any("text/like-a-record", "a text that looks like a record", 0.0032),
    any("text/like-glued-records", "a text that looks like the seam of two records", 0.0033),
    any("text/digits", "a text of digits", 0.0033),
    any("text/line-separators", "raw U+2028, U+2029 and U+0085", 0.0036),
    any("text/right-to-left", "right-to-left letters and an override", 0.0032),
    any("text/emoji", "emoji and combining marks", 0.0031),
    any("text/backslashes", "a path with backslashes, and quotes", 0.0031),
    any("text/nul-inside", "U+0000 inside a text", 0.0031),
    any("text/escaped-pair", "a surrogate pair as escapes", 0.0032),
    any("text/long", "ten thousand characters", 0.0027),
    any("text/odd-escapes", "escapes that nobody needs", 0.0027),
    any("text/byte-order-mark", "a byte order mark alone", 0.003),
    any("text/blank-controls", "control characters that only some call blank", 0.0029),
    any("text/blank-wide", "white space beyond ASCII", 0.0032),
    any("text/blank-end", "a text that ends blank", 0.009),
    any("text/blank-beginning", "a text that begins blank", 0.0033),
    any("text/zero-width", "a space without width, which is not blank", 0.003),
    any("text/half-a-pair", "a lone high surrogate", 0.0032),
    any("text/swapped-pair", "a low surrogate before a high one", 0.0031),
    any("text/reject-with-reason", "the text of a rejection with a reason", 0.0031),
    any("text/subagent-reject", "the text of a subagent's rejection", 0.0037),
    any("text/subagent-reject-with-reason", "the text of a subagent's rejection with a reason", 0.0034),
    any("text/plan-rejection", "the text of a rejected plan", 0.0029),
    any("text/rule-denial", "the text of a denial by a rule", 0.0031),
    any("text/dont-ask-denial", "the text of a denial in the mode that never asks", 0.003),
    any("text/classifier-denial", "the text of a denial by a classifier", 0.0029),
    any("text/synthetic-model", "the name of the model that is none", 0.003),
    any("text/like-blocks", "a text that looks like a list of blocks", 0.0027),
    any("text/like-null", "a text that looks like null", 0.003),
    any("text/line-ends", "line ends of three sorts", 0.0026),
    any("text/joined-emoji", "emoji that are joined of several", 0.003),
    any("text/noncharacters", "code points that are no characters", 0.0031),
    any("text/nul-alone", "U+0000 alone", 0.0031),
    any("text/half-a-pair-at-the-end", "a text cut between the halves of a pair", 0.0032),
    shuffled("text/megabyte", "a text of a megabyte", 0.0001),
];

const TEXT: usize = at("text/plain");

impl Labels {
    /// A text of the pool.
    pub(super) fn text(&mut self, which: u8) {
        self.put(TEXT + usize::from(which % TEXT_COUNT));
    }
}
