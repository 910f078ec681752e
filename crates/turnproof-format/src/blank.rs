//! *Blank* text says nothing: it is white space to Rust, JavaScript or Python, in which hosts are written.

/// Whether a character is white space: Rust's notion, what JavaScript adds (U+FEFF) and what Python adds
/// (U+001C to U+001F).
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{FEFF}' | '\u{1C}'..='\u{1F}')
}

/// Whether there is nothing but white space.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The text without white space at its end.
pub fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}
