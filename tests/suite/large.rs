//! One dimension of a line can be *large*: it is as large as its number says, and shrinking makes it small again.

use serde_json::Value;
use turnproof_rules::rules::find;
use turnproof_suite::scenario::{BlockPlan, Case, Large, LineKind, LinePlan, Link, Profile, Scenario, simpler};
use turnproof_suite::suite::shrink;

use super::plans::{of_lines, written};

/// A line that is large, with this content.
fn large(large: Large, blocks: &[BlockPlan]) -> LinePlan {
    LinePlan { large: Some(large), blocks: blocks.to_vec(), ..LinePlan::default() }
}

/// The content of the line of a plan with one line.
fn content(line: LinePlan) -> Value {
    written(&of_lines(vec![line]))[0]["message"]["content"].clone()
}

fn length(text: &Value) -> usize {
    text.as_str().unwrap_or_default().chars().count()
}

#[test]
fn a_text_has_so_many_characters_in_a_block_or_alone() {
    let text = BlockPlan::text(Default::default());
    assert_eq!(length(&content(large(Large::Text(10_001), &[BlockPlan::Image, text]))[1]["text"]), 10_001);
    assert_eq!(length(&content(large(Large::Text(10_001), &[]))[0]["text"]), 10_001);
    assert_eq!(length(&content(LinePlan { plain: true, ..large(Large::Text(7), &[text]) })), 7);
}

#[test]
fn a_result_has_so_many_characters_and_answers_the_same_call() {
    let blocks = content(large(Large::Result(20_000), &[BlockPlan::result(3)]));
    assert_eq!((length(&blocks[0]["content"]), &blocks[0]["tool_use_id"]), (20_000, &Value::from("toolu_3")));
}

#[test]
fn a_message_has_so_many_blocks_and_no_fewer_than_its_own() {
    for (count, blocks) in [(17, 17), (2, 2), (0, 2)] {
        let own = [BlockPlan::Image, BlockPlan::Document];
        assert_eq!(content(large(Large::Blocks(count), &own)).as_array().map(Vec::len), Some(blocks));
    }
}

#[test]
fn a_line_begins_at_its_byte_behind_a_side_record() {
    let line = |uuid, large| LinePlan { uuid: Some(uuid), large, ..LinePlan::default() };
    let plan = of_lines(vec![line(0, None), line(1, Some(Large::Offset(8_000)))]);
    let transcript = plan.transcript();
    assert_eq!((transcript[7_999], transcript[8_000]), (b'\n', b'{'));
    let lines = written(&plan);
    assert_eq!((lines.len(), &lines[1]["type"]), (3, &Value::from("tag")));
    assert_eq!(Case::of(&plan).messages().len(), 2);
    // Where there is no room, nothing is put before the line.
    assert_eq!(written(&of_lines(vec![line(0, None), line(1, Some(Large::Offset(9)))])).len(), 2);
}

#[test]
fn so_many_messages_come_after_a_line_each_linked_to_the_one_before() {
    let next = LinePlan { uuid: Some(1), parent: Link::Previous, kind: LineKind::REPLY, ..LinePlan::default() };
    let lines = written(&of_lines(vec![large(Large::Messages(101), &[]), next]));
    assert_eq!(lines.len(), 103);
    for pair in lines.windows(2) {
        assert_eq!(pair[1]["parentUuid"], pair[0]["uuid"]);
    }
    let uuids: std::collections::BTreeSet<&str> = lines.iter().filter_map(|line| line["uuid"].as_str()).collect();
    assert_eq!(uuids.len(), lines.len());
}

#[test]
fn a_line_is_large_in_about_one_of_fifty_cases_and_another_has_many_blocks_at_most() {
    let plans = || Profile::ALL.into_iter().flat_map(|of| (0..2_000).map(move |case| Scenario::from_seed(5, case, of)));
    let count = |plan: &Scenario| plan.lines().iter().filter(|line| line.large.is_some()).count();
    let few = |line: &LinePlan| line.large.is_none_or(|large| matches!(large, Large::Blocks(..=32)));
    assert!(plans().all(|plan| count(&plan) <= 1 || plan.lines().iter().filter(|line| !few(line)).count() <= 1));
    assert!(plans().all(|plan| count(&plan) <= 2));
    let share = plans().filter(|plan| count(plan) > 0).count();
    assert!((110..=220).contains(&share), "{share} of 8,000");
}

#[test]
fn a_plan_stays_short_however_large_its_transcript_is() {
    let plan = of_lines(vec![large(Large::Text(1 << 20), &[])]);
    assert!(plan.transcript().len() > 1 << 20);
    assert!(serde_json::to_string(&plan).unwrap().len() < 200);
}

#[test]
fn a_simpler_plan_has_a_smaller_number_or_nothing_large() {
    let plan = of_lines(vec![large(Large::Blocks(17), &[])]);
    let has = |wanted| simpler(&plan).any(|simpler| simpler.lines().first().is_some_and(|line| line.large == wanted));
    assert!(has(None) && has(Some(Large::Blocks(9))) && has(Some(Large::Blocks(16))));
}

/// The number that is left of a large line when a fault is shrunk.
fn smallest(fault: &str, large: Large) -> Option<Large> {
    let fault = turnproof_faults::find(fault).unwrap();
    let line = LinePlan { large: Some(large), kind: LineKind::REPLY, ..LinePlan::default() };
    let plan = shrink(fault, find(fault.rule).unwrap(), of_lines(vec![line]));
    plan.lines().first()?.large
}

#[test]
fn shrinking_finds_the_smallest_number_that_fails() {
    let smallest_of_16 = smallest("normalize_ui/is-off-by-one-from-16-on", Large::Blocks(31));
    assert_eq!(smallest_of_16, Some(Large::Blocks(17)));
    assert_eq!(smallest("normalize_ui/derives-in-decimal", Large::Blocks(300)), Some(Large::Blocks(11)));
    assert_eq!(smallest("resume/keeps-the-last-hundred", Large::Messages(1_000)), Some(Large::Messages(100)));
    assert_eq!(smallest("record/cuts-long-texts", Large::Text(70_000)), Some(Large::Text(10_001)));
}
