//! Rules on *normalization*: how a request must relate to the messages that it was made of.
//!
//! Most compare what the messages hold that must be sent ([`expected`]) with what the request holds ([`account`]).

mod account;
mod answers;
mod attachment;
mod attachment_text;
mod block;
mod conserves;
mod expected;
mod meaning;
mod media;
mod pair;
mod rename;
mod sent_messages;
mod stability;
mod thinking;
mod twin;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use crate::json;
use crate::json::Value;

use account::Account;

use super::{ApiEvidence, RuleEntry};
use crate::operation::ApiNormalized;
use crate::rules::value::kind;

/// The rules of the family `normalize`, and `thinking/unmodified`.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("normalize/total", NormalizeApi(answers::total)),
    rule!("normalize/conserves", NormalizeApi(conserves::conserves)),
    rule!("normalize/no-invention", NormalizeApi(conserves::no_invention)),
    rule!("normalize/keeps-order", NormalizeApi(conserves::keeps_order)),
    rule!("normalize/idempotent", NormalizeApi(answers::idempotent)),
    rule!("normalize/deterministic", NormalizeApi(answers::deterministic)),
    rule!("normalize/pure", NormalizeApi(answers::pure)),
    rule!("normalize/prefix-stable", NormalizeApi(stability::prefix_stable)),
    rule!("normalize/incremental", NormalizeApi(stability::incremental)),
    rule!("normalize/context", NormalizeApi(conserves::context)),
    rule!("normalize/wraps-attachments", NormalizeApi(conserves::wraps_attachments)),
    rule!("thinking/unmodified", NormalizeApi(thinking::unmodified)),
];

/// What the rules on messages work out of a case.
#[derive(Debug, Default)]
pub(crate) struct WorkedOut<'a> {
    account: OnceCell<Option<Account<'a>>>,
}

impl<'a> ApiEvidence<'a> {
    /// What was sent, compared with what the messages ask for.
    fn account(&self) -> Option<&Account<'a>> {
        self.worked_out.of_messages.account.get_or_init(|| Account::of(self.given())).as_ref()
    }
}

/// A block in the form in which it is sent.
pub(super) fn as_sent(block: &Value) -> Value {
    block::as_sent(Cow::Borrowed(block)).into_owned()
}

/// The turns of a client that repairs nothing (SPEC 3.8): each message that is sent, its blocks as they are. What a
/// client may leave out is not there.
pub(super) fn turns_as_stored(events: &[Value]) -> Vec<Value> {
    let mut turns: Vec<(block::Role, Vec<Value>)> = Vec::new();
    for message in sent_messages::sent_messages(events, sent_messages::Sent::These(&HashSet::new())).messages {
        let blocks = message.blocks.into_iter().map(|source| source.value.into_owned());
        match turns.last_mut().filter(|(role, _)| *role == message.role) {
            Some((_, turn)) => turn.extend(blocks),
            None => turns.push((message.role, blocks.collect())),
        }
    }
    let name = |role| if role == block::Role::User { "user" } else { "assistant" };
    turns.into_iter().map(|(role, blocks)| json!({"role": name(role), "content": blocks})).collect()
}

/// A block that must be in a request and is not.
pub(super) struct Lost {
    /// Which message it is of, from 0.
    pub message: usize,
    /// Whether it is an image or a document.
    pub is_media: bool,
    /// The kind of the violation: `missing-text` and so on.
    pub kind: &'static str,
    pub in_words: String,
}

/// The blocks of messages that must be in the request and are not.
pub(super) fn lost(case: &ApiNormalized) -> Vec<Lost> {
    let Some(account) = Account::of(case) else { return Vec::new() };
    let items = account.expected.items.iter().zip(&account.is_found);
    let lost = items.filter(|(item, is_found)| item.fate == expected::Fate::Kept && !**is_found);
    let lost = lost.map(|(item, _)| Lost {
        message: item.message,
        is_media: matches!(kind(&item.value), "image" | "document"),
        kind: block::of_block!("missing", &item.value),
        in_words: block::in_words(&item.value),
    });
    lost.collect()
}

/// Why a rule does not apply when there is no request.
const NO_REQUEST: &str = "the messages or the request cannot be read";
