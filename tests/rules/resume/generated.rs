//! Small files of any shape: the model's own answer holds every rule, and no other answer does.

use std::collections::{BTreeMap, BTreeSet};

use crate::families;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use turnproof_rules::operation::Resumed;
use turnproof_rules::rules::Verdict;
use turnproof_rules::rules::right_resume;

use super::broken;
use super::notation::{file, model_answer};

const UUIDS: [&str; 20] = [
    "u1", "u2", "u3", "u4", "u5", "u6", "a1", "a2", "a3", "a4", "a5", "a6", "s1", "s2", "t1", "p1", "p2", "x1", "b1",
    "b2",
];

fn uuid() -> impl Strategy<Value = &'static str> {
    select(&UUIDS[..])
}

fn uuids() -> impl Strategy<Value = String> {
    prop::collection::vec(uuid(), 1..4).prop_map(|uuids| uuids.join(","))
}

/// A member, or nothing: most records are plain.
fn member() -> impl Strategy<Value = String> {
    let call = || select(&["x", "y", "x,y"][..]);
    prop_oneof![
        20 => Just(String::new()),
        2 => select(&["m=m", "m=n"][..]).prop_map(str::to_owned),
        1 => call().prop_map(|id| format!("c={id}")),
        1 => call().prop_map(|id| format!("r={id}")),
        1 => Just("text".to_owned()),
        1 => uuid().prop_map(|uuid| format!("by={uuid}")),
        1 => select(&["of=s", "of=z"][..]).prop_map(str::to_owned),
        1 => uuids().prop_map(|uuids| format!("withdraws={uuids}")),
        1 => uuids().prop_map(|uuids| format!("retracts={uuids}")),
        2 => (uuid(), uuids()).prop_map(|(anchor, uuids)| format!("keeps={anchor},{uuids}")),
        1 => (uuid(), uuids(), uuids())
            .prop_map(|(anchor, uuids, all)| format!("keeps={anchor},{uuids} all={all}")),
        2 => (uuid(), uuid(), uuid()).prop_map(|(anchor, head, tail)| format!("segment={anchor},{head},{tail}")),
        3 => select(&["meta", "virtual", "side", "error", "team=red", "team="][..]).prop_map(str::to_owned),
    ]
}

/// A member that real records have: a line of a reply, a call, a result, something preserved, replies withdrawn.
fn usual(uuid: &'static str) -> BoxedStrategy<String> {
    let with_id = |members: &'static [&'static str]| {
        (select(members), select(&["x", "y", "z"][..])).prop_map(|(member, id)| format!("{member}={id}")).boxed()
    };
    let own = match &uuid[..1] {
        "a" => with_id(&["m=m c", "m=n c", "c"]),
        "u" => with_id(&["r", "r", "text r", "text of"]),
        "x" => uuids().prop_map(|uuids| format!("withdraws=a1,a2,{uuids}")).boxed(),
        "b" => prop_oneof![
            uuids().prop_map(move |uuids| format!("keeps={uuid},{uuids}")),
            self::uuid().prop_map(move |kept| format!("segment={uuid},{kept},{kept}")),
        ]
        .boxed(),
        _ => Just("of=s".to_owned()).boxed(),
    };
    prop_oneof![2 => own, 1 => Just(String::new())].boxed()
}

/// A record whose parent is often the record before it.
fn line() -> impl Strategy<Value = (&'static str, Option<String>, String)> {
    let parent = prop_oneof![
        8 => Just(None),
        4 => uuid().prop_map(|uuid| Some(uuid.to_owned())),
        1 => select(&["-", "!", "#", "lost"][..]).prop_map(|word| Some(word.to_owned())),
    ];
    let members = prop::collection::vec(member(), 0..3).prop_map(|members| members.join(" "));
    (uuid().prop_flat_map(|uuid| (Just(uuid), usual(uuid))), parent, members)
        .prop_map(|((uuid, usual), parent, members)| (uuid, parent, format!("{usual} {members}")))
}

