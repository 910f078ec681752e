//! Unread faults in *ids*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
