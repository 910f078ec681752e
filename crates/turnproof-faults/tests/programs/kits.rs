//! Programs on the *kits* of `adapters/kit`: the pipe carries what a function got and gave, and reports what a function
//! does as what it is. Without `python3` or `node` the tests of that kit skip, and say so.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use turnproof_rules::operation::{
    FactoryCall, Folding, Host, MadeMessage, Moment, Plain, RecordStep, RepairedFile, RequestOptions, StreamItem,
    UsageRow,
};
use turnproof_rules::rules::{CATALOGUE, Rule, matching};
use turnproof_suite::subject::program::smoke::{Verdict, smoke};
use turnproof_suite::subject::program::{Limits, METHODS, Program, Setup};
use turnproof_suite::subject::{Outcome, Stop, Subject};
use turnproof_suite::suite::{Options, Report, run, size};

/// A kit: what runs it, how an old one is recognized, its file, and what a script on it ends with.
pub(super) struct Kit {
    pub runs: &'static str,
    is_new: &'static str,
    file: &'static str,
    ending: &'static str,
}

const KITS: [Kit; 2] = [
    Kit {
        runs: "python3",
        is_new: "import sys; sys.exit(sys.version_info < (3, 9))",
        file: "python/turnproof_subject.py",
        ending: "py",
    },
    Kit {
        runs: "node",
        is_new: "process.exit(Number(parseInt(process.versions.node) < 20))",
        file: "node/turnproof-subject.mjs",
        ending: "mjs",
    },
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The kits that can run here.
pub(super) fn kits() -> impl Iterator<Item = &'static Kit> {
    KITS.iter().filter(|kit| {
        let flag = if kit.ending == "py" { "-c" } else { "-e" };
        let asked = Command::new(kit.runs).args([flag, kit.is_new]).stderr(Stdio::null()).status();
        let can_run = asked.is_ok_and(|status| status.success());
        if !can_run {
            eprintln!("skipped: there is no {} that is new enough", kit.runs);
        }
        can_run
    })
}

impl Kit {
    fn setup(&self, script: &Path) -> Setup {
        // Generous: a machine that is busy takes its time to start an interpreter.
        let limits = Limits { answer: Duration::from_secs(60), ..Limits::default() };
        Setup {
            command: format!("{} '{}'", self.runs, script.display()),
            limits,
            jobs: 2,
            once: None,
            stop: Stop::default(),
        }
    }

    /// A script of the tests on this kit.
    fn script(&self, name: &str) -> Setup {
        let script = format!("tests/programs/kits/{name}.{}", self.ending);
        self.setup(&Path::new(env!("CARGO_MANIFEST_DIR")).join(script))
    }

    /// The script that shows what its functions are given.
    fn echo(&self) -> Setup {
        self.script("subject")
    }

    /// The one that answers without a look at the question.
    pub(super) fn stub(&self) -> Setup {
        self.script("stub")
    }

    fn start(&self) -> Program {
        Program::start(self.echo()).unwrap_or_else(|error| panic!("{}: {error}", self.runs))
    }

    /// What the program did instead of answering, and what it wrote to standard error.
    fn crash(&self, uuid: &str) -> (String, String) {
        let program = self.start();
        let (_, mut heard) = program.listen(|| catch_unwind(AssertUnwindSafe(|| program.short_id(uuid))));
        let heard = heard.pop().expect("a question");
        let crash = heard.answer.expect_err("a crash").to_string();
        assert_eq!(program.short_id("abcdefgh"), output("abcdef"), "{}: it is started again", self.runs);
        (crash, heard.said)
    }
}

fn output(text: &str) -> Outcome<String> {
    Outcome::Output(text.to_owned())
}

fn given<T>(outcome: Outcome<T>) -> T {
    match outcome {
        Outcome::Output(output) => output,
        Outcome::Rejected(why) => panic!("it refused: {why}"),
        Outcome::Unsupported => panic!("it does not do this"),
    }
}

