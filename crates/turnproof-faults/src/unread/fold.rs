//! Unread faults in *fold*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
