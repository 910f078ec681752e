//! More unread faults, in a file for each operation.

mod usage;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] = &[usage::UNREAD];
