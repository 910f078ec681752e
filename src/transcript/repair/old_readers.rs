//! *Old readers* only follow parents, from the last record up: for them each message names the one before it.

use super::file::File;
use super::quoted;
use super::stored::conversation;
use crate::transcript::Link;

pub(super) fn mend(file: &mut File) {
    link(file);
    file.terminate();
}

/// Lets each message of the conversation name the one before it.
pub(super) fn link(file: &mut File) {
    let transcript = file.transcript();
    let mut before: Option<usize> = None;
    for row in conversation(&transcript) {
        let record = transcript.record(row);
        let uuid = before.and_then(|before| transcript.record(before).uuid());
        if let Some(uuid) =
            uuid.filter(|uuid| !record.is_compact_boundary() && record.parent() != Link::To(uuid.clone()))
        {
            let what = "its parent is the message before it now".to_owned();
            file.set(row, "parentUuid", quoted(&uuid).as_bytes(), "resume/complete", what);
        }
        before = Some(row);
    }
}
