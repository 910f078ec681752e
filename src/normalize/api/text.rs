//! *Blank* text says nothing: it is white space to Rust, JavaScript or Python.

/// Whether a character is white space to Rust, JavaScript or Python.
pub(super) fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{FEFF}' | '\u{1C}'..='\u{1F}')
}

/// Whether there is nothing but white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// The text without white space at its end.
pub(super) fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_of_three_languages_is_blank() {
        assert!(is_blank("") && is_blank(" \n\t\u{FEFF}\u{1C}\u{1F}\u{85}\u{A0}\u{2028}"));
        for text in ["a", " a ", "\u{200B}", "\u{1B}", "\u{20}\u{21}"] {
            assert!(!is_blank(text), "{text:?}");
        }
        assert_eq!(trim_end(" a \u{FEFF}\n"), " a");
    }
}
