//! *Requests in a row* are those of one conversation, each longer than the one before by a reply and an answer to it.
//!
//! Rules on them (`history/*`) look at two neighbours: what the earlier one said, and whether the later one still says it.
//! What both say is laid side by side once, in time that grows with their size, and all rules share it.

mod alignment;
mod piece;
mod prefix;

use std::collections::HashMap;

use super::request::{Request, RequestError};

pub(crate) use alignment::{Alignment, Gap};
pub(crate) use piece::{Piece, pieces, said};
pub(crate) use prefix::Prefix;

/// Two requests of a conversation, one behind the other.
pub struct RequestPair<'a> {
    /// The one that was sent first.
    pub earlier: &'a Request,
    /// The one that was sent next.
    pub later: &'a Request,
    /// What the earlier one says, piece by piece.
    pub(crate) before: Vec<Piece<'a>>,
    /// What the later one says.
    pub(crate) after: Vec<Piece<'a>>,
    pub(crate) alignment: Alignment,
    pub(crate) prefix: Prefix,
}

impl<'a> RequestPair<'a> {
    /// Lays two requests side by side.
    pub fn new(earlier: &'a Request, later: &'a Request) -> Self {
        let (before, after) = (pieces(earlier), pieces(later));
        let alignment = Alignment::of(&before, &after);
        let prefix = Prefix::of(earlier, later, &before, &after);
        Self { earlier, later, before, after, alignment, prefix }
    }

    /// How many bytes of tools, system prompt and messages are the same from the beginning, and how many the earlier one
    /// has.
    pub fn same_bytes(&self) -> (usize, usize) {
        self.prefix.bytes
    }

    /// The path of what first differs from the earlier one; `None` where the later one begins with all of it.
    pub fn differs_at(&self) -> Option<&str> {
        self.prefix.broken.as_deref()
    }

    /// Whether the later one begins with all that the earlier one has: its tools, its system prompt and its turns.
    pub fn is_continued(&self) -> bool {
        self.prefix.broken.is_none()
    }
}

/// The request that a request continues, of those before it: the newest that begins with the same words, or else the
/// one before. Clients ask other things in between, such as a title.
pub fn predecessors(requests: &[Request]) -> Vec<Option<usize>> {
    let mut newest = HashMap::new();
    let of = |(index, request): (usize, &Request)| {
        let known = newest.insert(piece::opening(request), index);
        known.or(index.checked_sub(1))
    };
    requests.iter().enumerate().map(of).collect()
}

/// Reads requests as JSON Lines: one a line, and blank lines between them. Fails at the first that is none.
pub fn read_requests(text: &str) -> Result<Vec<Request>, RequestError> {
    text.lines().filter(|line| !line.trim().is_empty()).map(Request::read).collect()
}
