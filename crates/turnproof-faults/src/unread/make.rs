//! Unread faults in *make*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
