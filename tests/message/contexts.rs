//! Contexts and ids.

use super::*;

/// Whether an id has the form of a version 4 UUID in lower case.
fn is_uuid_v4(id: &str) -> bool {
    let bytes = id.as_bytes();
    let dashes = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let form = bytes.iter().enumerate().all(|(at, &byte)| if dashes(at) { byte == b'-' } else { digit(byte) });
    bytes.len() == 36 && form && bytes[14] == b'4' && matches!(bytes[19], b'8' | b'9' | b'a' | b'b')
}

#[test]
fn a_fixed_context_gives_the_same_answers_for_the_same_seed() {
    let answers = |seed: u64| {
        let mut context = FixedContext::new(seed);
        (0..50).map(|_| (context.uuid(), context.now())).collect::<Vec<_>>()
    };
    assert_eq!(answers(7), answers(7));
    assert!(answers(7).iter().zip(answers(8)).all(|(one, other)| one.0 != other.0 && one.1 == other.1));
    assert!(answers(7).iter().all(|(id, _)| is_uuid_v4(id)));
    assert!(answers(7).windows(2).all(|pair| pair[0].1 < pair[1].1));
}

#[test]
fn ids_of_a_fixed_context_differ_in_the_part_that_derived_ids_keep() {
    let mut context = FixedContext::new(0);
    let kept: HashSet<String> = (0..10_000).map(|_| context.uuid()[..24].to_owned()).collect();
    assert_eq!(kept.len(), 10_000);
}

#[test]
fn the_context_of_the_system_gives_the_time_in_milliseconds_and_fresh_ids() {
    let mut context = SystemContext;
    let now = context.now();
    assert_eq!((now.len(), &now[10..11], &now[19..20], &now[23..]), (24, "T", ".", "Z"));
    let (one, other) = (context.uuid(), context.uuid());
    assert!(is_uuid_v4(&one) && is_uuid_v4(&other) && one != other);
    let dynamic: &mut dyn Context = &mut context;
    assert!(Factory::new(dynamic).user("hi").envelope.uuid.is_present());
}

#[test]
fn a_derived_id_keeps_24_characters_and_counts_in_hex() {
    let parent = "01234567-89ab-4cde-8f01-23456789abcd";
    assert_eq!(derive_uuid(parent, 10).as_deref(), Ok("01234567-89ab-4cde-8f01-00000000000a"));
    assert_eq!(derive_uuid(parent, (1 << 48) - 1).as_deref(), Ok("01234567-89ab-4cde-8f01-ffffffffffff"));
    assert_eq!(derive_uuid(parent, 1 << 48), Err(DeriveError { index: 1 << 48 }));
    assert_eq!(derive_uuid(parent, u64::MAX), Err(DeriveError { index: u64::MAX }));
    assert_eq!(derive_uuid("", 1).as_deref(), Ok("000000000001"));
    assert_eq!(derive_uuid(&"é😀".repeat(20), 1).unwrap(), "é😀".repeat(12) + "000000000001");
}

#[test]
fn a_short_id_is_six_characters_in_base_36() {
    assert_eq!(short_id("ffffffff-ffff-4fff-8fff-ffffffffffff").as_deref(), Ok("e13wu1"));
    assert_eq!(short_id("FFFFFFFFFF").as_deref(), Ok("e13wu1"));
    assert_eq!(short_id("00000000-2400-4000-8000-000000000000").as_deref(), Ok("10"));
    assert_eq!(short_id("0123456789 and more"), short_id("01-2345-67-89"));
    for bad in ["", "u1", "123456789", "12345678-9g00", "\u{663}123456789"] {
        assert_eq!(short_id(bad), Err(ShortIdError { uuid: bad.to_owned() }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn derived_ids_of_one_parent_are_as_different_as_their_indexes(
        parent in prop::collection::vec(any::<char>(), 0..40),
        one in 0..1_u64 << 48,
        other in prop_oneof![0..300_u64, 0..1_u64 << 48],
    ) {
        let parent: String = parent.into_iter().collect();
        let derived = |index| derive_uuid(&parent, index).unwrap();
        prop_assert_eq!(derived(one) == derived(other), one == other);
        prop_assert_eq!(derived(one), derived(one));
        let kept: String = parent.chars().take(24).collect();
        prop_assert_eq!(derived(one), format!("{kept}{one:012x}"));
    }

    #[test]
    fn a_short_id_agrees_with_arithmetic(number in 0..1_u64 << 40) {
        let short = short_id(&format!("{number:010x}")).unwrap();
        let mut whole = number;
        while whole >= 36_u64.pow(6) {
            whole /= 36;
        }
        prop_assert_eq!(u64::from_str_radix(&short, 36).unwrap(), whole);
        prop_assert!(short.len() <= 6 && (short == "0" || !short.starts_with('0')));
    }
}
