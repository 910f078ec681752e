//! Third.
use super::Unread;
pub(super) const UNREAD: &[Unread] = &[];
