//! *Sizes* of a session in words.

use crate::check::{Compaction, Large, RecordedTokens, Sizes};
use turnproof_suite::table::{count, size};

/// What is said of the sizes of a session, on one line.
pub(in crate::report) fn sizes_line(sizes: &Sizes) -> String {
    let mut said = vec![format!("about {} come back", size(sizes.tokens, "token"))];
    if let Some(RecordedTokens { line, tokens }) = sizes.recorded {
        said.push(format!("for the reply on line {line} the API counted {}, all in all", count(tokens)));
    }
    if let Some(Compaction { line, before, after }) = sizes.compaction {
        let tokens = |tokens: Option<u64>| tokens.map_or("?".to_owned(), count);
        said.push(format!(
            "the compaction on line {line} left {} of {}",
            tokens(after),
            size_of(before, tokens(before))
        ));
    }
    let largest = |what: &str, of: &[Large]| {
        of.first().map(|one| format!("the largest {what} has {} (line {})", size(one.bytes, "byte"), one.line))
    };
    said.extend(largest("line", &sizes.lines));
    said.extend(largest("result", &sizes.results));
    said.join("; ")
}

fn size_of(tokens: Option<u64>, shown: String) -> String {
    format!("{shown} {}", if tokens == Some(1) { "token" } else { "tokens" })
}
