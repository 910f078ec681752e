//! Reasons: why a range of bytes holds no record, in words.

use turnproof_reference::json::FaultKind;
use turnproof_reference::transcript::Reason;

#[test]
fn every_reason_to_reject_has_its_own_words() {
    let reasons = [Reason::NotObject, Reason::CutShort, Reason::TooLong, Reason::NotJson];
    let mut words: Vec<String> = reasons.map(|reason| reason.in_words(None)).to_vec();
    words.push(Reason::NotJson.in_words(Some(FaultKind::EndOfText)));
    words.push(Reason::NotJson.in_words(Some(FaultKind::BadEscape)));
    words.sort();
    words.dedup();
    assert_eq!(words.len(), 6, "{words:?}");
    assert!(Reason::TooLong.in_words(None).contains("1 GiB"));
}
