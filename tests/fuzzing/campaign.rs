//! A campaign against subjects in Rust: what it finds, what it keeps, and that it continues.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use turnproof_faults::find;
use turnproof_rules::operation::{Host, Operation};
use turnproof_rules::rules::CATALOGUE;
use turnproof_suite::fuzzing::campaign::{Corpus, Event, FUZZED, Fuzzed, LONGEST, Options, State, Store, Summary, run};
use turnproof_suite::subject::{Reference, Stop, Subject};

struct Held<'a>(&'a dyn Subject);

impl Fuzzed for Held<'_> {
    fn subject(&self) -> &dyn Subject {
        self.0
    }
}

fn options(operations: &[Operation], inputs: u64, jobs: usize) -> Options {
    let operations = operations.to_vec();
    Options {
        operations,
        seed: 1,
        inputs: Some(inputs),
        time: None,
        jobs,
        tries: 400,
        host: Host::Portable,
        rules: CATALOGUE.to_vec(),
        known: Vec::new(),
        now: "Monday".to_owned(),
    }
}

/// Runs a campaign on a folder; gives the summary and what was reported, in short.
fn campaign(subject: &dyn Subject, options: &Options, folder: &Path) -> (Summary, Vec<String>) {
    let mut reported = Vec::new();
    let mut store = Store::open(folder).expect("a folder");
    let summary = run(&Held(subject), options, &Corpus::default(), &mut store, &Stop::default(), &mut |event| {
        let line = match event {
            Event::Tried(_) => return Ok(()),
            Event::OnlyCrashes(operation) => format!("only crashes: {operation}"),
            Event::New(find, input) => format!("new: {find:?} {input:?}"),
            Event::Still(find) => format!("still: {}", find.input),
            Event::Gone(find) => format!("gone: {}", find.input),
            Event::Back(find) => format!("back: {}", find.input),
        };
        reported.push(line);
        Ok(())
    });
    (summary.expect("a campaign"), reported)
}

#[test]
fn the_reference_keeps_the_rules_on_mutated_inputs() {
    let folder = TempDir::new().unwrap();
    let (summary, reported) = campaign(&Reference, &options(&FUZZED, 250, 2), folder.path());
    assert_eq!(reported, Vec::<String>::new());
    assert_eq!((summary.inputs(), summary.failing), (1250, 0));
    for (name, account) in &summary.operations {
        assert!(account.answered > 200, "{name}: {account:?}");
    }
}

#[test]
fn the_same_seed_finds_the_same_whatever_the_jobs() {
    let fault = find("parse/drops-nulls").expect("a fault");
    let of_jobs = |jobs| {
        let folder = TempDir::new().unwrap();
        let (summary, reported) = campaign(fault, &options(&[Operation::Parse], 120, jobs), folder.path());
        (Summary { seconds: 0.0, ..summary }, reported)
    };
    let one = of_jobs(1);
    assert!(one.1.iter().any(|line| line.starts_with("new: ")), "{one:?}");
    assert_eq!(of_jobs(3), one);
}

#[test]
fn a_find_is_small_and_kept_and_reported_once_and_one_that_is_fixed_is_reported() {
    let fault = find("parse/drops-nulls").expect("a fault");
    let folder = TempDir::new().unwrap();
    let options = options(&[Operation::Parse], 60, 2);
    let (summary, reported) = campaign(fault, &options, folder.path());
    assert_eq!((reported.len(), summary.failing), (1, 1), "one mistake is reported once: {reported:#?}");
    let store = Store::open(folder.path()).unwrap();
    let kept = &store.finds()[0];
    assert_eq!(kept.rule.as_deref(), Some("wire/lossless"));
    assert!(kept.bytes <= 16 && kept.before > kept.bytes, "{kept:?}");
    assert_eq!(fs::read(store.path(kept)).unwrap().len(), kept.bytes);

    let (again, reported) = campaign(fault, &options, folder.path());
    assert_eq!(reported, [format!("still: {}", kept.input)]);
    assert_eq!(again.operations["parse"].next, 120, "it continues behind the inputs of the first run");
    assert!(Store::open(folder.path()).unwrap().finds()[0].times > kept.times);

    let (repaired, reported) = campaign(&Reference, &options, folder.path());
    assert_eq!(reported, [format!("gone: {}", kept.input)]);
    assert_eq!((repaired.failing, repaired.gone), (0, 1));
    let (_, reported) = campaign(&Reference, &options, folder.path());
    assert_eq!(reported, Vec::<String>::new(), "what is gone is reported once");

    assert_eq!(Store::open(folder.path()).unwrap().finds()[0].since, "Monday");
    let (_, reported) = campaign(fault, &Options { now: "Tuesday".to_owned(), ..options }, folder.path());
    assert_eq!(reported, [format!("back: {}", kept.input)]);
    let back = Store::open(folder.path()).unwrap().finds()[0].clone();
    assert_eq!((back.state, back.since.as_str()), (State::Failing, "Tuesday"));
}

#[test]
fn a_reply_is_kept_as_what_it_is() {
    for (id, ending) in [("check_response/checks-streams-alone", "json"), ("check_response/checks-no-order", "sse")] {
        let folder = TempDir::new().unwrap();
        campaign(find(id).unwrap(), &options(&[Operation::CheckResponse], 200, 2), folder.path());
        let store = Store::open(folder.path()).unwrap();
        assert!(store.finds()[0].input.ends_with(ending), "{id}: {:?}", store.finds());
    }
}

#[test]
fn a_fault_of_each_operation_is_found() {
    for (id, operation) in [
        ("parse/loses-a-record-beside-nul", Operation::Parse),
        ("resume/begins-at-an-odd-parent", Operation::Resume),
        ("accumulate/adds-usage-up", Operation::Accumulate),
        ("check_request/checks-no-pairs", Operation::CheckRequest),
        ("check_response/checks-no-order", Operation::CheckResponse),
    ] {
        let Some(fault) = find(id) else { panic!("`{id}` is no fault") };
        let folder = TempDir::new().unwrap();
        let (summary, reported) = campaign(fault, &options(&[operation], 300, 2), folder.path());
        assert!(summary.failing > 0, "{id}: {reported:?}");
    }
}

#[test]
fn files_are_mutated_in_pieces_and_an_input_is_the_same_each_time() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("inside")).unwrap();
    let line = format!("{{\"marker\":\"{}\"}}\n", "m".repeat(1000));
    fs::write(folder.path().join("inside/long.jsonl"), line.repeat(40)).unwrap();
    fs::write(folder.path().join("request.json"), r#"[{"role":"user","content":"marker"}]"#).unwrap();
    let corpus = Corpus::of_folder(folder.path()).expect("a folder");
    assert_eq!(corpus.len(), 1 + 40_usize.div_ceil(LONGEST / line.len()));
    let inputs = |operation: Operation| (0..60).map(move |number| (operation, number)).collect::<Vec<_>>();
    let mut marked = [0; 5];
    for (operation, number) in FUZZED.into_iter().flat_map(inputs) {
        let input = corpus.input(operation, 3, number);
        assert_eq!(input, corpus.input(operation, 3, number));
        assert!(input.len() <= LONGEST, "{} bytes", input.len());
        let place = FUZZED.iter().position(|other| *other == operation).expect("one of them");
        marked[place] += usize::from(holds(&input, b"marker"));
    }
    let [parse, resume, accumulate, check_request, check_response] = marked;
    assert!(parse.min(resume).min(check_request) > 5, "inputs are made of files that fit: {marked:?}");
    assert_eq!(accumulate + check_response, 0, "no file is a stream");
}

fn holds(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|window| window == what)
}
