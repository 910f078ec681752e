//! A *text buffer* is a string that grows by pieces; halves of surrogate pairs that meet at a seam
//! become one character.

use super::text::{Text, surrogate};

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
        if let (Some(high), Some(low)) = (self.last_high(), first_low(bytes)) {
            let code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            self.wtf8.truncate(self.wtf8.len() - 3);
            if let Some(character) = char::from_u32(code) {
                self.wtf8.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            bytes = &bytes[3..];
        }
        self.wtf8.extend_from_slice(bytes);
    }

    /// The whole string.
    pub fn into_text(self) -> Text {
        Text::from_wtf8(self.wtf8)
    }

    /// The high surrogate that the buffer ends with.
    fn last_high(&self) -> Option<u32> {
        let at = self.wtf8.len().checked_sub(3)?;
        surrogate(&self.wtf8[at..]).filter(|unit| (0xD800..0xDC00).contains(unit))
    }
}

/// The low surrogate that bytes begin with.
fn first_low(bytes: &[u8]) -> Option<u32> {
    surrogate(bytes).filter(|unit| (0xDC00..0xE000).contains(unit))
}

impl From<Text> for TextBuffer {
    fn from(text: Text) -> Self {
        Self { wtf8: text.wtf8().to_vec() }
    }
}
