//! Unread faults in *resume*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
