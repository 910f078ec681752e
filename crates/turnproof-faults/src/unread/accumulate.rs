//! Unread faults in *accumulate*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
