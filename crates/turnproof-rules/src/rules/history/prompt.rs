//! Notes on what is before the messages, and on how much of a request a host has cached.

use crate::operation::history::said;
use crate::operation::{Request, RequestPair};
use crate::rules::{Place, Report};

pub(super) fn prompt_changed(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    for name in ["model", "system", "tools"] {
        let of = |request: &Request| request.body.get(name).map(said);
        if of(pair.earlier) != of(pair.later) {
            let found = sentence!("`{name}` is not what it was", name);
            report.add(Place::Whole, name, found, "the same as before");
        }
    }
}

pub(super) fn cache(pair: &RequestPair<'_>, report: &mut Report<'_>) {
    let prefix = &pair.prefix;
    let Some(path) = &prefix.broken else { return };
    let ((same, turns), (bytes, all)) = (prefix.turns, prefix.bytes);
    let found = sentence!(
        "the same for {same} of {turns} turns, {bytes} of {all} bytes; {path} differs first",
        same,
        turns,
        bytes,
        all,
        path,
    );
    report.add(Place::Whole, "broken", found, "a request that begins as the one before");
}
