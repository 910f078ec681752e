//! A third set of unread faults, a file for each operation, or several. It was written when the rules convicted all of
//! the first two sets.

mod check_request;
mod fold;
mod ids;
mod make;
mod normalize_api;
mod normalize_ui;
mod parse;
mod reorder_ui;
mod request_attached;
mod request_blocks;
mod request_calls;
mod usage;

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
    check_request::UNREAD,
    make::UNREAD,
    usage::UNREAD,
];
