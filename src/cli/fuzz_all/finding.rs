//! What makes two crashes of a target the same *finding*: their kind, and of panics the place and the words.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::fuzzing::words;

/// The longest name that a finding gives a file, without what comes after it.
const LONGEST_NAME: usize = 60;

/// The longest message that is kept.
const LONGEST_MESSAGE: usize = 300;

/// The kind of a crash. Two crashes of one target are the same finding where their kinds are equal.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Kind {
    /// A panic: a law that is broken, or a bug on the way to it.
    Panic {
        /// Where, as `file:line:column`.
        place: String,
        /// What of the law does not hold.
        words: String,
    },
    /// One input took too long.
    Timeout,
    /// The process took too much memory.
    Memory,
    /// A sanitizer has seen something.
    Sanitizer {
        /// What it calls it.
        words: String,
    },
    /// The process died of anything else.
    Signal {
        /// Of what.
        words: String,
    },
}

impl Kind {
    /// The kind of a panic.
    pub(super) fn of_panic(place: &str, message: &str) -> Self {
        Self::Panic { place: place.to_owned(), words: words(message) }
    }

    /// The finding in words.
    pub(super) fn in_words(&self) -> &str {
        match self {
            Self::Panic { words, .. } | Self::Sanitizer { words } | Self::Signal { words } => words,
            Self::Timeout => "timeout",
            Self::Memory => "out of memory",
        }
    }

    /// Where, if that is known.
    pub(super) fn place(&self) -> Option<&str> {
        match self {
            Self::Panic { place, .. } => Some(place),
            _ => None,
        }
    }

    /// The beginning of a file name: the words in small letters, joined by `-`.
    pub(super) fn file_name(&self) -> String {
        let lower = self.in_words().to_lowercase();
        let words =
            lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let mut name = String::new();
        for word in words {
            if !name.is_empty() && name.len() + 1 + word.len() > LONGEST_NAME {
                break;
            }
            name.push_str(if name.is_empty() { "" } else { "-" });
            name.push_str(&word[..word.len().min(LONGEST_NAME)]);
        }
        if name.is_empty() { "panic".to_owned() } else { name }
    }
}

/// A crash that was seen: filed when it came for the first time, and counted from then on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Finding {
    /// The target that crashed.
    pub(super) target: String,
    /// What makes it the same when it comes again.
    #[serde(flatten)]
    pub(super) kind: Kind,
    /// What was said when it came first.
    pub(super) message: String,
    /// The regression case; none where the process died without leaving an input.
    pub(super) file: Option<PathBuf>,
    /// How many bytes that has.
    pub(super) bytes: u64,
    /// Whether the case is a smaller one than the input that was found.
    pub(super) is_smaller: bool,
    /// The input that was found.
    pub(super) artifact: Option<PathBuf>,
    /// When it came first.
    pub(super) first: String,
    /// How often it came this night.
    pub(super) times: u64,
    /// Whether it came first this night.
    pub(super) is_new: bool,
}

/// The message, cut where it is longer than anybody reads.
pub(super) fn shortened(message: &str) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_the_same_by_place_and_by_the_words_before_the_colon() {
        let of = |place: &str, message: &str| Kind::of_panic(place, message);
        let kind = of("src/a.rs:1:2", "wire/utf8: record 3: 0xff");
        assert_eq!(kind, of("src/a.rs:1:2", "wire/utf8: record 4: 0xfe"));
        assert_ne!(kind, of("src/a.rs:9:2", "wire/utf8: record 3: 0xff"));
        assert_ne!(kind, of("src/a.rs:1:2", "wire/lossless: record 3: 0xff"));
        assert_ne!(kind, Kind::Timeout);
        assert_ne!(Kind::Timeout, Kind::Memory);
        assert_ne!(Kind::Signal { words: "a".into() }, Kind::Signal { words: "b".into() });
    }

    #[test]
    fn a_finding_has_a_file_name_that_says_what_it_is() {
        let name = |words: &str| Kind::Signal { words: words.to_owned() }.file_name();
        assert_eq!(name("wire/every-byte-accounted"), "wire-every-byte-accounted");
        assert_eq!(name("a verdict is the same, each time"), "a-verdict-is-the-same-each-time");
        assert_eq!(
            name("called `Option::unwrap()` on a `None` value"),
            "called-option-unwrap-on-a-none-value"
        );
        assert_eq!(name("…"), "panic");
        assert_eq!(name(&"word ".repeat(40)).len(), 59);
        assert_eq!(name(&"a".repeat(200)).len(), LONGEST_NAME);
        assert_eq!(Kind::Memory.file_name(), "out-of-memory");
    }

    #[test]
    fn long_messages_are_cut_between_characters() {
        assert_eq!(shortened("short"), "short");
        let cut = shortened(&"ü".repeat(1000));
        assert_eq!((cut.chars().count(), cut.ends_with('…')), (LONGEST_MESSAGE + 1, true));
    }
}
