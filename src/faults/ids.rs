//! Faults in the ids that are made from ids.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::message::id::{derive_uuid, short_id};

use super::{Fault, Wrong};

/// The faults of `derive_uuid` and `short_id`.
pub(super) const FAULTS: &[Fault] = &[
    Fault {
        id: "derive_uuid/index-plus-one",
        title: "counts the blocks from 1",
        source: None,
        rule: "id/derived-form",
        wrong: Wrong::DeriveUuid(|parent, index| derive(parent, index.wrapping_add(1))),
    },
    Fault {
        id: "derive_uuid/decimal-index",
        title: "writes the index in decimal",
        source: None,
        rule: "id/derived-form",
        wrong: Wrong::DeriveUuid(|parent, index| {
            derive(parent, index)?;
            Ok(format!("{}{index:012}", parent.chars().take(24).collect::<String>()))
        }),
    },
    Fault {
        id: "derive_uuid/upper-case",
        title: "writes the index in upper-case hexadecimal",
        source: None,
        rule: "id/derived-form",
        wrong: Wrong::DeriveUuid(|parent, index| {
            derive(parent, index)?;
            Ok(format!("{}{index:012X}", parent.chars().take(24).collect::<String>()))
        }),
    },
    Fault {
        id: "derive_uuid/cuts-bytes",
        title: "takes the first 24 bytes of the parent instead of its characters",
        source: None,
        rule: "id/derived-form",
        wrong: Wrong::DeriveUuid(|parent, index| {
            derive(parent, index)?;
            Ok(format!("{}{index:012x}", String::from_utf8_lossy(&parent.as_bytes()[..parent.len().min(24)])))
        }),
    },
    Fault {
        id: "derive_uuid/wraps-the-index",
        title: "keeps the low 48 bits of an index that is too large",
        source: None,
        rule: "id/derived-form",
        wrong: Wrong::DeriveUuid(|parent, index| derive(parent, index & ((1 << 48) - 1))),
    },
    Fault {
        id: "derive_uuid/fresh",
        title: "makes a fresh id at each call, so that a redrawn screen loses its place",
        source: None,
        rule: "id/derived-deterministic",
        wrong: Wrong::DeriveUuid(|parent, index| {
            static CALLS: AtomicU64 = AtomicU64::new(0);
            derive(parent, index)?;
            derive(parent, CALLS.fetch_add(1, Ordering::Relaxed))
        }),
    },
    Fault {
        id: "derive_uuid/ignores-the-index",
        title: "gives all blocks of a message the id of the first",
        source: None,
        rule: "id/derived-injective",
        wrong: Wrong::DeriveUuid(|parent, index| {
            derive(parent, index)?;
            derive(parent, 0)
        }),
    },
    Fault {
        id: "short_id/upper-case",
        title: "writes base 36 in upper case",
        source: None,
        rule: "id/short-form",
        wrong: Wrong::ShortId(|uuid| Ok(short(uuid)?.to_uppercase())),
    },
    Fault {
        id: "short_id/counts-dashes",
        title: "takes the first ten characters, dashes among them",
        source: None,
        rule: "id/short-form",
        wrong: Wrong::ShortId(|uuid| {
            let digits: String = uuid.chars().take(10).filter(|&character| character != '-').collect();
            short(&format!("{digits:0<10}"))
        }),
    },
    Fault {
        id: "short_id/keeps-all-characters",
        title: "does not cut the number to six characters",
        source: None,
        rule: "id/short-form",
        wrong: Wrong::ShortId(|uuid| {
            let six = short(uuid)?;
            Ok(if six.len() == 6 { format!("{six}0") } else { six })
        }),
    },
    Fault {
        id: "short_id/never-refuses",
        title: "makes a short id of text that is no uuid",
        source: None,
        rule: "id/short-form",
        wrong: Wrong::ShortId(|uuid| Ok(short(uuid).unwrap_or_else(|_| "0".into()))),
    },
];

fn derive(parent: &str, index: u64) -> Result<String, String> {
    derive_uuid(parent, index).map_err(|error| error.to_string())
}

fn short(uuid: &str) -> Result<String, String> {
    short_id(uuid).map_err(|error| error.to_string())
}
