//! Subjects that are programs, on the command line.

use tempfile::TempDir;

use crate::call::{has_python, run, turnproof};

/// The command, as a subject of itself.
fn itself(arguments: &str) -> String {
    format!("'{}' {arguments}", assert_cmd::cargo::cargo_bin!("turnproof").display())
}

#[test]
fn the_reference_is_judged_through_a_pipe_as_it_is_here() {
    let serve = itself("serve");
    let here = run(&mut turnproof(&["test", "--cases", "150", "--seed", "5", "--regressions", "tests/sessions"]));
    let there = run(&mut turnproof(&["test", "--cases", "150", "--seed", "5", "--subject", &serve]));
    let one = run(&mut turnproof(&["test", "--cases", "150", "--seed", "5", "--jobs", "1", "--subject", &serve]));
    let table = |out: &str| out.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert_eq!(here.0, 0, "{}", here.2);
    assert_eq!((there.0, there.2.as_str()), (0, ""));
    assert_eq!(table(&there.1), table(&here.1));
    assert_eq!(one, there, "whatever the jobs");
}

#[test]
fn exit_codes_tell_what_came_of_a_program() {
    let code =
        |subject: &str, more: &[&str]| run(turnproof(&["test", "--cases", "3", "--subject", subject]).args(more)).0;
    let answers = |what: &str| {
        format!(
            r#"sh -c 'read a; echo "{{\"name\":\"a\",\"operations\":[\"short_id\"]}}"; seq=0; while read a; do seq=$((seq+1)); {what}; done'"#
        )
    };
    assert_eq!(code("no-such-program", &[]), 2);
    assert_eq!(code("'", &[]), 2);
    assert_eq!(code("sh -c 'exit 3'", &[]), 3, "it does not start");
    assert_eq!(code(&answers("exit 5"), &[]), 3, "it only crashes");
    assert_eq!(code(&answers(r#"echo "{\"seq\":$seq,\"output\":{\"short_id\":\"a\"}}""#), &[]), 1, "it is wrong");
    assert_eq!(code(&answers(r#"echo "{\"seq\":$seq,\"unsupported\":\"no\"}""#), &[]), 4, "nothing is judged");
    assert_eq!(code(&answers("exit 5"), &["--rules", "wire/*"]), 4, "it does nothing that these rules judge");
    assert_eq!(code("sh", &["--once", "make_tea"]), 2);
}

#[test]
fn a_failure_shows_what_the_program_said() {
    let folder = TempDir::new().unwrap();
    let subject =
        r#"sh -c 'read a; echo "{\"name\":\"a\",\"operations\":[\"short_id\"]}"; read a; echo sad >&2; exit 5'"#;
    let report = folder.path().join("out");
    let report = report.to_str().unwrap();
    let (_, out, _) = run(&mut turnproof(&["test", "--cases", "3", "--subject", subject, "--report", report]));
    assert!(out.contains("\ncrashed: short_id (from case "), "{out}");
    assert!(out.contains("the subject crashed: it ended before it answered, with exit code 5; expected an answer"));
    assert!(out.contains("\n  standard error: sad\n"), "{out}");
    assert!(out.contains("\nno rule was exercised, 3 cases crashed\n") && !out.contains("broken: "), "{out}");
    for (file, words) in [
        ("report.jsonl", r#"{"kind":"crash","operation":"short_id","crash":"crashed","#),
        ("report.jsonl", r#""broken":0,"crashed":3,"#),
        ("junit.xml", r#"<testcase name="short_id" classname="turnproof.crashes">"#),
        ("junit.xml", r#"<error message="the subject crashed: it ended"#),
        ("report.html", "No rule was exercised, 3 cases crashed"),
        ("report.html", "The subject gave no answer, so no rule could judge the case."),
        ("report.jsonl", "standard error: sad"),
        ("junit.xml", "standard error: sad"),
        ("report.html", "standard error: sad"),
        ("report.jsonl", "turnproof test --subject "),
    ] {
        let text = std::fs::read_to_string(folder.path().join("out").join(file)).unwrap();
        assert!(text.contains(words), "{file}: {words}");
    }
}

#[test]
fn smoke_says_what_is_wrong() {
    let (code, out, _) = run(&mut turnproof(&["smoke", "--subject", &itself("serve")]));
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("right  play: its answer has the right shape\n"));
    let chatty = ["smoke", "--format", "json", "--subject", "sh docs/samples/chatty.sh"];
    let (code, out, _) = run(&mut turnproof(&chatty));
    assert_eq!(code, 1);
    let wrong = out.lines().find(|line| line.contains(r#""verdict":"wrong""#)).unwrap();
    assert!(wrong.contains("it printed a line that is no answer: thinking about it; standard output is for answers"));
    assert_eq!(run(&mut turnproof(&["smoke", "--subject", "sh -c 'exit 1'"])).0, 3);
}

#[test]
fn the_schema_in_the_repository_is_the_one_that_is_printed() {
    let (code, out, _) = run(&mut turnproof(&["schema"]));
    assert_eq!(code, 0);
    let stored = std::fs::read_to_string("schema/subject.json").unwrap();
    assert!(out == stored, "write it anew: turnproof schema >schema/subject.json");
}

#[test]
fn the_sample_in_python_speaks_the_protocol_and_is_wrong() {
    if !has_python() {
        return;
    }
    let subject = "python3 docs/samples/subject.py";
    let (code, out, _) = run(&mut turnproof(&["smoke", "--subject", subject]));
    assert_eq!(code, 0, "{out}");
    let rules = ["test", "--cases", "60", "--rules", "pairing/result-follows-use", "--subject", subject];
    let (code, out, errors) = run(turnproof(&rules).args(["--timeout", "60s"]));
    assert_eq!((code, errors.as_str()), (1, ""), "{out}");
    assert!(out.contains("\nbroken: pairing/result-follows-use (from case "), "{out}");
    assert!(out.contains("\n  answer to `normalize_api`: {"), "{out}");
}
