//! Questions in lists, asked *in text*: what a subject does that takes text alone.

use super::{Outcome, Subject};
use crate::operation::{Folding, List, RequestOptions, RequestText, StreamItem, StreamText};

pub(super) fn normalize_api<S: Subject + ?Sized>(
    subject: &S,
    messages: &List,
    options: &RequestOptions,
) -> Outcome<RequestText<List>> {
    subject.normalize_api(messages.text(), options).map(|request| request.map(List::from))
}

pub(super) fn normalize_api_incremental<S: Subject + ?Sized>(
    subject: &S,
    messages: &List,
    options: &RequestOptions,
) -> Outcome<Vec<List>> {
    let lists = |states: Vec<String>| states.into_iter().map(List::from).collect();
    subject.normalize_api_incremental(messages.text(), options).map(lists)
}

pub(super) fn normalize_ui<S: Subject + ?Sized>(subject: &S, messages: &List) -> Outcome<List> {
    subject.normalize_ui(messages.text()).map(List::from)
}

pub(super) fn reorder_ui<S: Subject + ?Sized>(subject: &S, messages: &List) -> Outcome<List> {
    subject.reorder_ui(messages.text()).map(List::from)
}

pub(super) fn fold<S: Subject + ?Sized>(subject: &S, messages: &List, folding: Folding) -> Outcome<List> {
    subject.fold(messages.text(), folding).map(List::from)
}

pub(super) fn unfold<S: Subject + ?Sized>(subject: &S, messages: &List) -> Outcome<List> {
    subject.unfold(messages.text()).map(List::from)
}

pub(super) fn bridge<S: Subject + ?Sized>(subject: &S, messages: &List) -> Outcome<List> {
    subject.bridge(messages.text()).map(List::from)
}

pub(super) fn accumulate<S: Subject + ?Sized>(subject: &S, items: &[StreamItem]) -> Outcome<StreamText<List>> {
    subject.accumulate(items).map(|streamed| streamed.map(List::from))
}
