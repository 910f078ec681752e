//! *Pieces* are the lines of a file or the events of a stream, each with its own end.

use std::borrow::Cow;

/// Parts of bytes in their order, each with its own end.
pub(super) type Pieces<'a> = Vec<Cow<'a, [u8]>>;

/// Where bytes are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// After each LF.
    Lines,
    /// After the blank lines that end an event.
    Events,
}

impl Cut {
    /// The pieces of `bytes`, in order; together they are all of them.
    pub(super) fn pieces(self, bytes: &[u8]) -> Pieces<'_> {
        let pieces = match self {
            Self::Lines => bytes.split_inclusive(|&byte| byte == b'\n').collect(),
            Self::Events => events(bytes),
        };
        pieces.into_iter().map(Cow::Borrowed).collect()
    }

    /// Joins pieces. A piece without its end gets one, unless it is the last.
    pub(super) fn join(self, pieces: &[Cow<'_, [u8]>]) -> Vec<u8> {
        let mut joined = Vec::new();
        for (index, piece) in pieces.iter().enumerate() {
            joined.extend_from_slice(piece);
            if index + 1 < pieces.len() {
                joined.extend_from_slice(self.missing_end(piece));
            }
        }
        joined
    }

    fn missing_end(self, piece: &[u8]) -> &'static [u8] {
        match self {
            Self::Lines if piece.ends_with(b"\n") => b"",
            Self::Lines => b"\n",
            Self::Events if ends_blank(piece) => b"",
            Self::Events if piece.ends_with(b"\n") => b"\n",
            Self::Events => b"\n\n",
        }
    }
}

/// Whether the last line of a piece is blank.
fn ends_blank(piece: &[u8]) -> bool {
    let Some(before) = piece.strip_suffix(b"\n") else { return false };
    let before = before.strip_suffix(b"\r").unwrap_or(before);
    before.is_empty() || before.ends_with(b"\n")
}

/// Blank lines belong to the event before them, however many there are.
fn events(bytes: &[u8]) -> Vec<&[u8]> {
    let mut events = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut is_over = false;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        if is_over && !is_blank(line) {
            events.push(&bytes[start..at]);
            start = at;
        }
        is_over = is_blank(line);
        at += line.len();
    }
    if start < bytes.len() {
        events.push(&bytes[start..]);
    }
    events
}

/// Whether a line ends an event.
fn is_blank(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

/// A line in two: what it says, and its end.
pub(super) fn split_end(line: &[u8]) -> (&[u8], &[u8]) {
    let says = line.strip_suffix(b"\n").unwrap_or(line);
    let says = if says.len() < line.len() { says.strip_suffix(b"\r").unwrap_or(says) } else { says };
    line.split_at(says.len())
}

/// At most `most` bytes, cut behind the last line that fits where there is one.
pub(super) fn shorten(mut bytes: Vec<u8>, most: usize) -> Vec<u8> {
    if bytes.len() > most {
        let end = memchr::memrchr(b'\n', &bytes[..most]).map_or(most, |end| end + 1);
        bytes.truncate(end);
    }
    bytes
}
