//! More unread faults, in a file for each operation.

mod accumulate;
mod parse;
mod record;
mod resume;
mod usage;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] = &[parse::UNREAD, record::UNREAD, resume::UNREAD, accumulate::UNREAD, usage::UNREAD];
