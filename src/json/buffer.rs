//! A *text buffer* is a string that grows by pieces; halves of surrogate pairs that meet at a seam
//! become one character.

use super::surrogate::{joined, of_wtf8, push_wtf8};
use super::text::Text;

/// A string that grows by pieces, each of which may hold lone surrogates.
///
/// ```
/// use turnproof::json::{Text, TextBuffer};
///
/// let piece = |token: &str| serde_json::from_str::<Text>(token);
/// let mut buffer = TextBuffer::from(piece(r#""a\ud83d""#)?);
/// buffer.push(&piece(r#""\ude00b""#)?);
/// assert_eq!(buffer.into_text(), "a\u{1F600}b");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextBuffer {
    /// WTF-8: a pair of surrogates is always one character.
    wtf8: Vec<u8>,
}

impl TextBuffer {
    /// An empty buffer.
    pub const fn new() -> Self {
        Self { wtf8: Vec::new() }
    }

    /// Appends a piece.
    pub fn push(&mut self, piece: &Text) {
        let mut bytes = piece.wtf8();
        let last = self.wtf8.last_chunk::<3>().and_then(|last| of_wtf8(last));
        if let Some(code) = last.zip(of_wtf8(bytes)).and_then(|(high, low)| joined(high, low)) {
            self.wtf8.truncate(self.wtf8.len() - 3);
            push_wtf8(&mut self.wtf8, code);
            bytes = &bytes[3..];
        }
        self.wtf8.extend_from_slice(bytes);
    }

    /// The whole string.
    pub fn into_text(self) -> Text {
        Text::from_wtf8(self.wtf8)
    }
}

impl From<Text> for TextBuffer {
    fn from(text: Text) -> Self {
        Self { wtf8: text.wtf8().to_vec() }
    }
}