#[test]
fn smoke_finds_every_operation_of_a_kit_right() {
    for kit in kits() {
        let looks = smoke(kit.echo()).expect("it starts");
        let wrong: Vec<_> = looks.iter().filter(|look| look.verdict == Verdict::Wrong).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}", kit.runs);
        for method in METHODS {
            assert!(looks.iter().any(|look| look.at == *method), "{}: {method} was not asked", kit.runs);
        }
    }
}

#[test]
fn what_a_function_throws_decides_what_is_answered() {
    for kit in kits() {
        let program = kit.start();
        let (_, heard) = program.listen(|| {
            assert_eq!(program.short_id("refuse"), Outcome::Rejected("this is no UUID".to_owned()));
            assert_eq!(program.short_id("refuse with an error"), Outcome::Rejected("odd".to_owned()));
            assert_eq!(program.short_id("not done"), Outcome::Unsupported);
        });
        let answers: Vec<_> = heard.into_iter().map(|heard| heard.answer.expect("an answer")).collect();
        let kind = if kit.ending == "py" { "ValueError" } else { "TypeError" };
        let expected = [
            r#"{"rejected":{"message":"this is no UUID","kind":"BadId"}}"#.to_owned(),
            format!(r#"{{"rejected":{{"message":"odd","kind":"{kind}"}}}}"#),
            r#"{"unsupported":"not today"}"#.to_owned(),
        ];
        assert_eq!(answers, expected, "{}", kit.runs);
        assert_eq!(program.unsupported(), 1);
        assert_eq!(program.stop(), None, "{}", kit.runs);
    }
}

#[test]
fn what_a_function_prints_is_on_standard_error() {
    for kit in kits() {
        let program = kit.start();
        let (answer, heard) = program.listen(|| program.short_id("print"));
        assert_eq!(answer, output("print"), "{}", kit.runs);
        assert_eq!(heard[0].said.trim(), "printed\nwritten\nby a child", "{}", kit.runs);
    }
}

#[test]
fn any_other_exception_is_a_crash_with_its_traceback() {
    for kit in kits() {
        let (crash, said) = kit.crash("crash");
        assert_eq!(crash, "it ended before it answered, with exit code 70", "{}", kit.runs);
        let last = said.lines().last().expect("a traceback");
        let name = if kit.ending == "py" { "LookupError" } else { "RangeError" };
        assert_eq!(last, format!("{name}: there is no such thing"), "{}: {said}", kit.runs);
        assert!(said.contains(&format!("subject.{}", kit.ending)), "{}: {said}", kit.runs);
    }
}

#[test]
fn an_exit_by_the_code_under_test_is_a_crash_and_no_refusal() {
    for kit in kits() {
        let (crash, said) = kit.crash("exit");
        assert_eq!(crash, "it ended before it answered, with exit code 70", "{}", kit.runs);
        assert!(!said.is_empty(), "{}", kit.runs);
    }
}

#[test]
fn a_process_for_each_question_needs_nothing_more() {
    for kit in kits() {
        let once = Some(vec!["short_id".to_owned()]);
        let program = Program::start(Setup { once, ..kit.echo() }).expect("nothing is started yet");
        assert_eq!(program.short_id("abcdefgh"), output("abcdef"), "{}", kit.runs);
        assert_eq!(program.short_id("print"), output("print"), "{}", kit.runs);
        assert_eq!(program.short_id("refuse"), Outcome::Rejected("this is no UUID".to_owned()), "{}", kit.runs);
        assert_eq!(program.short_id("not done"), Outcome::Unsupported, "{}", kit.runs);
        for uuid in ["crash", "exit"] {
            let crash = catch_unwind(AssertUnwindSafe(|| program.short_id(uuid))).expect_err("a crash");
            let crash = crash.downcast_ref::<turnproof_suite::subject::Crash>().expect("a crash");
            assert_eq!(crash.how, "it ended before it answered, with exit code 70", "{}: {uuid}", kit.runs);
        }
    }
}

#[test]
fn functions_get_and_give_bytes() {
    // No UTF-8, and longer than what a pipe takes at once.
    let bytes: Vec<u8> = (0..=255).cycle().take(300_000).collect();
    for kit in kits() {
        let program = kit.start();
        let parsed = given(program.parse(&bytes));
        assert_eq!((parsed.records[0].end, &parsed.records[0].written), (300_000, &bytes), "{}", kit.runs);
        assert_eq!(parsed.blank, [(1, 2)]);
        let found = given(program.resume(&bytes)).expect("a conversation");
        assert_eq!((&found.records[0].bytes, found.notes[0].as_str()), (&bytes, "a note"), "{}", kit.runs);
        assert_eq!(program.resume(b""), Outcome::Output(None));
        let steps =
            [RecordStep::Flush, RecordStep::DiskTakes(None), RecordStep::OtherWriter(vec![0xFF]), RecordStep::Restart];
        let answers = given(program.record(b"a", "s1", &steps));
        let tips: Vec<_> = answers.iter().map(|answer| answer.tip()).collect();

        assert_eq!(tips, [Ok(Some("flush")), Ok(Some("disk_takes")), Err("s1"), Ok(Some("restart"))], "{}", kit.runs);
        let files: Vec<&[u8]> = answers.iter().map(|answer| answer.file.as_slice()).collect();
        assert_eq!(files, [b"a".as_slice(), b"a", b"a\xFF", b"a\xFF"], "{}", kit.runs);
        let items = [StreamItem::Bytes(vec![0, 255]), StreamItem::Abandon, StreamItem::Event("{\"a\":1}".to_owned())];
        assert_eq!(given(program.accumulate(&items)).events, r#"[[0,255],"abandon",{"a":1}]"#, "{}", kit.runs);
        let played = given(program.play("[7]"));
        assert_eq!(played.transcript, [0xFF], "{}", kit.runs);
        assert!(matches!(&played.moments[0], Moment::Requested { transcript, .. } if transcript == &[0xFE]));
        assert!(matches!(&played.moments[1], Moment::Crashed { transcript } if transcript == &[0xFD]));
        let rows: Vec<UsageRow> = given(program.usage(&[vec![1, 2], vec![3]]));
        assert_eq!((rows[0].replies, rows[0].unknown), (2, 3), "{}", kit.runs);
        let repaired = given(program.repair(&bytes));
        let (changes, removed) = (repaired.changes.expect("changes"), repaired.removed.expect("removed pieces"));
        assert_eq!((&repaired.bytes, &changes[0].before, &*removed[0].bytes), (&bytes, &bytes, &[0xFF][..]));
        let nothing_told = RepairedFile { bytes: Vec::new(), changes: None, removed: None };
        assert_eq!(program.repair(b""), Outcome::Output(nothing_told), "{}", kit.runs);
    }
}

#[test]
fn functions_get_the_members_of_a_question_as_arguments() {
    for kit in kits() {
        let program = kit.start();
        let options = RequestOptions { context: Some("c".to_owned()) };
        let messages = r#"[{"type":"user","message":{"role":"user","content":"a"}}]"#;
        let request = given(program.normalize_api(messages, &options));
        assert_eq!(request.turns, r#"[{"role":"user","content":[{"type":"text","text":"a"}]}]"#, "{}", kit.runs);
        assert_eq!(request.messages_after.as_deref(), Some(messages), "{}", kit.runs);
        assert_eq!(program.normalize_api(r#"[{"type":"progress"}]"#, &options), Outcome::Unsupported);
        let each = given(program.normalize_api_incremental("[1,2]", &options));
        assert_eq!(each, [r#"[{"context":"c"}]"#, r#"[{"context":"c"}]"#], "{}", kit.runs);
        assert_eq!(program.derive_uuid("u", u64::MAX), output("u-18446744073709551615"), "{}", kit.runs);
        assert_eq!(program.fold("[1]", Folding::Collapse), output(r#"[1,"collapse"]"#), "{}", kit.runs);
        let errors = given(program.check_request("[]", Host::BedrockConverse));
        let errors: Vec<_> = errors.iter().map(|one| (one.turn, one.error.as_str())).collect();
        assert_eq!(errors, [(None, "bedrock-converse"), (Some(1), "worse")], "{}", kit.runs);
        let errors = given(program.check_response("a\n"));
        let errors: Vec<_> = errors.iter().map(|one| (one.event, one.error.as_str())).collect();
        assert_eq!(errors, [(None, "a\n"), (Some(1), "worse")], "{}", kit.runs);
        let uuid = Some("u1".to_owned());
        let (factory, arguments) = ("user".to_owned(), r#"{"content":"a"}"#.to_owned());
        let made: Vec<MadeMessage> =
            given(program.make(&FactoryCall { factory, arguments, uuid, timestamp: None, source: None }));
        assert_eq!(made[0].message, r#"["user",{"content":"a"},{"uuid":"u1"}]"#, "{}", kit.runs);
        assert!(made[0].predicates["is_meta"]);
    }
}

#[test]
fn halves_of_surrogate_pairs_go_there_and_back() {
    for kit in kits() {
        let program = kit.start();
        assert!(program.announcement().lone_surrogates);
        let half = r#"[{"type":"user","text":"a\ud83d \ude00"}]"#;
        assert_eq!(program.normalize_ui(half), output(half), "{}", kit.runs);
        assert_eq!(program.withheld(), 0);
        let echo = kit.echo();
        let strict = Program::start(Setup { command: format!("{} strict", echo.command), ..echo }).expect("it starts");
        assert_eq!(strict.normalize_ui(half), Outcome::Unsupported, "{}", kit.runs);
        assert_eq!(strict.withheld(), 1, "{}: it is not asked", kit.runs);
        // One half ends a piece of the response, and what follows is no other half.
        let pieces = [r#"data: {"a":"\ud8"#, r#"3d"}"#].map(|piece| StreamItem::Bytes(piece.into()));
        assert_eq!(strict.accumulate(&pieces), Outcome::Unsupported, "{}", kit.runs);
        assert_eq!(strict.resume(br#"{"a":"\ude00"}"#), Outcome::Unsupported, "{}", kit.runs);
        assert_eq!(strict.withheld(), 3, "{}", kit.runs);
        let whole = [StreamItem::Bytes(br#"data: {"a":"\ud83d\ude00"}"#.to_vec())];
        assert!(matches!(strict.accumulate(&whole), Outcome::Output(_)), "{}", kit.runs);
    }
}

#[test]
fn a_number_that_would_come_back_as_another_one_is_not_carried() {
    for kit in kits() {
        let program = kit.start();
        assert_eq!(program.normalize_ui("[1e400]"), Outcome::Unsupported, "{}", kit.runs);
        let kept = r#"[9007199254740991,2,-0.5,"a\\\"1e400","9007199254740993"]"#;
        assert_eq!(program.normalize_ui(kept), output(kept), "{}", kit.runs);
        let beyond = "[9007199254740993]";
        let is_python = kit.ending == "py";
        let expected = if is_python { output(beyond) } else { Outcome::Unsupported };
        assert_eq!(program.normalize_ui(beyond), expected, "{}", kit.runs);
        // Node writes 2.0 as 2: nobody can see whether these messages were changed.
        let message = r#"[{"type":"user","count":2.0,"message":{"content":"a"}}]"#;
        let request = given(program.normalize_api(message, &RequestOptions::default()));
        let after = is_python.then_some(message);
        assert_eq!(request.messages_after.as_deref(), after, "{}", kit.runs);
    }
}

#[test]
fn a_large_line_gets_there_and_back() {
    let messages = format!(r#"["{}"]"#, "é".repeat(2_000_000));
    for kit in kits() {
        let back = given(kit.start().normalize_ui(&messages));
        let read = |json: &str| Plain::read(json).expect("JSON");
        assert!(*read(&back) == *read(&messages), "{}: {} bytes came back", kit.runs, back.len());
    }
}

#[test]
fn a_subject_ends_quietly_when_nobody_listens_any_more() {
    for kit in kits() {
        let script = kit.echo().command;
        let start = r#"{"cmd":"start","protocol":1}"#;
        let shell = format!("(echo '{start}'; sleep 1; echo '{start}') | ({script}; echo \"code $?\" >&2) | head -n 1");
        let output = Command::new("sh").args(["-c", &shell]).output().expect("a shell");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "code 0\n", "{}", kit.runs);
    }
}

#[test]
fn a_right_subject_stays_right_through_a_kit() {
    for kit in kits() {
        let relay = kit.script("relay");
        let command = format!("{} '{}' reference", relay.command, env!("CARGO_BIN_EXE_misbehaving"));
        let program = Program::start(Setup { command, ..relay }).expect("it starts");
        // The relay in Node reads answers by `JSON.parse`, which rounds what streams have: that is its own mistake.
        let is_fair = |rule: &&Rule| kit.ending == "py" || rule.id != "stream/accumulates";
        let rules: Vec<_> = CATALOGUE.iter().copied().filter(is_fair).collect();
        let report = run(&program, &Options { cases: 60, threads: 2, rules, ..Options::default() }, &[], &mut |_| {});
        let report = report.expect("threads");
        let failures: Vec<_> = report.failures.iter().map(ToString::to_string).collect();
        assert!(failures.is_empty(), "{}: {}", kit.runs, failures.join("\n"));
        assert_eq!((report.crashes, &report.ended), (0, &None), "{}", kit.runs);
        let judged = report.counts.iter().filter(|count| count.held > 0).count();
        assert!(judged > 100, "{}: {judged} rules were exercised", kit.runs);
    }
}

/// An adapter of the tutorial, copied beside the kit as a reader copies it, and what the suite says of it.
fn judged(kit: &Kit, adapter: &str, rules: &str) -> Report {
    let name = format!("{adapter}.{}", kit.ending);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kit-{name}"));
    fs::create_dir_all(&folder).expect("a folder");
    let kit_file = root().join("adapters/kit").join(kit.file);
    fs::copy(&kit_file, folder.join(kit_file.file_name().expect("a name"))).expect("the kit");
    fs::copy(root().join("docs/samples").join(&name), folder.join(&name)).expect("the adapter");
    let program = Program::start(kit.setup(&folder.join(&name))).expect("it starts");
    let options = Options { cases: 300, threads: 2, tries: 300, rules: matching(rules), ..Options::default() };
    let report = run(&program, &options, &[], &mut |_| {}).expect("threads");
    drop(program);
    fs::remove_dir_all(&folder).expect("it was there");
    assert_eq!((report.crashes, &report.ended), (0, &None), "{name}");
    report
}

#[test]
fn the_first_adapter_of_the_tutorial_is_detected_by_a_small_case() {
    for kit in kits() {
        let report = judged(kit, "adapter", "pairing/*");
        let detected = report.failures.iter().find(|one| one.regression.rule == "pairing/result-follows-use");
        let case = &detected.unwrap_or_else(|| panic!("{}: {report:?}", kit.runs)).regression.scenario;
        assert_eq!(size(case), 1, "{}: {case:?}", kit.runs);
    }
}

#[test]
fn the_repaired_adapter_of_the_tutorial_keeps_the_rule() {
    for kit in kits() {
        let report = judged(kit, "repaired", "pairing/result-follows-use");
        assert!(report.counts[0].held > 0 && report.failures.is_empty(), "{}: {report:?}", kit.runs);
    }
}

#[test]
fn the_tutorial_shows_the_adapters_as_they_are() {
    let page = fs::read_to_string(root().join("docs/judge-any-language.md")).expect("the page");
    for name in ["adapter.py", "adapter.mjs", "adapter.mts"] {
        let adapter = fs::read_to_string(root().join("docs/samples").join(name)).expect("an adapter");
        assert!(page.contains(&format!("\n{adapter}```\n")), "{name} is another one on the page");
    }
}
