//! A *free* id for a call whose own is used, or is none that the API takes.

use std::collections::HashSet;

use turnproof_format::{ID_PREFIXES, SERVER_CALL, is_call_id, is_server_call_id};
use twox_hash::XxHash3_64;

/// The id that a call of the client gets; `None` when its own may stay.
pub(super) fn free(id: &str, used: &HashSet<String>) -> Option<String> {
    free_of("tool_use", id, used)
}

/// The id that a call in a block of this type gets; `None` when its own may stay.
pub(super) fn free_of(type_name: &str, id: &str, used: &HashSet<String>) -> Option<String> {
    let is_legal = if type_name == SERVER_CALL { is_server_call_id(id) } else { is_call_id(id) };
    if is_legal && !used.contains(id) {
        return None;
    }
    let prefix = ID_PREFIXES.iter().find(|(of, _)| *of == type_name).map_or("toolu_", |(_, prefix)| prefix);
    let first = format!("{prefix}{:016x}", XxHash3_64::oneshot(id.as_bytes()));
    (1..)
        .map(|number| if number == 1 { first.clone() } else { format!("{first}_{number}") })
        .find(|id| !used.contains(id))
}
