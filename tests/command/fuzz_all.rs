//! `turnproof fuzz-all` with programs that only look like fuzz targets: shell scripts that print what libFuzzer prints.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// What every script begins with: its arguments read, its start noted.
const HEAD: &str = r#"#!/bin/sh
new= corpus= merge=
for argument; do
  case $argument in
    -artifact_prefix=*) artifacts=${argument#*=} ;;
    -max_total_time=*) time=${argument#*=} ;;
    -merge=1) merge=1 ;;
    -*) ;;
    *) if [ -n "$merge" ] && [ -z "$new" ]; then new=$argument; elif [ -z "$corpus" ]; then corpus=$argument; fi ;;
  esac
done
if [ -n "$merge" ]; then
  [ -f "$corpus/kept" ] && cp "$corpus/kept" "$new/"
  exit 0
fi
echo "$@" >>"$0.starts"
"#;

/// A run that ends with its time, 500 executions later.
const WELL: &str = r#"
printf '#1\tINITED cov: 10 ft: 12 corp: 3/9b exec/s: 0 rss: 9Mb\n' >&2
echo one >"$corpus/kept"; echo two >"$corpus/other"
sleep "$time"
printf '#500\tDONE   cov: 11 ft: 13 corp: 4/12b lim: 4096 exec/s: 100 rss: 9Mb\n' >&2
echo 'stat::number_of_executed_units: 500' >&2
exit 0
"#;

/// A law that is broken at once.
const PANICS: &str = r#"
printf '#2\tpulse  exec/s: 0 rss: 26Mb\n' >&2
printf 'input' >"${artifacts}crash-00ff"
cat >&2 <<END

thread '<unnamed>' ($$) panicked at src/fuzzing/parse.rs:6:20:
lines are kept: one of $$ is not
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace
==$$== ERROR: libFuzzer: deadly signal
SUMMARY: libFuzzer: deadly signal
artifact_prefix='$artifacts'; Test unit written to ${artifacts}crash-00ff
stat::number_of_executed_units: 4
END
exit 77
"#;

struct Place {
    root: TempDir,
}

impl Place {
    /// A fuzz crate with these programs in the folder `programs`.
    fn new(programs: &[(&str, &str)]) -> Self {
        let place = Self { root: TempDir::new().unwrap() };
        fs::create_dir_all(place.path("fuzz/src")).unwrap();
        let manifest = "[package]\nname = \"fake\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
        fs::write(place.path("fuzz/Cargo.toml"), manifest).unwrap();
        fs::write(place.path("fuzz/src/lib.rs"), "").unwrap();
        for (name, script) in programs {
            place.put(&format!("programs/{name}"), script);
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn put(&self, name: &str, script: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("{HEAD}{script}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"));
        command.arg("fuzz-all").args(arguments).current_dir(self.root.path());
        command.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET_DIR");
        command
    }

    /// Code, standard output and standard error of a call that runs the programs.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        told(self.command(&["--programs", "programs"]).args(arguments).output().unwrap())
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(name)).unwrap()).unwrap()
    }

    fn summary(&self) -> Value {
        self.json("fuzz/night/summary.json")
    }

    /// How often a program was started to fuzz.
    fn starts(&self, program: &str) -> u64 {
        let starts = fs::read_to_string(self.path(&format!("programs/{program}.starts")));
        starts.unwrap_or_default().lines().count() as u64
    }

    /// The names in a folder, in order.
    fn names(&self, folder: &str) -> Vec<String> {
        names(&self.path(folder))
    }
}

