//! Replies that are made of generated streams: legal ones are legal, and each damage breaks its rule.

use turnproof_rules::Material;
use turnproof_rules::operation::check_response::{damaged_reply, damages, legal_blocks, legal_reply, replies};
use turnproof_rules::operation::reply_violations;
use turnproof_rules::rules::Severity;
use turnproof_suite::scenario::Case;
use turnproof_suite::suite::Options;

#[test]
fn what_is_left_of_a_reply_is_legal_and_each_damage_to_it_breaks_its_rule() {
    let options = Options { seed: 7, cases: 300, ..Options::default() };
    let (mut blocks_seen, mut legal_seen) = (0, 0);
    for number in 0..options.cases {
        let plan = options.scenario(number);
        let streams = Case::of(&plan);
        for reply in replies(Material::streams(&streams)) {
            let is_legal = |reply: &str| reply_violations(reply).is_ok_and(|violations| violations.is_empty());
            legal_seen += usize::from(is_legal(&reply));
            let blocks = legal_blocks(&reply);
            blocks_seen += blocks.len();
            assert!(is_legal(&legal_reply(&blocks)), "{number}: {}", legal_reply(&blocks));
            let last = 2 * damages().len();
            let number = blocks_seen % last;
            let (reply, damage) = (damaged_reply(&blocks, number), damages().nth(number / 2).unwrap());
            let violations = reply_violations(&reply).unwrap();
            let breaks = |rule: &str| {
                violations.iter().any(|(one, found)| one.id == rule && one.severity_of(found) == Severity::Error)
            };
            assert!(breaks(damage.breaks), "{}: {reply}", damage.what);
        }
    }
    assert!(blocks_seen > 500 && legal_seen > 50, "{blocks_seen} blocks, {legal_seen} legal as they are");
}
