//! *Plans* are described by bytes, made simpler, and say what their lines withdraw.

use serde_json::Value;
use turnproof_reference::message::Entry;
use turnproof_rules::operation::Plain;
use turnproof_suite::scenario::pool::Extra;
use turnproof_suite::scenario::{Case, Choice, LineKind, LinePlan, Link, Plan, Profile, Scenario, is_simpler, simpler};

/// A plan of these lines and nothing else.
pub(crate) fn of_lines(lines: Vec<LinePlan>) -> Scenario {
    Scenario::empty(Profile::Shuffled).with(Plan::Shuffled { lines })
}

/// The lines that a plan writes.
pub(crate) fn written(plan: &Scenario) -> Vec<Value> {
    let transcript = String::from_utf8(plan.transcript()).unwrap();
    transcript.lines().map(|line| Plain::read(line).unwrap().into_value().into()).collect()
}

#[test]
fn the_bytes_of_a_case_describe_that_case() {
    for profile in Profile::ALL {
        for case in 0..300 {
            let bytes = Scenario::bytes_of_seed(11, case, profile);
            assert_eq!(Scenario::from_bytes(&bytes), Scenario::from_seed(11, case, profile), "case {case}");
        }
    }
}

#[test]
fn few_bytes_describe_few_lines() {
    let long = Scenario::bytes_of_seed(11, 0, Profile::Shuffled);
    let plans = (0..long.len()).map(|length| Scenario::from_bytes(&long[..length]));
    for (length, plan) in plans.enumerate() {
        assert!(plan.lines().len() <= length.max(1), "{length} bytes, {} lines", plan.lines().len());
    }
}

#[test]
fn bytes_that_say_another_profile_describe_a_plan_of_the_first() {
    let bytes = Scenario::bytes_of_seed(11, 1, Profile::Causal);
    let profile = |profiles| Scenario::from_bytes_of(&bytes, profiles).profile();
    assert_eq!(profile(&[Profile::Hostile, Profile::Shuffled]), Profile::Hostile);
    assert_eq!(profile(&[Profile::Hostile, Profile::Causal]), Profile::Causal);
    assert_eq!(profile(&[]), Profile::Causal);
}

#[test]
fn no_bytes_at_all_describe_a_plan() {
    assert_eq!(Scenario::from_bytes(b"").profile(), Profile::ALL[0]);
}

#[test]
fn each_step_leads_to_a_smaller_plan_by_the_measure() {
    for case in 0..120 {
        for profile in Profile::ALL {
            let mut plan = Scenario::from_seed(11, case, profile);
            // From the plan as it was made, and from two smaller ones, each some steps on.
            for turn in 0..3 {
                let steps: Vec<Scenario> = simpler(&plan).collect();
                for step in &steps {
                    assert!(is_simpler(step, &plan), "{step:?}\nis not smaller than\n{plan:?}");
                }
                let Some(next) = steps.into_iter().nth(20 + turn) else { break };
                plan = next;
            }
        }
    }
}

#[test]
fn nothing_is_smaller_than_a_plan_without_anything() {
    let empty = of_lines(Vec::new());
    assert_eq!(simpler(&empty).next(), None);
}

#[test]
fn extras_hold_the_ids_that_they_are_said_to_withdraw() {
    /// How many ids the pool has.
    const IDS: u8 = 58;
    for extra in Extra::ALL {
        let mut withdrawals = 0;
        for which in 0..IDS {
            let first = LinePlan { uuid: Some(which), ..LinePlan::default() };
            let second =
                LinePlan { uuid: None, parent: Link::Previous, extras: [*extra].into(), ..LinePlan::default() };
            let plan = of_lines(vec![first, second]);
            let lines = written(&plan);
            let lists = ["supersedesUuids", "retractedMessageUuids"].map(|name| lines[1].get(name));
            let lists = || lists.into_iter().flatten().filter_map(|list| list.as_array());
            // A list that holds anything but texts names nothing.
            let mut named = lists().filter(|list| list.iter().all(|uuid| uuid.is_string())).flatten();
            let is_withdrawn = named.any(|uuid| *uuid == lines[0]["uuid"]);
            withdrawals += u32::from(is_withdrawn);
            // Each list names one id of the pool.
            assert!(lists().all(|list| list.iter().filter(|uuid| uuid.is_string()).count() == 1));
        }
        let is_withdrawal = matches!(extra, Extra::NumericKeys | Extra::Retracted | Extra::Superseded);
        assert_eq!(withdrawals, u32::from(is_withdrawal), "{extra:?}");
    }
}

