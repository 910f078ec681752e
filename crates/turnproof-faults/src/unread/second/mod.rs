//! More unread faults, in a file for each operation.

mod parse;
mod record;
mod resume;
mod usage;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] = &[parse::UNREAD, record::UNREAD, resume::UNREAD, usage::UNREAD];
