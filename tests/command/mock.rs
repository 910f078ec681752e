//! `turnproof mock`: a command is run against it, requests are judged, and it ends when it is told to.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::call::{run, turnproof};

const LEGAL: &str = r#"{"model":"claude-sonnet-4-5","max_tokens":50,"messages":[{"role":"user","content":"a"}]}"#;
const ILLEGAL: &str = r#"{"model":"claude-sonnet-4-5","max_tokens":50,"messages":[]}"#;

/// The answer to a body that is sent to the mock at `url`.
fn post(url: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(url.trim().trim_start_matches("http://")).expect("it listens");
    let head = "POST /v1/messages HTTP/1.1\r\nhost: a\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\n";
    write!(stream, "{head}connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// A mock that prints JSON, what it prints, and its address.
fn started(more: &[&str]) -> (Child, BufReader<ChildStdout>, String) {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"));
    command.args(["mock", "--format", "json"]).args(more);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it runs");
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let url = serde_json::from_str::<Value>(&line).unwrap()["url"].as_str().unwrap().to_owned();
    (child, out, url)
}

/// Ends it by a signal; gives its exit code and what else it prints.
fn ended(mut child: Child, mut out: BufReader<ChildStdout>, signal: &str) -> (Option<i32>, String) {
    let start = Instant::now();
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    let code = child.wait().unwrap().code();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    (code, rest)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_mock_judges_until_a_signal_ends_it() {
    let (child, out, url) = started(&[]);
    assert!(post(&url, LEGAL).starts_with("HTTP/1.1 200"));
    let (code, rest) = ended(child, out, "-INT");
    assert_eq!(code, Some(0), "{rest}");
    let (child, out, url) = started(&[]);
    assert!(post(&url, LEGAL).contains("Reply 1 to 1 turn, the last: a"));
    assert!(post(&url, ILLEGAL).contains("messages: at least one message is required"));
    let (code, rest) = ended(child, out, "-TERM");
    let lines = lines(&rest);
    assert_eq!(code, Some(1), "{rest}");
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["request", "request", "violation", "summary"]);
    assert_eq!((&lines[1]["legal"], &lines[1]["status"]), (&false.into(), &400.into()));
    assert_eq!(lines[2]["rule"], "api/first-user");
}

#[test]
fn faults_that_no_request_got_are_named_at_the_end() {
    let (child, out, url) = started(&["--faults", "529,cut-event=5"]);
    assert!(post(&url, LEGAL).starts_with("HTTP/1.1 529"));
    let (code, rest) = ended(child, out, "-INT");
    let lines = lines(&rest);
    assert_eq!((code, &lines[1]["never_played"]), (Some(0), &json!(["fault cut-event=5"])), "{rest}");
    let (code, _, error) = run(&mut turnproof(&["mock", "--faults", "529,cut-event=5", "--", "true"]));
    assert_eq!(code, 4, "{error}");
    assert!(error.contains("\nnever played, since no request came for it: fault 529, fault cut-event=5\n"), "{error}");
    let (_, _, error) = run(&mut turnproof(&["mock", "--", "true"]));
    assert!(!error.contains("never played"), "{error}");
}

#[test]
fn it_ends_at_once_while_a_stream_waits() {
    let (child, out, url) = started(&["--faults", "slow-start=60000"]);
    let mut stream = TcpStream::connect(url.trim_start_matches("http://")).unwrap();
    let head = "POST /v1/messages HTTP/1.1\r\nhost: a\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\n";
    write!(stream, "{head}content-length: {}\r\n\r\n{LEGAL}", LEGAL.len()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(ended(child, out, "-TERM").0, Some(0));
}

/// What `turnproof mock` with a command of the shell comes to, which waits while `meanwhile` uses the mock.
fn with_command(folder: &Path, more: &[&str], meanwhile: impl FnOnce(&str) + Send) -> (i32, String) {
    let (address, done) = (folder.join("address"), folder.join("done"));
    let script = format!(
        "printf %s \"$ANTHROPIC_BASE_URL\" > {0}.new; mv {0}.new {0}; until test -e {1}; do sleep 0.05; done",
        address.display(),
        done.display()
    );
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !address.exists() {
                std::thread::sleep(Duration::from_millis(20));
            }
            meanwhile(&fs::read_to_string(&address).unwrap());
            fs::write(&done, "").unwrap();
        });
        let (code, _, error) = run(&mut turnproof(&[&["mock"], more, &["--", "sh", "-c", &script]].concat()));
        (code, error)
    })
}

