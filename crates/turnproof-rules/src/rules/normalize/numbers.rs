//! *Numbers* stand for blocks where many are looked for among many: equal blocks have the same one.

use std::collections::HashMap;

use serde_json::Value;

use super::block::{kind, string};
use crate::rules::alike::identical;

/// The blocks that have been met, by their type and something else that equal ones have in common.
#[derive(Debug, Default)]
pub(super) struct Numbers<'a> {
    met: HashMap<(&'a str, &'a str), Vec<(usize, &'a Value)>>,
    /// How many different blocks have been met.
    pub(super) count: usize,
}

impl<'a> Numbers<'a> {
    /// The number of a block.
    pub(super) fn of(&mut self, block: &'a Value) -> usize {
        let says = ["text", "id", "tool_use_id", "signature", "data"];
        let what = says.iter().find_map(|name| string(block, name)).unwrap_or_default();
        let met = self.met.entry((kind(block), what)).or_default();
        if let Some((number, _)) = met.iter().find(|(_, other)| identical(other, block)) {
            return *number;
        }
        let next = self.count;
        met.push((next, block));
        self.count += 1;
        next
    }
}