#[test]
fn common_readers_are_not_given_the_number_that_no_double_holds() {
    for extra in Extra::ALL {
        let plan = of_lines(vec![LinePlan { extras: [*extra].into(), ..LinePlan::default() }]);
        let has_huge = String::from_utf8(plan.transcript()).unwrap().contains("1e400");
        assert_eq!(has_huge, *extra == Extra::HugeNumber);
        assert_eq!(Case::of(&plan).messages().len(), usize::from(!has_huge), "{extra:?}");
    }
}

/// The plan of a case, with nothing large in it: what that adds is in no line of the plan.
fn small(seed: u64, case: u64) -> Scenario {
    let mut plan = Scenario::from_seed(seed, case, Profile::Shuffled);
    plan.lines_mut().iter_mut().for_each(|line| line.large = None);
    plan
}

#[test]
fn every_event_line_of_a_shuffled_plan_is_a_message() {
    let is_event =
        |kind: LineKind| !matches!(kind, LineKind::Side { .. } | LineKind::Unknown | LineKind::Untyped { .. });
    for number in 0..4_000 {
        let plan = small(2, number);
        let events = plan.lines().iter().filter(|line| is_event(line.kind)).count();
        let case = Case::of(&plan);
        let messages = case.messages();
        assert_eq!(messages.len(), events, "{plan:?}");
        // Reading all of them again would take long and find the same.
        for message in messages.iter().filter(|_| number % 10 == 0) {
            assert!(matches!(serde_json::from_str(message), Ok(Entry::Event(_))), "{message}");
        }
    }
}

#[test]
fn every_list_of_messages_is_json_for_common_readers_whatever_the_damage() {
    for case in 0..4_000 {
        let plan = Scenario::from_seed(2, case, Profile::Hostile);
        let json = format!("[{}]", Case::of(&plan).messages().join(","));
        Plain::read(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    }
}

#[test]
fn a_plan_is_about_as_long_as_a_page_shows() {
    let lengths: Vec<usize> = (0..10_000).map(|case| small(2, case).lines().len()).collect();
    let mean = lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
    assert!((3.0..12.0).contains(&mean), "{mean}");
    assert!(lengths.iter().all(|length| (1..=40).contains(length)));
    assert!(lengths.iter().filter(|length| **length > 24).count() < lengths.len() / 20);
}

#[test]
fn the_smallest_steps_lead_every_line_to_the_plainest() {
    for case in 0..300 {
        // Each line alone: a step of a list looks at all its lines.
        let plan = small(3, case);
        let rest = Scenario { context: plan.context, ..Scenario::empty(Profile::Shuffled) };
        for line in plan.lines() {
            let mut plan = rest.with(Plan::Shuffled { lines: vec![line.clone()] });
            let mut steps = 0;
            while let Some(step) = simpler(&plan).rfind(|step| step.lines().len() == 1) {
                plan = step;
                steps += 1;
                assert!(steps < 500, "{plan:?}");
            }
            assert_eq!(plan.lines(), [LinePlan::default()]);
        }
    }
}

#[test]
fn a_line_that_was_cut_anywhere_takes_any_further_damage() {
    let mut bytes = 0;
    for sort in ["escaped-value", "escaped-key", "repeated-key", "other-time", "bad-byte", "byte-order-mark"] {
        for number in 0..=u8::MAX {
            let plan = serde_json::json!({"profile": "hostile", "lines": [{"kind": "user", "uuid": 1, "parent": "null",
                "blocks": [{"type": "tool_result"}], "damage": [{"sort": "splice", "number": number}, {"sort": sort}]}],
                "indexes": []});
            let plan: Scenario = serde_json::from_value(plan).unwrap();
            bytes += plan.transcript().len();
        }
    }
    // Cuts are at each place, so a line is half as long on average.
    assert!(bytes > 6 * 256 * 64, "{bytes}");
}
