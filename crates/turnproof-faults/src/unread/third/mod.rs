//! A third set of unread faults, a file for each operation, or several. It was written when the rules convicted all of
//! the first two sets.

mod accumulate;
mod play;
mod record;
mod resume;
mod yielded;

use super::{Unread, unread};

pub(super) const FAMILIES: &[&[Unread]] =
    &[record::UNREAD, resume::UNREAD, accumulate::UNREAD, play::UNREAD, yielded::UNREAD];
