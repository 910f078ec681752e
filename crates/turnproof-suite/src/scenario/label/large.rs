//! Labels of what is *large*: one dimension of a line, and how large it is.

use crate::scenario::large::{ACROSS, EDGES};
use crate::scenario::{Large, LinePlan};

use super::{ANY, Labels, OFTEN, SELDOM, SHUFFLED, labels, put};

use Large::{Blocks, Messages, Offset, Result, Text};

labels! { LARGES, fn large(large: Large) match large => {
    ANY SELDOM
    "large/text" "a text of more than 10,000 characters": Text(10_001..),
    "large/result" "a tool result of more than 10,000 characters": Result(10_001..),
    "large/record-of-16-kib" "a record of more than 16 KiB": Text(16_385..) | Result(16_385..),
    "large/record-of-64-kib" "a record of more than 64 KiB": Text(65_537..) | Result(65_537..),
    "large/mebibyte" "a record of more than 1 MiB, or one across byte 1,048,576":
        Text(1_048_577..) | Result(1_048_577..) | Offset(1_000_000..),
    "large/seventeen-blocks" "a message of 17 blocks or more": Blocks(17..),
    "large/blocks-of-three-digits" "a message of 257 blocks or more": Blocks(257..),
    "large/across-8-kib" "a record across byte 8,192": Offset(_) if goes_across(large, EDGES[0]),
    "large/across-16-kib" "a record across byte 16,384": Offset(_) if goes_across(large, EDGES[1]),
    "large/across-64-kib" "a record across byte 65,536": Offset(_) if goes_across(large, EDGES[2]),
    "large/hundred-messages" "more than 100 messages": Messages(101..),
    "large/thousand-messages" "1,000 messages or more": Messages(1_000..),
} }

labels! { LARGE_FILES {
    ANY SELDOM
    "large/tail" "a line more than 16,000 bytes behind the first",
    SHUFFLED OFTEN
    "large/any" "one dimension that is large",
} }

/// Whether a line begins so short of an edge that its record goes across it.
fn goes_across(large: Large, edge: u32) -> bool {
    matches!(large, Offset(start) if start < edge && edge - start <= ACROSS)
}

impl Labels {
    pub(super) fn sizes(&mut self, lines: &[LinePlan]) {
        for (place, line) in lines.iter().enumerate() {
            line.large.into_iter().for_each(|large| self.large(large));
            put!(self, "large/any", line.large.is_some());
            put!(self, "large/tail", place > 0 && matches!(line.large, Some(Offset(16_000..))));
        }
    }
}
