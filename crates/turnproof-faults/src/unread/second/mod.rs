//! A second set of unread faults, a file for each operation, or several. It was written when the rules convicted all of
//! the first set.

mod accumulate;
mod check_request;
mod fold;
mod ids;
mod kept;
mod make;
mod normalize_api;
mod normalize_ui;
mod parse;
mod play;
mod record;
mod reorder_ui;
mod request_calls;
mod request_grows;
mod request_told;
mod resume;
mod usage;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] = &[
    parse::UNREAD,
    normalize_api::UNREAD,
    request_calls::UNREAD,
    request_told::UNREAD,
    request_grows::UNREAD,
    normalize_ui::UNREAD,
    reorder_ui::UNREAD,
    fold::UNREAD,
    ids::UNREAD,
    record::UNREAD,
    resume::UNREAD,
    accumulate::UNREAD,
    play::UNREAD,
    kept::UNREAD,
    check_request::UNREAD,
    make::UNREAD,
    usage::UNREAD,
];