#[test]
fn a_command_runs_against_it_and_the_exit_code_says_what_came_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let (code, error) = with_command(folder.path(), &[], |url| assert!(post(url, LEGAL).starts_with("HTTP/1.1 200")));
    assert_eq!(code, 0, "{error}");
    assert!(error.contains("1 request, 1 judged: all legal"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let more = ["--junit", &file("junit.xml"), "--sarif", &file("found.sarif"), "--record", &file("requests")];
    let (code, error) = with_command(folder.path(), &more, |url| assert!(post(url, ILLEGAL).contains("at least one")));
    assert_eq!(code, 1, "{error}");
    assert!(error.contains("= the API answers: messages: at least one message is required"), "{error}");
    let junit = fs::read_to_string(file("junit.xml")).unwrap();
    assert!(junit.contains("failures=\"1\"") && junit.contains("api/first-user"), "{junit}");
    let sarif: Value = serde_json::from_str(&fs::read_to_string(file("found.sarif")).unwrap()).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "api/first-user");
    let (code, out, error) = run(&mut turnproof(&["check", "--recordings", &file("requests")]));
    assert_eq!(code, 0, "{out}{error}");
    assert!(out.contains("1 of 1 refused requests that are not legal have the recorded words"), "{out}");
}

#[test]
fn a_command_that_fails_or_asks_nothing_is_no_success() {
    let of = |script: &str| run(&mut turnproof(&["mock", "--", "sh", "-c", script]));
    assert_eq!(of("exit 0").0, 4);
    let (code, _, error) = of("exit 5");
    assert_eq!(code, 3, "{error}");
    assert!(error.contains("the command failed: exit status: 5"), "{error}");
    assert_eq!(run(&mut turnproof(&["mock", "--", "no-such-command-here"])).0, 2);
    assert_eq!(run(&mut turnproof(&["mock", "--faults", "cut"])).0, 2);
    assert_eq!(run(&mut turnproof(&["mock", "--script", "no-such-file.toml"])).0, 2);
}

#[test]
fn the_schema_of_scripts_is_the_stored_one() {
    let (code, out, _) = run(&mut turnproof(&["schema", "--of", "script"]));
    assert_eq!(code, 0);
    let stored = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema/script.json")).unwrap();
    assert!(out == stored, "write it again: turnproof schema --of script >schema/script.json");
}

#[test]
fn lines_on_standard_input_say_what_is_played_and_their_end_is_the_end() {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"));
    let mut child = command.args(["mock", "--control"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, mut out) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let read = |out: &mut BufReader<ChildStdout>| -> Value {
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let url = read(&mut out)["url"].as_str().unwrap().to_owned();
    let mut say = |line: &str| writeln!(input, "{line}").unwrap();
    say(r#"{"script":{"step":[{"text":"as the line says"}]},"faults":"529"}"#);
    assert_eq!(read(&mut out)["kind"], "ready");
    assert!(post(&url, LEGAL).starts_with("HTTP/1.1 529"));
    assert!(post(&url, LEGAL).contains("as the line says"));
    post(&url, ILLEGAL);
    say("{}");
    let seen: Vec<Value> = (0..3).map(|_| read(&mut out)).collect();
    assert_eq!(seen.iter().map(|line| line["status"].clone()).collect::<Vec<_>>(), [529, 200, 400]);
    assert_eq!(seen[1]["report"], Value::Null);
    let report = seen[2]["report"].as_str().unwrap();
    assert!(report.contains("  --> request 3: messages\n"), "{report}");
    assert_eq!(read(&mut out)["kind"], "violation");
    assert_eq!(read(&mut out)["kind"], "ready", "behind what came before it");
    for wrong in [r#"{"script":{"steps":[]}}"#, r#"{"faults":"never"}"#, r#"{"replies_b64":"?"}"#, "{"] {
        say(wrong);
        let answer = read(&mut out);
        assert_eq!(answer["kind"], "refused", "{wrong}");
        assert!(!answer["error"].as_str().unwrap().is_empty(), "{wrong}");
    }
    drop(input);
    assert_eq!(read(&mut out)["kind"], "summary");
    assert_eq!(child.wait().unwrap().code(), Some(1), "a request was not legal");
}

#[test]
fn a_recorded_run_is_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let kept = folder.path().join("requests").display().to_string();
    let streamed = LEGAL.replacen('{', "{\"stream\":true,", 1).replace("\"a\"", "\"b\"");
    let bodies = [LEGAL, &streamed];
    let body = |answer: String| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    let (child, out, url) = started(&["--seed", "3", "--record", &kept]);
    let first = bodies.map(|asked| body(post(&url, asked)));
    ended(child, out, "-TERM");
    let (child, out, url) = started(&["--replay", &kept]);
    let mut again = [bodies[1], bodies[0]].map(|asked| body(post(&url, asked)));
    again.reverse();
    let (code, rest) = ended(child, out, "-TERM");
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!((code, &again[1], json(&again[0])), (Some(0), &first[1], json(&first[0])));
    let notes: Vec<Value> = lines(&rest).into_iter().map(|line| line["notes"][0].clone()).collect();
    assert!(notes[0].as_str().unwrap().ends_with("0002.json, exchange 1"), "{notes:?}");
    let nothing = folder.path().join("nothing");
    fs::create_dir(&nothing).unwrap();
    let (code, _, error) = run(&mut turnproof(&["mock", "--replay", &nothing.display().to_string(), "--", "true"]));
    assert_eq!(code, 2, "{error}");
    assert!(error.contains("there is no recorded answer in"), "{error}");
}
