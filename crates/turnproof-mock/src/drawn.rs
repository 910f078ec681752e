//! What is *drawn*: bytes of a property test choose what the model says, reply after reply.
//!
//! Fewer bytes, and smaller ones, are plainer replies. So whoever shrinks the bytes shrinks what was said.

use arbitrary::Unstructured;

use crate::asked::Asked;
use crate::ids::Ids;
use crate::reply::Reply;
use crate::seeded;

/// The bytes that choose replies, and how many of them have done so.
#[derive(Debug)]
pub(crate) struct Drawn {
    bytes: Vec<u8>,
    read: usize,
}

impl Drawn {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, read: 0 }
    }

    /// The reply that the next bytes choose; `None` when there are no more.
    pub(crate) fn reply(&mut self, asked: &Asked<'_>, ids: Ids) -> Option<Reply> {
        let left = self.bytes.get(self.read..).filter(|left| !left.is_empty())?;
        let mut source = Unstructured::new(left);
        let reply = seeded::reply(&mut source, asked, ids);
        self.read = self.bytes.len() - source.len();
        Some(reply)
    }
}
