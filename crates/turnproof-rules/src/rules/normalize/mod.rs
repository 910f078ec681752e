//! Rules on *normalization*: how a request must relate to the messages that it was made of.
//!
//! They keep an account, as a bookkeeper does: what the messages hold that must be sent
//! ([`expected`]), what the request holds ([`account`]), and what is on one side only.

mod account;
mod attachment;
mod block;
mod conserves;
mod context;
mod event;
mod expected;
mod invention;
mod item;
mod media;
mod numbers;
mod order;
mod pair;
mod rename;
mod repeat;
mod stability;
mod standing;
mod thinking;
mod total;

use std::cell::OnceCell;

use serde_json::Value;

use self::block::{kind, string};
pub use self::stability::prefix_steps;
use super::{ApiEvidence, Place, RuleEntry};
use crate::operation::Request;

/// The rules of the family `normalize`, and `thinking/unmodified`.
pub(super) const RULES: &[&RuleEntry] = &[
    &total::TOTAL,
    &conserves::CONSERVES,
    &invention::NO_INVENTION,
    &order::KEEPS_ORDER,
    &repeat::IDEMPOTENT,
    &repeat::DETERMINISTIC,
    &repeat::PURE,
    &stability::PREFIX_STABLE,
    &stability::INCREMENTAL,
    &context::CONTEXT,
    &thinking::UNMODIFIED,
];

/// What the rules on requests and messages work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    request: OnceCell<Option<Request>>,
    account: OnceCell<Option<account::Account<'a>>>,
}

impl<'a> ApiEvidence<'a> {
    /// The request as rules on requests look at it; none where the output is no request, which
    /// `normalize/total` tells.
    pub fn as_request(&self) -> Option<&Request> {
        let read = || Request::from_plain(self.request.as_ref().ok()?.clone(), 0).ok();
        self.worked_out.request.get_or_init(read).as_ref()
    }

    /// The account of what was sent.
    fn account(&self) -> Option<&account::Account<'a>> {
        self.worked_out.account.get_or_init(|| account::Account::of(self.given())).as_ref()
    }
}

/// Why a rule has nothing to say when there is no request.
const NO_REQUEST: &str = "the messages or the request cannot be read";

/// The place of a message or turn, and of a block in it.
fn place(index: usize, block: Option<usize>) -> Place {
    let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Place::Message { index: short(index), block: block.map(short) }
}

/// Where a request ends with the words of an assistant: turn and block.
fn last_words(turns: &[Value]) -> Option<(usize, usize)> {
    let turn = turns.last().filter(|turn| string(turn, "role") == Some("assistant"))?;
    let blocks = turn.get("content")?.as_array()?;
    blocks.last().filter(|block| kind(block) == "text")?;
    Some((turns.len() - 1, blocks.len() - 1))
}
