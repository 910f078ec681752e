//! More unread faults, in a file for each operation.

mod accumulate;
mod kept;
mod parse;
mod play;
mod record;
mod resume;
mod usage;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] =
    &[parse::UNREAD, record::UNREAD, resume::UNREAD, accumulate::UNREAD, play::UNREAD, kept::UNREAD, usage::UNREAD];
