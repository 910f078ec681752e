//! The program `night`, with programs that only look like fuzz targets: shell scripts that print what libFuzzer prints.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use turnproof::fuzzing::NORMALIZE_API;

/// A target that finds nothing, and of whose corpus a merge keeps one input of two.
const WELL: &str = r##"folders= found= smaller= time=
for argument; do
  case $argument in
    -artifact_prefix=*) found=${argument#*=} ;;
    -exact_artifact_path=*) smaller=${argument#*=} ;;
    -max_total_time=*) time=${argument#*=} ;;
    -*) ;;
    *) folders="$folders $argument" ;;
  esac
done
set -- "$*" $folders
crashes=0
case $1 in
  *-merge=1*) cp "$3/kept" "$2/"; exit ;;
  *-minimize_crash=1*) minimize "$2" ;;
  *-fork=*) echo one >"$2/kept"; echo two >"$2/other"; crash; sleep "$time" ;;
  *) replay "$2" ;;
esac
echo "#500: cov: 11 ft: 13 corp: 2 exec/s: 9 oom/timeout/crash: 0/0/$crashes time: 1s job: 1 dft_time: 0" >&2
"##;

/// Commands that make of it one that finds two inputs of one kind, and another input of a kind of its own.
const CRASHES: &str = r#"crash() { crashes=3; for name in 00ff 11ee 22dd; do echo $name$$ >"${found}crash-$name"; done; }
minimize() { grep -q 22dd "$1" || printf x >"$smaller"; exit; }
replay() {
  place=crates/turnproof-suite/src/fuzzing/parse.rs:6:20
  ! grep -q 22dd "$1" || place=crates/turnproof-suite/src/fuzzing/parse.rs:9:9
  printf "\nthread '<unnamed>' ($$) panicked at $place:\nlines are kept: $$ is not\n" >&2
  printf '==1== ERROR: libFuzzer: deadly signal\n' >&2
  exit 77
}
"#;

struct Place(TempDir);

