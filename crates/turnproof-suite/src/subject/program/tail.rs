//! A *tail* is the end of what a program wrote to standard error: kept beside a failure, never judged.

/// The end of a text that is written piece by piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Vec<u8>);

/// The most bytes that are kept.
const MOST: usize = 4096;

impl Tail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(MOST)..];
        let too_many = (self.0.len() + bytes.len()).saturating_sub(MOST);
        self.0.drain(..too_many);
        self.0.extend_from_slice(bytes);
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).trim_end().to_owned()
    }
}
