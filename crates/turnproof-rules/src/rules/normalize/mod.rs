//! Rules on *normalization*: how a request must relate to the messages that it was made of.
//!
//! Most compare what the messages hold that must be sent ([`expected`]) with what the request holds ([`account`]).

mod account;
mod answers;
mod attachment;
mod block;
mod conserves;
mod expected;
mod meaning;
mod media;
mod pair;
mod rename;
mod stability;
mod standing;
mod telling;
mod thinking;
mod twin;

use std::cell::OnceCell;

pub use self::stability::prefix_steps;
use super::{ApiEvidence, RuleEntry};
use crate::operation::Request;

/// The rules of the family `normalize`, and `thinking/unmodified`.
pub(super) const RULES: &[RuleEntry] = &[
    rule!("normalize/total", Error, NormalizeApi(answers::total)),
    rule!("normalize/conserves", Error, NormalizeApi(conserves::conserves)),
    rule!("normalize/no-invention", Error, NormalizeApi(conserves::no_invention)),
    rule!("normalize/keeps-order", Error, NormalizeApi(conserves::keeps_order)),
    rule!("normalize/idempotent", Error, NormalizeApi(answers::idempotent)),
    rule!("normalize/deterministic", Error, NormalizeApi(answers::deterministic)),
    rule!("normalize/pure", Error, NormalizeApi(answers::pure)),
    rule!("normalize/prefix-stable", Error, NormalizeApi(stability::prefix_stable)),
    rule!("normalize/incremental", Error, NormalizeApi(stability::incremental)),
    rule!("normalize/context", Error, NormalizeApi(conserves::context)),
    rule!("normalize/wraps-attachments", Error, NormalizeApi(conserves::wraps_attachments)),
    rule!("thinking/unmodified", Error, NormalizeApi(thinking::unmodified)),
];

/// What the rules on requests and messages work out of a case.
#[derive(Debug, Default)]
pub struct WorkedOut<'a> {
    request: OnceCell<Option<Request>>,
    account: OnceCell<Option<account::Account<'a>>>,
}

impl<'a> ApiEvidence<'a> {
    /// The request as rules on requests look at it; `None` when the output is no request, which `normalize/total`
    /// reports.
    pub fn as_request(&self) -> Option<&Request> {
        let read = || Request::from_plain(self.request.as_ref().ok()?.clone(), 0).ok();
        self.worked_out.request.get_or_init(read).as_ref()
    }

    /// What was sent, compared with what the messages ask for.
    fn account(&self) -> Option<&account::Account<'a>> {
        self.worked_out.account.get_or_init(|| account::Account::of(self.given())).as_ref()
    }
}

/// Why a rule does not apply when there is no request.
const NO_REQUEST: &str = "the messages or the request cannot be read";
