//! Unread faults in *derived* and *short* ids.

use turnproof::message::id::{derive_uuid, short_id};

use super::super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "derive_uuid/unread-third-index-cut",
        "2.3.1: an index of 16^12 or more does not fit: it is refused, not cut",
        "keeps the last twelve digits of an index",
        Wrong::DerivedId(|parent, index| derive_uuid(parent, index % (1 << 48)).map_err(|error| error.to_string())),
    ),
    unread(
        "derive_uuid/unread-third-short-parents-padded",
        "2.3.1: take the first 24 characters of the parent's uuid, or all of them if it has fewer",
        "fills a short parent up with zeros to 24 characters",
        Wrong::DerivedId(|parent, index| {
            derive_uuid(&format!("{parent:0<24}"), index).map_err(|error| error.to_string())
        }),
    ),
    unread(
        "short_id/unread-third-dashes-counted",
        "2.3.2: drop the dashes of the uuid, then take the first 10 hexadecimal digits",
        "takes ten characters, and then drops the dashes",
        Wrong::ShortId(|uuid| {
            let digits: String = uuid.chars().take(10).filter(|&letter| letter != '-').collect();
            let right = short_id(uuid).map_err(|error| error.to_string())?;
            u64::from_str_radix(&digits, 16).map_or(Ok(right), |number| Ok(in_base_36(number)))
        }),
    ),
    unread(
        "short_id/unread-third-padded",
        "2.3.2: write this number in base 36 without padding",
        "fills a short id up with zeros to six characters",
        Wrong::ShortId(|uuid| short_id(uuid).map(|id| format!("{id:0>6}")).map_err(|error| error.to_string())),
    ),
];

/// The first six digits of a number in base 36.
fn in_base_36(mut number: u64) -> String {
    let mut digits = Vec::new();
    while number > 0 || digits.is_empty() {
        digits.extend(char::from_digit((number % 36) as u32, 36));
        number /= 36;
    }
    digits.into_iter().rev().take(6).collect()
}
