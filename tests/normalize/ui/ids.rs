//! Ids that are made from other ids, at the edges of their definitions.

use turnproof_reference::message::Maybe;
use turnproof_reference::message::id::{DeriveError, derive_uuid, short_id};
use turnproof_reference::normalize::ui::part_uuid;

#[test]
fn a_derived_id_keeps_twenty_four_characters_and_counts_in_twelve_digits() {
    assert_eq!(derive_uuid("0123456789abcdefghijklmnopq", 0).unwrap(), "0123456789abcdefghijklmn000000000000");
    assert_eq!(derive_uuid("0123456789abcdefghijklmn", 10).unwrap(), "0123456789abcdefghijklmn00000000000a");
    assert_eq!(derive_uuid("0123456789abcdefghijklm", 16).unwrap(), "0123456789abcdefghijklm000000000010");
    assert_eq!(derive_uuid("", 1).unwrap(), "000000000001");
    assert_eq!(derive_uuid(&"é".repeat(30), 1).unwrap(), format!("{}000000000001", "é".repeat(24)));
}

#[test]
fn an_index_of_thirteen_digits_is_refused() {
    assert_eq!(derive_uuid("u", (1 << 48) - 1).unwrap(), "uffffffffffff");
    assert_eq!(derive_uuid("u", 1 << 48), Err(DeriveError { index: 1 << 48 }));
    assert!(derive_uuid("u", u64::MAX).is_err());
}

#[test]
fn a_short_id_is_the_number_of_ten_hex_digits_in_base_36_cut_to_six() {
    let short = |uuid: &str| short_id(uuid).unwrap();
    assert_eq!(short("0000000000"), "0");
    assert_eq!(short("0000000023"), "z");
    assert_eq!(short("0000000024"), "10");
    assert_eq!(short("0000000124-ffff"), "84");
    assert_eq!(short("00-00-00-01-24ff"), "84");
    // 36^6 = 0x81bf1000 needs seven digits.
    assert_eq!(short("0081bf0fff"), "zzzzzz");
    assert_eq!(short("0081bf1000"), "100000");
    assert_eq!(short("ffffffffff"), "e13wu1");
    assert_eq!(short("FFFFFFFFFF"), "e13wu1");
}

#[test]
fn nine_hex_digits_are_too_few_for_a_short_id() {
    assert!(short_id("123456789").is_err());
    assert!(short_id("123456789g").is_err());
    assert!(short_id("").is_err());
    assert_eq!(short_id("x").unwrap_err().uuid, "x");
}

#[test]
fn a_part_beyond_the_last_index_has_no_id() {
    assert_eq!(part_uuid("u1".into(), (1 << 48) - 1), "u1ffffffffffff".into());
    assert_eq!(part_uuid("u1".into(), 1 << 48), Maybe::Absent);
    assert_eq!(part_uuid(Maybe::Null, 0), Maybe::Null);
}
