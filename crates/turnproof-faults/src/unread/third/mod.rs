//! A third set of unread faults, a file for each operation, or several. It was written when the rules convicted all of
//! the first two sets.

mod accumulate;
mod check_request;
mod fold;
mod ids;
mod make;
mod normalize_api;
mod normalize_ui;
mod parse;
mod play;
mod record;
mod reorder_ui;
mod request_attached;
mod request_blocks;
mod request_calls;
mod resume;
mod usage;
mod yielded;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] = &[
    parse::UNREAD,
    normalize_api::UNREAD,
    request_attached::UNREAD,
    request_calls::UNREAD,
    request_blocks::UNREAD,
    normalize_ui::UNREAD,
    reorder_ui::UNREAD,
    fold::UNREAD,
    ids::UNREAD,
    record::UNREAD,
    resume::UNREAD,
    accumulate::UNREAD,
    play::UNREAD,
    yielded::UNREAD,
    check_request::UNREAD,
    make::UNREAD,
    usage::UNREAD,
];
