//! Known deviations on the command line: where they are written down, how they are shown, and what fails all the same.

#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::call::{run, turnproof};

/// A subject that cuts ids that begin with `0`; with `crashes`, one that ends instead when an id begins with `02`.
fn cutter(crashes: bool) -> String {
    let cutter = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/samples/cutter.sh");
    let script = fs::read_to_string(cutter).unwrap();
    // Of other ids it says nothing, so that what is found is of one kind.
    let other = r#"case $id in 0*) ;; *) echo "{\"seq\":${seq%%[!0-9]*},\"unsupported\":\"\"}"; continue ;; esac"#;
    let crash = if crashes { "case $id in 02*) exit 5 ;; esac" } else { ":" };
    let script = script.replace("      printf", &format!("      {other}\n      {crash}\n      printf"));
    let folder = TempDir::new().unwrap().keep();
    let path = folder.join("cutter.sh");
    fs::write(&path, script).unwrap();
    format!("sh {}", path.display())
}

/// What comes of a run with this file of known deviations in its folder.
fn judged(toml: &str, arguments: &[&str]) -> (i32, String, String, TempDir) {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("turnproof.toml"), toml).unwrap();
    let inside = folder.path().join("a/b");
    fs::create_dir_all(&inside).unwrap();
    let mut command = turnproof(&["test", "--cases", "120", "--rules", "id/*"]);
    let (code, out, errors) = run(command.args(arguments).current_dir(inside));
    (code, out, errors, folder)
}

fn known(more: &str) -> String {
    format!("# Ours.\n\n[[test.known]]\nrule = \"id/short-form\"\nreason = \"ids are <cut> here\"\n{more}")
}

