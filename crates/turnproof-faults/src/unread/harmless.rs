//! *Harmless* variants.

use super::Unread;

pub(super) const HARMLESS: &[Unread] = &[];
