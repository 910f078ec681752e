//! Unread faults in derived *ids* and short ones.

use turnproof::message::id::{derive_uuid, short_id};

use super::{Unread, unread};
use crate::wrong::Wrong;

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "derive_uuid/unread-capital-digits",
        "2.3.1: append index in lower-case hexadecimal",
        "writes the digits of the index in upper case",
        Wrong::DerivedId(|parent, index| {
            let right = derive(parent, index)?;
            let beginning = right.len() - 12;
            Ok(format!("{}{}", &right[..beginning], right[beginning..].to_uppercase()))
        }),
    ),
    unread(
        "derive_uuid/unread-short-parents-are-filled",
        "2.3.1: take the first 24 characters of the parent's uuid, or all of them if it has fewer",
        "fills a short parent with zeros, so that each id has 36 characters",
        Wrong::DerivedId(|parent, index| derive(&format!("{parent:0<24}"), index)),
    ),
    unread(
        "derive_uuid/unread-large-indexes-are-cut",
        "2.3.1: an index of 16^12 or more is refused, not cut",
        "cuts an index that does not fit",
        Wrong::DerivedId(|parent, index| derive(parent, index & 0xFFFF_FFFF_FFFF)),
    ),
    unread(
        "derive_uuid/unread-indexes-of-32-bits",
        "2.3.1: two indexes of one parent never give the same id",
        "counts blocks with 32 bits",
        Wrong::DerivedId(|parent, index| derive(parent, index).and_then(|_| derive(parent, index & 0xFFFF_FFFF))),
    ),
    unread(
        "derive_uuid/unread-up-to-the-last-dash",
        "2.3.1: take the first 24 characters of the parent's uuid",
        "takes the place of what stands behind the last dash of the parent",
        Wrong::DerivedId(|parent, index| match parent.rsplit_once('-') {
            Some((beginning, _)) => derive("", index).map(|digits| format!("{beginning}-{digits}")),
            None => derive(parent, index),
        }),
    ),
    unread(
        "derive_uuid/unread-parents-in-lower-case",
        "2.3.1: take the first 24 characters of the parent's uuid",
        "writes the parent in lower case",
        Wrong::DerivedId(|parent, index| derive(&parent.to_lowercase(), index)),
    ),
    unread(
        "short_id/unread-the-end",
        "2.3.2: keep the first 6 characters",
        "keeps the last 6 characters",
        Wrong::ShortId(|uuid| {
            let all = base_36(digits(uuid)?);
            Ok(all[all.len().saturating_sub(6)..].to_owned())
        }),
    ),
    unread(
        "short_id/unread-cut-before-the-dashes",
        "2.3.2: drop the dashes of the uuid, then take the first 10 hexadecimal digits",
        "takes the first 10 characters, and then drops the dashes",
        Wrong::ShortId(|uuid| {
            digits(uuid)?;
            let cut: String = uuid.chars().take(10).filter(|&letter| letter != '-').collect();
            let number = u64::from_str_radix(&cut, 16).map_err(|error| error.to_string())?;
            Ok(base_36(number).chars().take(6).collect())
        }),
    ),
    unread(
        "short_id/unread-numbers-of-32-bits",
        "2.3.2: write this number in base 36",
        "reads the digits into a number of 32 bits",
        Wrong::ShortId(|uuid| Ok(base_36(digits(uuid)? & 0xFFFF_FFFF).chars().take(6).collect())),
    ),
    unread(
        "short_id/unread-fewer-digits-will-do",
        "2.3.2: an input that does not begin with 10 hexadecimal digits, dashes aside, is refused",
        "takes the digits that are there when an id has fewer than ten",
        Wrong::ShortId(|uuid| {
            let all: String = uuid.chars().filter(|&letter| letter != '-').take(10).collect();
            match u64::from_str_radix(&all, 16) {
                Ok(number) if all.len() < 10 => Ok(base_36(number).chars().take(6).collect()),
                _ => short_id(uuid).map_err(|error| error.to_string()),
            }
        }),
    ),
];

fn derive(parent: &str, index: u64) -> Result<String, String> {
    derive_uuid(parent, index).map_err(|error| error.to_string())
}

/// The number that the first ten digits of a uuid are; an error where the reference refuses it.
fn digits(uuid: &str) -> Result<u64, String> {
    short_id(uuid).map_err(|error| error.to_string())?;
    let all: String = uuid.chars().filter(|&letter| letter != '-').take(10).collect();
    u64::from_str_radix(&all, 16).map_err(|error| error.to_string())
}

fn base_36(mut number: u64) -> String {
    let mut all = String::new();
    loop {
        all.insert(0, char::from_digit((number % 36) as u32, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return all;
        }
    }
}