#[test]
fn what_is_known_is_shown_as_known_and_fails_no_run() {
    let subject = cutter(false);
    let (code, out, _, _) = judged("", &["--subject", &subject]);
    assert!(code == 1 && !out.contains("known:") && !out.contains("known to deviate"), "{out}");
    let (code, out, errors, folder) = judged(&known(""), &["--subject", &subject, "--report", "out"]);
    assert_eq!((code, errors.as_str()), (0, ""), "{out}");
    assert!(out.contains("  failed  known\n"), "{out}");
    assert!(out.contains("\n0 of 1 rule held, 1 is known to deviate\n"), "{out}");
    assert!(out.contains("\nknown: id/short-form: ids are <cut> here\n"), "{out}");
    assert!(!out.contains("broken: "), "{out}");

    let read = |name: &str| fs::read_to_string(folder.path().join("a/b/out").join(name)).unwrap();
    let junit = read("junit.xml");
    let document = roxmltree::Document::parse(&junit).unwrap();
    let skipped = document.descendants().find(|node| node.has_tag_name("skipped")).unwrap();
    assert_eq!(skipped.attribute("message"), Some("known: ids are <cut> here"));
    assert_eq!(skipped.parent().unwrap().attribute("name"), Some("id/short-form"));
    assert!(!junit.contains("<failure"), "{junit}");
    let lines: Vec<Value> = read("report.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_kind = |kind: &str| lines.iter().find(|line| line["kind"] == kind).unwrap();
    assert_eq!(of_kind("known")["fate"], "deviates");
    assert_eq!(of_kind("known")["source"], "turnproof.toml:4".replace("turnproof", &path_of(&folder)));
    assert_eq!((&of_kind("rule")["broken"], &of_kind("footer")["known"]), (&0.into(), &1.into()));
    assert!(of_kind("rule")["known"].as_u64() > Some(10));
    assert_eq!(of_kind("footer")["verdict"], "held");
    let page = read("report.html");
    assert!(page.contains("0 of 1 rule held, 1 known to deviate"));
    assert!(page.contains("ids are &lt;cut&gt; here") && page.contains("it deviates as is known"));
}

/// The path of the file in a folder without its ending, as it is shown from below it.
fn path_of(folder: &TempDir) -> String {
    folder.path().canonicalize().unwrap().join("turnproof").display().to_string()
}

#[test]
fn what_has_stopped_fails_the_run_and_says_where_it_stands() {
    let (code, out, errors, folder) = judged(&known(""), &["--report", "out"]);
    assert_eq!((code, errors.as_str()), (1, ""), "{out}");
    let place = format!("{}.toml:4", path_of(&folder));
    assert!(out.contains("\nstopped: id/short-form is known to deviate, and does not any more\n"), "{out}");
    assert!(out.contains("\n  known because: ids are <cut> here\n  the rule held in every case"), "{out}");
    assert!(out.contains(&format!("; take it out of the list ({place})")), "{out}");
    let read = |name: &str| fs::read_to_string(folder.path().join("a/b/out").join(name)).unwrap();
    assert!(read("junit.xml").contains("a known deviation has stopped: the rule held in every case"));
    assert!(read("report.jsonl").contains(r#""verdict":"stopped""#));
    assert!(read("report.html").contains("1 known deviation stopped"));
    // A part of a run cannot tell.
    assert_eq!(judged(&known(""), &["--shard", "1/2"]).0, 0);
}

#[test]
fn of_a_rule_with_a_known_case_another_kind_of_violation_fails() {
    let folder = TempDir::new().unwrap();
    let kept = folder.path().join("kept");
    fs::create_dir(&kept).unwrap();
    let kept_words = kept.display().to_string();
    let (_, out, _, _) = judged("", &["--subject", &cutter(false), "--regressions", &kept_words]);
    let file = fs::read_dir(&kept).expect(&out).next().unwrap().unwrap().path();
    let plan = out.lines().find_map(|line| line.strip_prefix("  plan: ")).unwrap();
    for case in [format!("\"{}\"", file.display()), format!("'{plan}'")] {
        let toml = known(&format!("case = {case}\nsubject = \"cutter\"\n"));
        assert_eq!(judged(&toml, &["--subject", &cutter(false)]).0, 0, "{toml}");
        let (code, out, _, _) = judged(&toml, &["--subject", &cutter(true)]);
        assert_eq!(code, 1, "{out}");
        assert!(out.contains("\n0 of 1 rule broken, 1 is known to deviate, "), "{out}");
        assert!(out.contains(" cases crashed\n") && out.contains("\ncrashed: short_id (from case "), "{out}");
        assert!(out.contains("\nknown: id/short-form: "), "{out}");
        let (code, out, _, _) = judged(&toml.replace("\"cutter\"", "\"*\""), &[]);
        assert!(code == 1 && out.contains("\n  its case does not break the rule as it did; take it out"), "{out}");
    }
}

#[test]
fn a_crash_is_known_by_its_kind_and_not_by_a_rule_alone() {
    let subject = cutter(true);
    let (code, out, _, _) = judged(&known(""), &["--subject", &subject]);
    assert!(code == 1 && out.contains("\n0 of 1 rule broken, 1 is known to deviate, "), "{out}");
    let both = known("") + &known("kind = \"crashed\"\n");
    let (code, out, _, _) = judged(&both, &["--subject", &subject]);
    assert!(code == 0 && !out.contains("crashed"), "{out}");
    let (code, out, _, _) = judged(&known("kind = \"timed-out\"\n"), &["--subject", &cutter(false)]);
    assert!(code == 1 && out.contains("broken: id/short-form"), "{out}");
}

#[test]
fn an_error_in_the_file_names_the_line_and_what_to_do() {
    let refused = |toml: &str| {
        let (code, out, errors, folder) = judged(toml, &[]);
        assert_eq!((code, out.as_str()), (2, ""), "{errors}");
        errors.replace(&path_of(&folder), "turnproof").trim_end().to_owned()
    };
    let begins = |toml: &str, words: &str| {
        let errors = refused(toml);
        assert!(errors.starts_with(&format!("turnproof: turnproof.toml:{words}")), "{errors}");
    };
    begins("\n[test\n", "2: ");
    begins("[tests]\n", "1: unknown field `tests`, expected `test` or `check`; it holds tables `[[test.known]]`");
    begins("[[test.known]]\nrule = \"id/short-form\"\n", "1: missing field `reason`; it holds tables");
    begins(&known("because = \"\"\n"), "6: unknown field `because`");
    begins(
        &known("").replace("short-form", "derived"),
        "4: there is no rule `id/derived`; did you mean id/derived-form",
    );
    begins(&known("").replace("id/short-form", "x"), "4: there is no rule");
    begins(&known("").replace("id/short-form", "chain/root"), "4: ");
    begins(&known("").replace("ids are <cut> here", " "), "5: the reason is empty; say why");
    begins(&known("case = \"none.json\"\n"), "6: ");
    assert!(refused(&known("case = \"none.json\"\n")).contains("No such file"), "names the file");
    begins(&known("case = '{}'\n"), "6: the plan is none: missing field");
    let (code, _, errors) = run(&mut turnproof(&["test", "--cases", "1", "--known", "none.toml"]));
    assert!(code == 2 && errors.starts_with("turnproof: none.toml: "), "{errors}");
}

#[test]
fn rules_are_left_out_by_an_exclamation_mark() {
    // Without stored cases, which take longer than all else.
    let folder = tempfile::tempdir().unwrap();
    let few = ["test", "--cases", "20", "--regressions", folder.path().to_str().unwrap()];
    let rules = |globs: &str| {
        let (code, out, errors) = run(&mut turnproof(&[&few[..], &["--rules", globs]].concat()));
        let names = out.lines().filter_map(|line| line.split_whitespace().next().filter(|word| word.contains('/')));
        (code, names.take_while(|name| !name.starts_with("attachment/")).map(str::to_owned).collect::<Vec<_>>(), errors)
    };
    let (code, names, _) = rules("id/*,!id/derived-*,!id/unique");
    assert_eq!((code, names), (0, vec!["id/short-form".to_owned()]));
    let (_, names, _) = rules("!engine/*");
    assert!(names.len() > 90 && !names.iter().any(|name| name.starts_with("engine/")), "{names:?}");
    let (code, _, errors) = rules("!engines/*");
    assert!(code == 2 && errors.contains("no rule matches `engines/*`"), "{errors}");
    let plain = ["--profile", "plain", "--rules", "every-client,!pairing/*"];
    let (code, out, _) = run(&mut turnproof(&[&few[..], &plain].concat()));
    assert!(code == 0 && out.contains("\nthinking/signed ") && !out.contains("\npairing/"), "{out}");
}
