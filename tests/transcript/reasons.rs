//! Reasons: why a range of bytes holds no record, in words.

use turnproof_reference::json::FaultKind;
use turnproof_reference::transcript::{Detail, Reason, Transcript};

#[test]
fn every_reason_to_reject_has_its_own_words() {
    let reasons = [Reason::NotObject, Reason::CutShort, Reason::TooLong, Reason::NotJson];
    let mut words: Vec<String> = reasons.map(|reason| reason.in_words(None)).to_vec();
    words.push(Reason::NotJson.in_words(Some(FaultKind::EndOfText)));
    words.push(Reason::NotJson.in_words(Some(FaultKind::BadEscape)));
    words.sort();
    words.dedup();
    assert_eq!(words.len(), 6, "{words:?}");
    assert!(Reason::TooLong.in_words(None).contains("one line"));
}

#[test]
fn a_record_of_very_many_blocks_and_a_line_of_very_many_pieces_are_not_looked_into() {
    let neighbour = "{\"type\":\"user\",\"uuid\":\"u1\"}\n";
    let blocks = format!("{{\"type\":\"user\",\"message\":{{\"content\":[{}{{}}]}}}}\n", "{},".repeat(1 << 18));
    let pieces = format!("{}\n", "{}".repeat((1 << 18) + 10));
    for (line, records) in [(&blocks, 0), (&pieces, 1 << 18)] {
        let file = format!("{neighbour}{line}{neighbour}");
        let transcript = Transcript::from_bytes(file.into_bytes());
        assert_eq!(transcript.len(), records + 2);
        let reasons: Vec<Reason> = transcript.rejected().iter().map(|rejected| rejected.2).collect();
        assert_eq!(reasons, [Reason::TooLong]);
        let bytes = transcript.rejected()[0].1 - transcript.rejected()[0].0;
        assert_eq!(bytes as usize, if records == 0 { blocks.len() - 1 } else { 20 });
        assert_eq!(transcript.defects().last().unwrap().detail, Detail::Rejected(Reason::TooLong, fault(records)));
    }
}

/// What stopped the reading: too many blocks, or nothing in the line.
fn fault(records: usize) -> Option<FaultKind> {
    (records == 0).then_some(FaultKind::TooMany)
}
