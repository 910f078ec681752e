//! *Compact* JSON has no white space between its tokens, so that it fits on one line.

use std::borrow::Cow;

/// JSON text on one line, and how deep it is nested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compact<'t> {
    /// The text; the characters of strings and numbers are as they were.
    pub text: Cow<'t, str>,
    /// How many objects and arrays the deepest value is in, itself included.
    pub depth: usize,
}

/// Takes the white space between tokens out of JSON text, if there is a line end among it. Text that is not JSON stays
/// not JSON: two tokens that white space kept apart are never valid side by side or joined.
pub fn compact(text: &str) -> Compact<'_> {
    let bytes = text.as_bytes();
    let needs_change = memchr::memchr2(b'\n', b'\r', bytes).is_some();
    let mut kept = String::with_capacity(if needs_change { text.len() } else { 0 });
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut at, mut start) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b' ' | b'\t' | b'\n' | b'\r' if needs_change => {
                kept.push_str(&text[start..at]);
                // Tokens without a mark between them stay apart, so that `1 2` does not become `12`.
                if is_word(kept.as_bytes().last()) && is_word(bytes.get(at + 1)) {
                    kept.push(' ');
                }
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    let text = if needs_change {
        kept.push_str(&text[start.min(text.len())..]);
        Cow::Owned(kept)
    } else {
        Cow::Borrowed(text)
    };
    Compact { text, depth: deepest }
}

/// Where the string that begins at `at` ends; the end of the text when it does not.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut rest = at + 1;
    while let Some(found) = bytes.get(rest..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        rest += found;
        match bytes[rest] {
            b'"' => return rest + 1,
            _ => rest += 2,
        }
    }
    bytes.len()
}

/// Whether a byte belongs to a number, `true`, `false`, `null` or what is no token at all.
fn is_word(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| {
        !matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'{' | b'}' | b'[' | b']' | b',' | b':')
    })
}
