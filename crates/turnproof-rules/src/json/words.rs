//! The usual *words* of the format are not copied when JSON is read; every other text is.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use turnproof_format::words::USUAL as WORDS;

/// How many places the table has; many stay empty, so that a search is short.
const PLACES: usize = 1024;

/// No word is longer.
const LONGEST: usize = {
    let (mut longest, mut at) = (0, 0);
    while at < WORDS.len() {
        if WORDS[at].len() > longest {
            longest = WORDS[at].len();
        }
        at += 1;
    }
    longest
};

/// For each place the number of its word, from 1 on; 0 where there is none.
static TABLE: [u16; PLACES] = table();

const fn table() -> [u16; PLACES] {
    let mut table = [0; PLACES];
    let mut number = 0;
    while number < WORDS.len() {
        let mut place = place(WORDS[number].as_bytes());
        while table[place] != 0 {
            place = (place + 1) % PLACES;
        }
        number += 1;
        table[place] = number as u16;
    }
    table
}

/// Where to search first: by the length, the first, the middle and the last byte.
const fn place(word: &[u8]) -> usize {
    let length = word.len();
    if length == 0 {
        return 0;
    }
    let (first, middle, last) = (word[0] as usize, word[length / 2] as usize, word[length - 1] as usize);
    (length * 331 + first * 97 + middle * 29 + last * 7) % PLACES
}

/// The word that a text is; `None` for any other text.
fn word(text: &str) -> Option<&'static str> {
    if text.len() > LONGEST {
        return None;
    }
    let mut place = place(text.as_bytes());
    loop {
        let number = TABLE[place];
        let word = WORDS.get(usize::from(number).wrapping_sub(1))?;
        if *word == text {
            return Some(word);
        }
        place = (place + 1) % PLACES;
    }
}

/// A text: a word of the format, or one with memory of its own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Str(Cow<'static, str>);

impl Str {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, to be changed.
    pub fn to_mut(&mut self) -> &mut String {
        self.0.to_mut()
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Str {
    /// Copied when it is no word.
    fn from(text: &str) -> Self {
        Self(word(text).map_or_else(|| Cow::Owned(text.to_owned()), Cow::Borrowed))
    }
}

impl From<String> for Str {
    fn from(text: String) -> Self {
        Self(word(&text).map_or(Cow::Owned(text), Cow::Borrowed))
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::from(text),
            Cow::Owned(text) => Self::from(text),
        }
    }
}

impl From<&String> for Str {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&Self> for Str {
    fn from(text: &Self) -> Self {
        text.clone()
    }
}

impl From<Str> for String {
    fn from(text: Str) -> Self {
        text.0.into_owned()
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Str {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<str> for Str {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Str {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl PartialEq<String> for Str {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == other
    }
}