fn names(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let name = |entry: Result<fs::DirEntry, _>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

fn told(output: Output) -> (i32, String, String) {
    let Output { status, stdout, stderr } = output;
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn a_target_that_crashes_at_once_is_filed_once_counted_and_does_not_spin() {
    let place = Place::new(&[("parse", PANICS)]);
    let (code, out, error) = place.run(&["--time", "6s", "--slice", "3s", "parse"]);
    assert_eq!(code, 1, "{out}{error}");
    // Five a slice, and two slices.
    let starts = place.starts("parse");
    assert!((2..=10).contains(&starts), "{starts} starts");
    let cases = place.names("tests/regressions/fuzz/parse");
    assert_eq!(cases.len(), 1, "{cases:?}");
    assert!(cases[0].starts_with("lines-are-kept-"), "{cases:?}");
    assert_eq!(fs::read(place.path("tests/regressions/fuzz/parse").join(&cases[0])).unwrap(), b"input");
    let summary = place.summary();
    let find = &summary["finds"][0];
    assert_eq!((summary["finds"].as_array().unwrap().len(), &find["times"]), (1, &Value::from(starts)));
    assert_eq!((&find["kind"], &find["words"]), (&Value::from("panic"), &Value::from("lines are kept")));
    assert_eq!(find["place"], "src/fuzzing/parse.rs:6:20");
    assert_eq!((&find["is_new"], &find["is_smaller"]), (&Value::from(true), &Value::from(false)));
    assert_eq!(summary["targets"][0]["slices"], 2);
    assert_eq!(summary["executions"], 4 * starts);
    assert!(error.contains("found in parse: lines are kept: tests/regressions/fuzz/parse/lines-"), "{error}");
    assert!(out.contains("replay: cargo run -p turnproof-fuzz --bin parse -- tests/regressions/"), "{out}");
    assert_eq!(fs::read_to_string(place.path("fuzz/night/summary.txt")).unwrap(), out);
}

#[test]
fn what_was_found_in_an_earlier_night_is_known_until_it_is_forgotten() {
    let place = Place::new(&[("parse", PANICS)]);
    place.run(&["--time", "2s", "parse"]);
    let case = place.names("tests/regressions/fuzz/parse").remove(0);
    // Another input of the same kind.
    place.put("programs/parse", &PANICS.replace("printf 'input'", "printf 'other'"));
    let (code, out, error) = place.run(&["--time", "2s", "parse"]);
    assert_eq!(code, 1, "what comes again is found again: {out}{error}");
    assert!(out.contains(", known since 20"), "{out}");
    assert_eq!(place.names("tests/regressions/fuzz/parse"), [case.as_str()]);
    assert_eq!(place.summary()["finds"][0]["is_new"], false);
    let (_, _, error) = place.run(&["--time", "2s", "--fresh", "parse"]);
    assert!(!error.contains("the night of"), "nothing was left to go on with: {error}");
    assert_eq!(place.names("tests/regressions/fuzz/parse").len(), 2);
    assert_eq!(place.summary()["finds"][0]["is_new"], true);
}

#[test]
fn targets_share_the_cores_and_their_corpora_are_merged() {
    let place = Place::new(&[("parse", WELL), ("crash", PANICS), ("resume", WELL)]);
    let call =
        ["--time", "6s", "--slice", "2s", "--jobs", "2", "parse", "crash", "resume", "--format", "json"];
    let (code, out, error) = place.run(&call);
    assert_eq!(code, 1, "{out}{error}");
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary, place.summary());
    let by_name = |name: &str| {
        let targets = summary["targets"].as_array().unwrap();
        targets.iter().find(|target| target["target"] == name).unwrap().clone()
    };
    let crash = by_name("crash");
    for name in ["parse", "resume"] {
        let target = by_name(name);
        let slices = target["slices"].as_u64().unwrap();
        assert!(slices >= 1 && slices == place.starts(name), "{target}");
        assert_eq!(target["executions"], 500 * slices);
        assert_eq!((&target["coverage"], &target["corpus"]), (&Value::from(11), &Value::from(4)));
        assert_eq!(target["merged"], serde_json::json!({"before": 2, "after": 1}));
        assert_eq!(place.names(&format!("fuzz/corpus/{name}")), ["kept"]);
        let apart = slices.abs_diff(crash["slices"].as_u64().unwrap());
        assert!(apart <= 1, "who crashes gets no more and no fewer slices: {summary}");
    }
    assert_eq!((&crash["finds"], &crash["merged"]), (&Value::from(1), &Value::Null));
    assert_eq!(place.names("fuzz/corpus"), ["crash", "parse", "resume"]);
    let line = error.lines().find(|line| line.contains("] parse: ")).unwrap();
    assert!(line.contains("500 executions (") && line.contains("coverage 11, corpus 4"), "{line}");
    assert!(!error.contains('\u{1b}'), "no terminal, no colours: {error}");
}

#[test]
fn a_night_that_was_killed_goes_on_where_it_was() {
    let place = Place::new(&[("parse", WELL)]);
    let call = ["--programs", "programs", "--time", "8s", "--slice", "2s", "parse"];
    let mut command = place.command(&call);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let waited = Instant::now();
    let slices = || {
        let state = fs::read(place.path("fuzz/night/state.json")).ok();
        let state: Option<Value> = state.and_then(|json| serde_json::from_slice(&json).ok());
        state.and_then(|state| state["targets"]["parse"]["slices"].as_u64()).unwrap_or(0)
    };
    while slices() == 0 && waited.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = slices();
    assert!(before >= 1, "no slice in a minute");
    let (code, out, error) = told(place.command(&call).output().unwrap());
    assert_eq!(code, 0, "{out}{error}");
    assert!(error.contains("going on with the night of 20"), "{error}");
    let summary = place.summary();
    let target = &summary["targets"][0];
    let slices = target["slices"].as_u64().unwrap();
    assert!(slices > before, "{summary}");
    // The slice that was killed, if it had begun, is in no account.
    assert!((slices..=slices + 1).contains(&place.starts("parse")), "{summary}");
    assert_eq!(target["executions"], 500 * slices);
    // The last start is a second before the end at the latest.
    assert!(summary["done_seconds"].as_f64().unwrap() >= 7.0, "{summary}");
    assert!(summary["ended"].is_string(), "{summary}");
}

#[test]
fn an_input_of_the_corpus_that_crashes_is_taken_out_of_it() {
    let script = format!("if [ -f \"$corpus/00ff\" ]; then\n{PANICS}\nfi\n{WELL}");
    let place = Place::new(&[("parse", &script)]);
    fs::create_dir_all(place.path("fuzz/corpus/parse")).unwrap();
    fs::write(place.path("fuzz/corpus/parse/00ff"), "input").unwrap();
    let (code, _, error) = place.run(&["--time", "4s", "--slice", "4s", "parse"]);
    assert_eq!((code, place.starts("parse")), (1, 2), "{error}");
    assert_eq!(place.summary()["executions"], 504);
    assert_eq!(place.names("fuzz/artifacts/parse"), ["crash-00ff"]);
    assert_eq!(place.names("fuzz/corpus/parse"), ["kept"]);
}

#[test]
fn a_target_that_dies_without_a_word_is_found_without_a_case() {
    let place = Place::new(&[("parse", "printf '#7\\tpulse  exec/s: 0 rss: 26Mb\\n' >&2\nkill -SEGV $$\n")]);
    let (code, out, _) = place.run(&["--time", "2s", "parse"]);
    assert_eq!(code, 1);
    assert!(out.contains("SIGSEGV") && out.contains("no case: the input is lost"), "{out}");
    assert_eq!(place.names("tests/regressions/fuzz/parse"), [""; 0]);
}

#[test]
fn a_program_that_cannot_work_is_exit_code_4_with_its_own_words() {
    let refuses = "echo 'ERROR: The required directory \"x\" does not exist' >&2\nexit 1\n";
    let place = Place::new(&[("parse", refuses)]);
    let (code, out, error) = place.run(&["--time", "2s", "parse"]);
    assert_eq!((code, place.starts("parse")), (4, 1), "{out}{error}");
    assert!(out.contains("parse: ended with 1: The required directory \"x\" does not exist"), "{out}");
}

#[test]
fn without_programs_nothing_runs_and_that_is_exit_code_4() {
    let place = Place::new(&[]);
    let (code, out, error) = place.run(&["--time", "2s", "parse"]);
    assert_eq!((code, out.as_str()), (4, ""));
    assert!(error.contains("parse has no program programs/parse"), "{error}");
}

#[test]
fn programs_are_looked_for_where_cargo_fuzz_puts_them() {
    let place = Place::new(&[]);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let version = String::from_utf8(Command::new(cargo).arg("-vV").output().unwrap().stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    place.put(&format!("fuzz/target/{host}/release/protocol"), WELL);
    let output = place.command(&["--no-build", "--time", "1s", "protocol"]).output().unwrap();
    let (code, out, error) = told(output);
    assert_eq!(code, 0, "{out}{error}");
    assert_eq!(place.summary()["executions"], 500);
}

#[test]
fn targets_are_built_first_and_what_is_missing_for_that_is_told() {
    let place = Place::new(&[]);
    let build = |cargo: &str, arguments: &[&str]| {
        place.put("cargo", cargo);
        let mut command = place.command(&["--time", "1s", "crash"]);
        told(command.args(arguments).env("CARGO", place.path("cargo")).output().unwrap())
    };
    let (code, out, error) = build("exit 101", &[]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("install it: cargo install cargo-fuzz --locked"), "{error}");
    let fails = r#"
case "$1 $2" in
  "-vV ") echo "host: some-host" ;;
  "fuzz build") echo "this does not build"; exit 1 ;;
esac"#;
    let (code, out, error) = build(fails, &[]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.contains("this does not build\nturnproof: the targets cannot be built"), "{error}");
    let (_, _, error) = build(fails, &["--sanitizer", "address"]);
    assert!(error.contains("RUSTUP_TOOLCHAIN=nightly"), "{error}");
    let calls = fs::read_to_string(place.path("cargo.starts")).unwrap();
    for sanitizer in ["none", "address"] {
        let call = format!("fuzz build --sanitizer {sanitizer} --target some-host --fuzz-dir fuzz crash");
        assert!(calls.lines().any(|line| line == call), "{calls}");
    }
}

#[test]
fn a_wrong_call_is_exit_code_2_with_advice() {
    let place = Place::new(&[("parse", WELL)]);
    for (arguments, advice) in [
        (&["--time", "2s", "nope"][..], "no target matches `nope`; there are parse, "),
        (&["--time", "0"], "--time is less than a second"),
        (&["--time", "8 parsecs"], "invalid value '8 parsecs'"),
        (&["--time", "2s", "--jobs", "0"], "invalid value '0'"),
        (&["--time", "2s", "--fuzz-dir", "elsewhere"], "or name the folder with --fuzz-dir"),
        (&["parse"], "--time <TIME>"),
    ] {
        let (code, out, error) = place.run(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(error.contains(advice), "{arguments:?}: {error}");
    }
    assert_eq!(place.starts("parse"), 0);
}

#[test]
fn its_help_has_examples_and_says_what_exit_codes_mean() {
    let place = Place::new(&[]);
    let (code, out, _) = told(place.command(&["--help"]).output().unwrap());
    assert_eq!(code, 0);
    assert!(
        out.contains("  turnproof fuzz-all --time 8h ") && out.contains("Exit codes:\n   0  nothing"),
        "{out}"
    );
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
}
