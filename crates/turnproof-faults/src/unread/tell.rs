//! Unread faults in *tell*.

use super::Unread;

pub(super) const UNREAD: &[Unread] = &[];
