//! Unread faults in *shown*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
