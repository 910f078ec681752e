//! How it is *known* that a host refuses what breaks a rule on requests.

use crate::operation::Host;

/// How it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// An exchange was recorded: when, as `2026-01`, or `by 2026-08` where the recording has no date.
    Recorded(&'static str),
    /// The host's documentation says so, or a public report quotes its error.
    Documented,
    /// It follows from what other hosts do.
    Inferred,
}

/// The hosts of which something is known, from the keys `recorded` and `documented` of a page.
pub(super) fn known(recorded: Option<&'static str>, documented: Option<&'static str>) -> Option<Vec<(Host, Known)>> {
    let host = |name: &str| Host::ALL.into_iter().find(|host| host.name() == name && *host != Host::Portable);
    let each = |list: Option<&'static str>| list.into_iter().flat_map(|list| list.split(", "));
    let recorded = each(recorded).map(|item| {
        let (name, when) = item.split_once(' ')?;
        Some((host(name)?, Known::Recorded(when)))
    });
    let documented = each(documented).map(|name| Some((host(name)?, Known::Documented)));
    recorded.chain(documented).collect()
}
