//! Unread faults in *usage*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
