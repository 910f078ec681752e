//! The *laws* of the fuzz targets: each of these faults breaks the law of its target with some input, and the reference
//! breaks no law with any of them.

use std::panic::{AssertUnwindSafe, catch_unwind};

use turnproof_faults::{self as faults, Fault};
use turnproof_suite::fuzzing::{BrokenRule, Effort, Law, TARGETS, Target, find, stream_text};
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::{Reference, Subject};

/// A target, a fault, and what the law says of it, or the rule that it names.
const DETECTED: &[(&str, &str, &str)] = &[
    ("parse", "parse/numbers-through-doubles", "an untouched record is written as it was read"),
    ("parse", "parse/forgets-blank-lines", "every byte is in one piece"),
    ("parse_differential", "parse/overlooks-live-only-kinds", "wire/live-only-kind"),
    ("parse_differential", "parse/first-key-wins", "wire/unique-keys"),
    ("resume", "resume/loses-parallel-results", "resume/parallel-results"),
    ("resume", "resume/drops-the-last-record-of-a-torn-file", "resume/crash-prefix"),
    ("crash", "resume/blank-after-a-torn-line", "resume/crash-prefix"),
    ("crash", "resume/loses-parallel-results", "resume/parallel-results"),
    ("normalize_api", "normalize_api/keeps-a-server-call-without-result", "pairing/server-tools"),
    ("normalize_api", "normalize_api/loses-the-compact-summary", "normalize/conserves"),
    ("normalize_api", "normalize_api/quotes-prompts", "normalize/no-invention"),
    ("normalize_ui", "normalize_ui/index-in-one-digit", "ui/derived-after-split"),
    ("normalize_ui", "reorder_ui/loses-flags", "ui/permutation"),
    ("normalize_incremental", "normalize_api/appends-each-message", "message by message is as from scratch"),
    ("normalize_incremental", "normalize_api/forgets-late-lines", "message by message is as from scratch"),
    ("record_resume", "record/chains-to-progress", "record/chain-links"),
    ("record_resume", "resume/undoes-the-compaction", "resume/boundary"),
    ("record_resume", "play/leaves-a-call-open-at-an-interrupt", "engine/every-use-answered"),
    ("accumulate", "accumulate/decodes-each-piece-alone", "cuts change nothing"),
    ("accumulate", "accumulate/passes-over-citations", "stream/accumulates"),
];

/// How many cases of each profile are tried.
const CASES: u64 = 400;

#[test]
fn each_law_detects_the_faults_of_its_target() {
    let missed: Vec<String> = DETECTED
        .iter()
        .filter_map(|&(target, fault, words)| {
            let (law, subject) = (find(target).expect("a target"), fault_named(fault));
            let mut said = inputs(law).filter_map(|input| broken(law, subject, &input)).take(40);
            let is_detected = said.any(|said| said == words);
            (!is_detected).then(|| format!("{target}: {fault} is not detected by `{words}`"))
        })
        .collect();
    assert!(missed.is_empty(), "\n{}\n", missed.join("\n"));
}

#[test]
fn the_reference_breaks_no_law() {
    for target in TARGETS {
        for (number, input) in inputs(target).take(60).enumerate() {
            let said = broken(target, &Reference, &input);
            assert!(said.is_none(), "{}, input {number}: {said:?}", target.name);
        }
    }
}

#[test]
fn a_part_of_a_law_is_asked_of_an_input_by_what_it_is() {
    let law = find("normalize_api").expect("a target");
    let fault = fault_named("normalize_api/begins-with-the-reply");
    let is_broken = |bytes: &[u8]| catch_unwind(AssertUnwindSafe(|| law.hold_to(fault, bytes, Effort::Part))).is_err();
    let mut seen = [false; 2];
    for case in 0..3_000 {
        let bytes = Scenario::bytes_of_seed(3, case, Profile::Shuffled);
        let written = serde_json::to_vec(&Scenario::from_bytes(&bytes)).expect("JSON");
        // The same plan in bytes and in JSON gives the same inputs.
        assert_eq!(is_broken(&bytes), is_broken(&written), "case {case}");
        seen[usize::from(is_broken(&bytes))] = true;
    }
    assert_eq!(seen, [true, true], "of some inputs the rules are asked, of others not");
}

fn fault_named(id: &str) -> &'static Fault {
    faults::find(id).unwrap_or_else(|| panic!("no fault {id}"))
}

/// What a law says of a subject with an input, up to the first colon that is followed by a space.
fn broken(target: &Target, subject: &dyn Subject, input: &[u8]) -> Option<String> {
    let held = catch_unwind(AssertUnwindSafe(|| target.hold_to(subject, input, Effort::Whole)));
    let payload = held.err()?;
    let said = payload.downcast_ref::<BrokenRule>().map(ToString::to_string);
    let said = said.or_else(|| payload.downcast_ref::<String>().cloned());
    let said = said.or_else(|| payload.downcast_ref::<&str>().map(|said| (*said).to_owned())).unwrap_or_default();
    Some(said.split(['#', ':']).next().unwrap_or_default().to_owned())
}

/// Inputs of a target, made of plans.
fn inputs(target: &Target) -> Box<dyn Iterator<Item = Vec<u8>>> {
    let profiles = if let Law::Plan(_, profiles) = target.law { profiles } else { &Profile::ALL };
    let cases = (0..CASES).flat_map(move |case| profiles.iter().map(move |profile| (*profile, case)));
    if let Law::Plan(..) = target.law {
        return Box::new(cases.map(|(profile, case)| Scenario::bytes_of_seed(5, case, profile)));
    }
    let plans = cases.map(|(profile, case)| Scenario::from_seed(5, case, profile));
    match target.name {
        "accumulate" => {
            let texts = |plan: Scenario| -> Vec<_> {
                Case::of(&plan).streams().iter().map(|items| stream_text(items)).collect()
            };
            Box::new(plans.flat_map(texts))
        }
        _ => Box::new(plans.map(|plan| plan.transcript())),
    }
}
