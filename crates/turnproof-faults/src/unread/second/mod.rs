//! A second set of unread faults, a file for each operation, or several.

mod check_request;
mod fold;
mod ids;
mod make;
mod normalize_api;
mod normalize_ui;
mod reorder_ui;
mod request_calls;
mod request_grows;
mod request_told;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] = &[
    normalize_api::UNREAD,
    request_calls::UNREAD,
    request_told::UNREAD,
    request_grows::UNREAD,
    normalize_ui::UNREAD,
    reorder_ui::UNREAD,
    fold::UNREAD,
    ids::UNREAD,
    check_request::UNREAD,
    make::UNREAD,
];
