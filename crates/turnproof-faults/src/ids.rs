//! Faults in *ids*: those of blocks, derived from the id of a message, and short ones.

use turnproof_reference::message::id::{derive_uuid, short_id};

use super::stable::tick;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("derive_uuid/index-plus-one", "id/derived-form")
        .that("counts the blocks from 1")
        .by(Wrong::DerivedId(|parent, index| derive(parent, index.wrapping_add(1)))),
    fault("derive_uuid/decimal-index", "id/derived-form")
        .that("writes the index in decimal digits")
        .by(Wrong::DerivedId(|parent, index| in_digits(parent, index, &format!("{index:012}")))),
    fault("derive_uuid/upper-case", "id/derived-form")
        .that("writes the index in upper-case hexadecimal digits")
        .by(Wrong::DerivedId(|parent, index| in_digits(parent, index, &format!("{index:012X}")))),
    fault("derive_uuid/cuts-bytes", "id/derived-form")
        .that("takes the first 24 bytes of the parent instead of its characters")
        .by(Wrong::DerivedId(|parent, index| {
            derive(parent, index)?;
            Ok(format!("{}{index:012x}", String::from_utf8_lossy(&parent.as_bytes()[..parent.len().min(24)])))
        })),
    fault("derive_uuid/wraps-the-index", "id/derived-form")
        .that("keeps the low 48 bits of an index that is too large")
        .by(Wrong::DerivedId(|parent, index| derive(parent, index & ((1 << 48) - 1)))),
    fault("derive_uuid/fresh", "id/derived-deterministic")
        .that("makes a fresh id at each call, so that a redrawn screen loses its place")
        .by(Wrong::DerivedId(|parent, index| derive(parent, index).and_then(|_| derive(parent, tick())))),
    fault("derive_uuid/ignores-the-index", "id/derived-injective")
        .that("gives all blocks of a message the id of the first")
        .by(Wrong::DerivedId(|parent, index| derive(parent, index).and_then(|_| derive(parent, 0)))),
    fault("short_id/upper-case", "id/short-form")
        .that("writes base 36 in upper case")
        .by(Wrong::ShortId(|uuid| Ok(short(uuid)?.to_uppercase()))),
    fault("short_id/counts-dashes", "id/short-form").that("takes the first ten characters, dashes among them").by(
        Wrong::ShortId(|uuid| {
            let digits: String = uuid.chars().take(10).filter(|&character| character != '-').collect();
            short(&format!("{digits:0<10}"))
        }),
    ),
    fault("short_id/keeps-all-characters", "id/short-form").that("does not cut the number to six characters").by(
        Wrong::ShortId(|uuid| {
            let six = short(uuid)?;
            Ok(if six.len() == 6 { format!("{six}0") } else { six })
        }),
    ),
    fault("short_id/never-refuses", "id/short-form")
        .that("makes a short id of text that is no uuid")
        .by(Wrong::ShortId(|uuid| Ok(short(uuid).unwrap_or_else(|_| "0".into())))),
];

fn derive(parent: &str, index: u64) -> Result<String, String> {
    derive_uuid(parent, index).map_err(|error| error.to_string())
}

/// A derived id with its index in other digits.
fn in_digits(parent: &str, index: u64, digits: &str) -> Result<String, String> {
    derive(parent, index)?;
    Ok(parent.chars().take(24).chain(digits.chars()).collect())
}

fn short(uuid: &str) -> Result<String, String> {
    short_id(uuid).map_err(|error| error.to_string())
}
