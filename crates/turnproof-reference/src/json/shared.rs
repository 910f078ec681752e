//! *Shared* characters are those of a text or a value. Short ones stand here themselves. Longer ones have memory of
//! their own, or are a part of a *line* that several share.

use std::ops::{Deref, Range};
use std::sync::Arc;

use smol_str::SmolStr;

/// A longer line is not shared: one short text would keep all of it.
const LONGEST_LINE: usize = 4096;

/// Characters that copies share, unless they are short.
#[derive(Clone)]
pub(super) enum Shared {
    /// Up to 23 bytes stand here; longer ones have their own memory.
    Own(SmolStr),
    /// A part of a line. The pointer is a thin one, so that this is not larger than the other.
    Part { line: Arc<Box<str>>, start: u32, end: u32 },
}

impl Shared {
    /// So many bytes need no memory of their own.
    pub(super) const SHORT: usize = SmolStr::INLINE_CAP;

    /// At most that many bytes.
    #[inline(always)]
    pub(super) fn short(characters: &str) -> Self {
        Self::Own(SmolStr::new_inline(characters))
    }

    /// Characters that are known beforehand.
    pub(super) const fn fixed(characters: &'static str) -> Self {
        Self::Own(SmolStr::new_static(characters))
    }
}

impl Deref for Shared {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::Own(own) => own,
            Self::Part { line, start, end } => &line[*start as usize..*end as usize],
        }
    }
}

impl Default for Shared {
    fn default() -> Self {
        Self::fixed("")
    }
}

impl From<&str> for Shared {
    #[inline]
    fn from(characters: &str) -> Self {
        Self::Own(characters.into())
    }
}

impl From<String> for Shared {
    fn from(characters: String) -> Self {
        Self::Own(characters.into())
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Shared {}

/// A stretch of a text, copied once for all that is read from it.
pub(super) struct SharedLine {
    characters: Arc<Box<str>>,
    /// Where it is in the text.
    start: usize,
}

impl SharedLine {
    /// The line at a place of a text; `None` where each text in it has its own memory.
    pub(super) fn of(text: &str, place: Range<usize>) -> Option<Self> {
        let is_shared = (Shared::SHORT..=LONGEST_LINE).contains(&place.len());
        is_shared.then(|| Self { characters: Arc::new(text[place.clone()].into()), start: place.start })
    }

    /// The characters at a place of the text, which is inside the line.
    #[inline]
    pub(super) fn part(&self, place: Range<usize>) -> Shared {
        let (start, end) = ((place.start - self.start) as u32, (place.end - self.start) as u32);
        Shared::Part { line: self.characters.clone(), start, end }
    }
}