/// Damage: bytes put in at a place, and how many are taken out there.
fn damage() -> impl Strategy<Value = Option<(prop::sample::Index, &'static str, usize)>> {
    let bytes = select(&["", "\0\0", "\n", "}{", "\\ud83d", "{\"type\":\"summary\"}\n", "1e400", "\u{2028}"][..]);
    prop_oneof![
        4 => Just(None),
        1 => (any::<prop::sample::Index>(), bytes, 0..30_usize).prop_map(Some),
    ]
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    let lines = prop::collection::vec(line(), 0..22);
    (lines, damage(), 0..8_usize, any::<prop::sample::Index>()).prop_map(|(lines, damage, is_cut, cut)| {
        let mut before = "-".to_owned();
        let mut words = Vec::new();
        for (uuid, parent, members) in lines {
            words.push(format!("{uuid} {} {members}", parent.unwrap_or(before)));
            before = uuid.to_owned();
        }
        let mut bytes = file(&words.join("; "));
        if is_cut == 1 {
            bytes.extend(file("\"{\"type\":\"summary\",\"leafUuid\":\"u1\"}; u6 a1"));
        }
        if let Some((at, put_in, taken)) = damage {
            let at = at.index(bytes.len() + 1);
            let end = (at + taken).min(bytes.len());
            bytes.splice(at..end, put_in.bytes());
        }
        if is_cut == 0 {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        bytes
    })
}

fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

fn right(file: &[u8]) -> Resumed {
    let answer = model_answer(file);
    let step = file.len() / 7 + 1;
    Resumed {
        file: file.to_vec(),
        again: Some(answer.clone()),
        answer,
        cuts: (0..=file.len()).step_by(step).map(|cut| (cut as u64, model_answer(&file[..cut]))).collect(),
        continued: Vec::new(),
        recorded: None,
    }
}

#[test]
fn the_models_answer_holds_every_rule_and_every_fate_occurs() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config(0), rng);
    let strategy = any_file();
    let mut held: BTreeMap<&str, u32> = BTreeMap::new();
    let mut fates: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..800 {
        let file = strategy.new_tree(&mut runner).unwrap().current();
        let case = right(&file);
        for (rule, verdict) in families::verdicts("resume", &case) {
            match verdict {
                Verdict::Holds => *held.entry(rule.id).or_default() += 1,
                Verdict::Broken(wrong) => panic!("{wrong:?} in\n{}", String::from_utf8_lossy(&file)),
                Verdict::NotApplicable(_) => {}
            }
        }
        for fate in right_resume(&file).0.iter().map(|record| record.fate).collect::<BTreeSet<_>>() {
            *fates.entry(fate).or_default() += 1;
        }
    }
    // All but the rule on what is recorded after a resume.
    assert!(held.len() == super::RULES.len() - 1 && held.values().all(|&count| count >= 8), "{held:?}");
    assert!(fates.len() == 16 && fates.values().all(|&count| count >= 8), "{fates:?}");
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn every_other_answer_breaks_a_rule(
        file in any_file(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        is_near in any::<bool>(),
    ) {
        let (found, right_order) = right_resume(&file);
        // Any records of the file; or the right ones with one taken out or put in.
        let mut order = if is_near { right_order } else { Vec::new() };
        for (turn, pick) in picks.iter().enumerate().take(if is_near { 1 + picks.len() % 2 } else { 8 }) {
            if is_near && turn == 0 && !order.is_empty() {
                order.remove(pick.index(order.len()));
            } else if !found.is_empty() {
                order.insert(pick.index(order.len() + 1), pick.index(found.len()));
            }
        }
        let answer = order.iter().filter_map(|&index| {
            let uuid = found[index].uuid.clone()?;
            let bytes = file[found[index].range.clone()].to_vec();
            Some(turnproof_rules::operation::ConversationRecord { uuid, bytes })
        });
        let records: Vec<_> = answer.collect();
        let notes = vec!["noted".to_owned()];
        let answer = (!records.is_empty()).then_some(turnproof_rules::operation::Conversation { records, notes });
        let case = Resumed { answer: Ok(answer), again: None, cuts: Vec::new(), ..right(&file) };
        let is_right = case.answer == model_answer(&file);
        let rules = broken(&case);
        prop_assert_eq!(rules.is_empty(), is_right, "{:?} in\n{}", rules, String::from_utf8_lossy(&file));
    }

    #[test]
    fn no_bytes_make_a_rule_panic(
        noise in prop::collection::vec(any::<u8>(), 0..200),
        file in any_file(),
        at in any::<prop::sample::Index>(),
    ) {
        let at = at.index(file.len() + 1);
        for bytes in [noise.clone(), [&file[..at], &noise, &file[at..]].concat()] {
            let case = right(&bytes);
            prop_assert_eq!(broken(&case), [""; 0]);
            let other = Resumed { file: noise.clone(), ..case };
            broken(&other);
        }
    }
}
