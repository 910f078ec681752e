//! Unread faults in *parse*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
