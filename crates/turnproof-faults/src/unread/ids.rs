//! Unread faults in derived *ids* and short ones.

use turnproof::message::id::{derive_uuid, short_id};

use super::super::wrong::Wrong;
use super::{Unread, unread};

pub(super) const UNREAD: &[Unread] = &[
    unread(
        "derive_uuid/unread-counts-utf16",
        "2.3.1: characters are counted, not bytes",
        "counts the units of UTF-16, as JavaScript does",
        Wrong::DerivedId(|parent, index| {
            let mut units = 0;
            let fits = |letter: &char| {
                units += letter.len_utf16();
                units <= 24
            };
            let beginning: String = parent.chars().take_while(fits).collect();
            derive_uuid(&beginning, index).map_err(|error| error.to_string())
        }),
    ),
    unread(
        "short_id/unread-upper-case-is-refused",
        "2.3.2: digits in upper case count as lower case",
        "refuses digits in upper case",
        Wrong::ShortId(|uuid| {
            let digits = uuid.chars().filter(|&letter| letter != '-').take(10);
            match digits.clone().find(|letter| matches!(letter, 'A'..='F')) {
                Some(_) => Err("no uuid".to_owned()),
                None => short_id(uuid).map_err(|error| error.to_string()),
            }
        }),
    ),
    unread(
        "short_id/unread-padded",
        "2.3.2: without padding; a small number has fewer",
        "pads a short id with zeros to six characters",
        Wrong::ShortId(|uuid| short_id(uuid).map(|id| format!("{id:0>6}")).map_err(|error| error.to_string())),
    ),
];
