//! Unread faults in *record*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
