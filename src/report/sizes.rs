//! *Sizes* of a session in words.

use crate::check::{Compaction, Large, RecordedTokens, Sizes};
use turnproof_suite::table::{count, size};

/// What is said of the sizes of a session, on one line.
pub(super) fn sizes_line(sizes: &Sizes) -> String {
    let mut said = vec![format!("about {} come back", size(sizes.tokens, "token"))];
    if let Some(RecordedTokens { line, tokens }) = sizes.recorded {
        said.push(format!("for the reply on line {line} the API counted {}, all in all", count(tokens)));
    }
    if let Some(Compaction { line, before: Some(before), after }) = sizes.compaction {
        let before = size(before, "token");
        said.push(match after {
            Some(after) => format!("the compaction on line {line} left {} of {before}", count(after)),
            None => format!("there were {before} before the compaction on line {line}"),
        });
    }
    let largest = |what: &str, of: &[Large]| {
        of.first().map(|one| format!("the largest {what} has {} (line {})", size(one.bytes, "byte"), one.line))
    };
    said.extend(largest("line", &sizes.lines));
    said.extend(largest("result", &sizes.results));
    said.join("; ")
}
