//! Unread faults in *play*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
