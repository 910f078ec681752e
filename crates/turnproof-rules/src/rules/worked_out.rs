//! What the rules of an operation *work out* of its answers, once for all of them.

use std::cell::OnceCell;

use super::ApiEvidence;
use crate::operation::Request;

#[cfg(not(feature = "pipelines"))]
pub(crate) use nothing::*;

#[cfg(feature = "pipelines")]
pub(crate) use super::{
    engine::WorkedOut as PlayWorkedOut,
    fold::WorkedOut as FoldWorkedOut,
    make::WorkedOut as MakeWorkedOut,
    normalize::WorkedOut as MessagesWorkedOut,
    record::WorkedOut as RecordWorkedOut,
    repair::WorkedOut as RepairWorkedOut,
    resume::WorkedOut as ResumeWorkedOut,
    stream::WorkedOut as StreamWorkedOut,
    ui::{OrderWorkedOut, SplitWorkedOut as UiWorkedOut},
    usage::WorkedOut as UsageWorkedOut,
    wire::WorkedOut as ParseWorkedOut,
};

/// Without their rules nothing is worked out.
#[cfg(not(feature = "pipelines"))]
mod nothing {
    use std::marker::PhantomData;

    pub(crate) type FoldWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type MakeWorkedOut = ();
    pub(crate) type MessagesWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type OrderWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type ParseWorkedOut = ();
    pub(crate) type PlayWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type RecordWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type RepairWorkedOut = ();
    pub(crate) type ResumeWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type StreamWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type UiWorkedOut<'a> = PhantomData<&'a ()>;
    pub(crate) type UsageWorkedOut = ();
}

/// What the rules on requests and messages work out of a case.
#[derive(Debug, Default)]
pub struct ApiWorkedOut<'a> {
    request: OnceCell<Option<Request>>,
    pub(super) of_messages: MessagesWorkedOut<'a>,
}

impl ApiEvidence<'_> {
    /// The request as rules on requests look at it; `None` when the output is no request, which `normalize/total`
    /// reports.
    pub fn as_request(&self) -> Option<&Request> {
        let read = || Request::from_plain(self.request.as_ref().ok()?.clone(), 0).ok();
        self.worked_out.request.get_or_init(read).as_ref()
    }
}
