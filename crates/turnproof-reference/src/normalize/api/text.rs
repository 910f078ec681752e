//! *Blank* text says nothing: it is white space to Rust, JavaScript or Python.

/// Whether a character is white space to Rust, JavaScript or Python.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{FEFF}' | '\u{1C}'..='\u{1F}')
}

/// Whether there is nothing but white space.
pub(crate) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The text without white space at its end.
pub(super) fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}
