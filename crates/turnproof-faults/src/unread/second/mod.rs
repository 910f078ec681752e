//! More unread faults, in a file for each operation.

mod parse;
mod record;
mod usage;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] = &[parse::UNREAD, record::UNREAD, usage::UNREAD];
