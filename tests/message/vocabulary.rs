//! The oracle's *vocabulary* repeats what the reference knows, and both tables are equal.

use turnproof::message::{Kind, SERVER_TOOL_RESULTS, SUBTYPES, constants};
use turnproof_rules::vocabulary::{self, Home};

#[test]
fn the_oracle_and_the_reference_know_the_same_kinds() {
    let reference = Kind::ALL.map(|kind| {
        let home = match (kind.is_persisted(), kind.is_live_only()) {
            (true, false) => Home::Transcript,
            (false, true) => Home::Memory,
            _ => Home::OldTranscripts,
        };
        assert_eq!(kind.is_chain_participant(), kind.is_persisted(), "{}", kind.name());
        (kind.name(), home)
    });
    assert_eq!(vocabulary::KINDS.map(|(_, name, home)| (name, home)), reference);
    for (kind, name, home) in vocabulary::KINDS {
        assert_eq!((vocabulary::Kind::of(name), kind.home()), (Some(kind), home));
    }
    assert_eq!(vocabulary::Kind::of("summary"), None);
}

#[test]
fn the_oracle_and_the_reference_know_the_same_subtypes_texts_and_results() {
    for subtype in [vocabulary::COMPACT_BOUNDARY, vocabulary::LOCAL_COMMAND, vocabulary::API_ERROR] {
        assert!(SUBTYPES.contains(&subtype), "{subtype}");
    }
    assert_eq!(vocabulary::SYNTHETIC_MODEL, constants::SYNTHETIC_MODEL);
    assert_eq!(vocabulary::NO_CONTENT, constants::NO_CONTENT);
    assert_eq!(vocabulary::MISSING_TOOL_RESULT, constants::MISSING_TOOL_RESULT);
    assert_eq!(vocabulary::INTERRUPTION_FOR_TOOL_USE, constants::INTERRUPTION_FOR_TOOL_USE);
    assert_eq!(vocabulary::SERVER_RESULTS, SERVER_TOOL_RESULTS);
}