impl Place {
    /// A repository with these programs.
    fn new(programs: &[(&str, &str)]) -> Self {
        let place = Self(TempDir::new().unwrap());
        for folder in ["fuzz", "programs"] {
            fs::create_dir(place.path(folder)).unwrap();
        }
        fs::write(place.path("fuzz/Cargo.toml"), "").unwrap();
        for (name, commands) in programs {
            let path = place.path("programs").join(name);
            let beginning = if commands.is_empty() { "crash() { :; }\n" } else { commands };
            fs::write(&path, format!("#!/bin/sh\n{beginning}{WELL}")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_night"));
        command.args(["--programs", "programs"]).args(arguments).current_dir(self.0.path());
        command
    }

    /// Code, standard output and standard error of a call.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
    }

    fn summary(&self) -> Value {
        let json = fs::read(self.path("fuzz/night/summary.json")).unwrap_or_default();
        serde_json::from_slice(&json).unwrap_or_default()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }
}

#[test]
fn targets_share_the_time_and_their_corpora_are_merged() {
    let place = Place::new(&[("parse", ""), ("resume", "")]);
    let (code, out, error) = place.run(&["--time", "4s", "parse", "res*"]);
    assert_eq!(code, 0, "{out}{error}");
    let summary = place.summary();
    for name in ["parse", "resume"] {
        let target = &summary["targets"][name];
        let figures = ["slices", "executions", "coverage", "corpus", "crashes"].map(|figure| &target[figure]);
        assert_eq!(figures, [1, 500, 11, 2, 0], "{target}");
        assert_eq!((&target["seconds"], &target["merged"]), (&Value::from(2), &serde_json::json!([2, 1])));
        assert_eq!(place.names(&format!("fuzz/corpus/{name}")), ["kept"]);
    }
    assert!(summary["ended"].is_string(), "{summary}");
    assert!(out.contains("\nresume                          2s          500       250        11"), "{out}");
    assert!(out.contains(": 4s of 4s, executions: 1000, finds: 0\n"), "{out}");
    assert_eq!(fs::read_to_string(place.path("fuzz/night/summary.txt")).unwrap(), out);
}

#[test]
fn each_kind_of_crash_is_filed_once_made_smaller_and_known_in_later_nights() {
    let place = Place::new(&[("parse", CRASHES)]);
    let folder = "tests/regressions/fuzz/parse";
    let (code, out, error) = place.run(&["--time", "1s", "parse"]);
    assert_eq!((code, error.matches("found in parse: lines are kept: ").count()), (1, 2), "{out}{error}");
    let cases = place.names(folder);
    assert_eq!(cases, ["lines-are-kept-00ff", "lines-are-kept-22dd"]);
    assert_eq!(fs::read(place.path(folder).join(&cases[0])).unwrap(), b"x");
    assert!(fs::read(place.path(folder).join(&cases[1])).unwrap().starts_with(b"22dd"));
    let find = &place.summary()["finds"][0];
    assert_eq!(
        (&find["place"], &find["times"]),
        (&"crates/turnproof-suite/src/fuzzing/parse.rs:6:20".into(), &2.into()),
        "{find}"
    );
    let replay = format!("replay: cargo run -p turnproof-fuzz --bin parse -- {folder}/{}", cases[0]);
    assert!(out.contains(&replay), "{out}");
    assert_eq!(place.names("fuzz/night/found/parse"), [""; 0]);
    let first = find["first"].clone();

    fs::remove_file(place.path(folder).join(&cases[1])).unwrap();
    let (code, out, error) = place.run(&["--time", "1s", "parse"]);
    assert_eq!((code, error.matches("found in parse: ").count()), (1, 1), "what was taken away: {out}{error}");
    assert_eq!((place.names(folder), &place.summary()["finds"][0]["first"]), (cases, &first));
}

#[test]
fn a_plan_is_filed_as_json() {
    let place = Place::new(&[("normalize_api", CRASHES)]);
    let (code, out, error) = place.run(&["--time", "1s", "normalize_api"]);
    assert_eq!(code, 1, "{out}{error}");
    let case = place.path("tests/regressions/fuzz/normalize_api/lines-are-kept-00ff.json");
    assert_eq!(NORMALIZE_API.plan(&fs::read(case).unwrap()), NORMALIZE_API.plan(b"x"));
}

#[test]
fn a_night_that_was_killed_goes_on_where_it_was() {
    let place = Place::new(&[("parse", ""), ("resume", CRASHES)]);
    let call = ["--time", "6s", "parse", "resume"];
    let mut child = place.command(&call).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let waited = Instant::now();
    let found = || place.names("fuzz/night/found/resume").len();
    while found() < 3 && waited.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = place.summary();
    assert_eq!((&before["targets"]["parse"]["slices"], found()), (&1.into(), 3), "{before}");
    let (code, out, error) = place.run(&call);
    assert!(code == 1 && error.contains("going on with the night of 20"), "{out}{error}");
    let after = place.summary();
    assert_eq!(after["began"], before["began"]);
    assert_eq!(after["targets"]["parse"]["slices"], 1, "{after}");
    assert_eq!(after["targets"]["resume"]["slices"], 1, "the slice that was killed counts for nothing: {after}");
    assert_eq!(after["finds"][0]["times"], 4, "what it found counts: {after}");
    assert_eq!(place.names("tests/regressions/fuzz/resume").len(), 2);
}

#[test]
fn a_program_that_cannot_work_gets_no_more_time_and_its_words_are_reported() {
    let place = Place::new(&[("parse", "echo 'ERROR: no such folder' >&2; exit 1\n")]);
    let (code, out, error) = place.run(&["--time", "9s", "parse"]);
    assert_eq!((code, &place.summary()["targets"]["parse"]["slices"]), (4, &1.into()), "{out}{error}");
    assert!(out.contains("  ERROR: no such folder\n"), "{out}");
}

#[test]
fn a_target_that_dies_without_an_input_is_reported() {
    let place = Place::new(&[("parse", "crash() { crashes=1; }\n")]);
    let (code, out, _) = place.run(&["--time", "1s", "parse"]);
    assert!(code == 1 && out.contains("  it crashed and left no input\n"), "{out}");
}

#[test]
fn a_wrong_call_is_exit_code_2_with_advice() {
    let place = Place::new(&[("parse", "")]);
    for (arguments, advice) in [
        (&["--time", "2s", "nope"][..], "no target matches `nope`; there are parse, "),
        (&["--time", "0s"], "less than a second"),
        (&["--time", "8 parsecs"], "invalid value '8 parsecs'"),
        (&["--time", "2s", "crash"], "programs/crash: No such file"),
        (&["parse"], "--time <TIME>"),
    ] {
        let (code, out, error) = place.run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(error.contains(advice), "{arguments:?}: {error}");
    }
}
