//! The rules on *talks*: each example breaks its rule.

use turnproof_rules::rules::{CATALOGUE, Judge, Verdict, judge_json};

#[test]
fn each_example_of_a_talk_breaks_its_rule_as_badly_as_its_page_says() {
    let rules: Vec<_> = CATALOGUE.iter().filter(|rule| matches!(rule.judge, Judge::Talk(_))).collect();
    assert_eq!(rules.len(), 15);
    for rule in rules {
        let verdict = judge_json(rule, rule.example).unwrap();
        let Verdict::Broken(violations) = verdict else { panic!("{}: {verdict:?}", rule.id) };
        let severities = violations.iter().map(|one| rule.severity_of(one));
        assert_eq!(severities.max(), Some(rule.severity), "{}: {violations:?}", rule.id);
    }
}
