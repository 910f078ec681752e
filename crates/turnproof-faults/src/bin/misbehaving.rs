//! A *misbehaving* program: a subject that does not keep to the protocol, in the way that its first argument names.
//! `fault` keeps to it, and answers as the fault that the second argument names; `reference` answers as it should;
//! `reader` reads files as it should, and misbehaves at those that hold a NUL byte.

use std::io::{self, BufRead, Write};
use std::process::exit;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use turnproof_faults::find;
use turnproof_rules::json;
use turnproof_rules::operation::{Parsed, Value};
use turnproof_suite::subject::program::wire::Announcement;
use turnproof_suite::subject::program::{METHODS, serve};
use turnproof_suite::subject::{Outcome, Reference, Subject};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let behaviour = arguments.next().unwrap_or_default();
    match behaviour.as_str() {
        "fault" => answer_as(&arguments.next().unwrap_or_default()),
        "reference" => reference(),
        "once" => once(),
        "reader" => read(&arguments.next().unwrap_or_default()),
        "stub" => stub(),
        behaviour => misbehave(behaviour),
    }
}

/// Answers as a fault, one operation of it.
fn answer_as(id: &str) {
    let fault = find(id).unwrap_or_else(|| panic!("`{id}` is no fault"));
    let operation = id.split('/').next().unwrap_or_default();
    let others: &[&str] = match operation {
        "normalize_api" => &["normalize_api_incremental"],
        "fold" => &["unfold", "bridge"],
        // Going on after a resume is recording.
        "resume" => &["record"],
        _ => &[],
    };
    let announcement = Announcement {
        name: id.to_owned(),
        operations: [operation].iter().chain(others).map(|&name| name.to_owned()).collect(),
        lone_surrogates: true,
        ..Announcement::default()
    };
    serve(fault, &announcement, &mut io::stdin().lock(), &mut io::stdout().lock()).expect("lines of the protocol");
}

/// Answers each question as it should be answered.
fn reference() {
    let operations = METHODS.iter().copied().map(str::to_owned).collect();
    let announcement = Announcement { name: "reference".to_owned(), operations, ..Announcement::default() };
    serve(&Reference, &announcement, &mut io::stdin().lock(), &mut io::stdout().lock()).expect("lines of the protocol");
}

/// Reads files, and misbehaves at some.
fn read(behaviour: &str) {
    let operations = vec!["parse".to_owned()];
    let announcement = Announcement { name: behaviour.to_owned(), operations, ..Announcement::default() };
    let reader = Reader { behaviour: behaviour.to_owned(), asked: AtomicUsize::new(0) };
    serve(&reader, &announcement, &mut io::stdin().lock(), &mut io::stdout().lock()).expect("lines of the protocol");
}

/// A reader that misbehaves at files that hold a NUL byte.
struct Reader {
    behaviour: String,
    asked: AtomicUsize,
}

impl Subject for Reader {
    fn name(&self) -> &str {
        &self.behaviour
    }

    fn parse(&self, bytes: &[u8]) -> Outcome<Parsed> {
        let right = Reference.parse(bytes);
        if !bytes.contains(&0) {
            return right;
        }
        match self.behaviour.as_str() {
            "dies" => {
                let place = "File \"/far/away/reader.py\", line 7, in parse";
                eprintln!("Traceback:\n  {place}\nValueError: NUL in {} bytes", bytes.len());
                exit(7)
            }
            "hangs" => sleep(Duration::from_secs(60)),
            "grows" => {
                let mut hoard: Vec<Vec<u8>> = Vec::new();
                loop {
                    hoard.push(vec![1; 1 << 20]);
                    sleep(Duration::from_millis(1));
                }
            }
            "prints" => print(&format!("NUL in {} bytes", bytes.len())),
            "loses" | "remembers" => {
                let is_first = self.asked.fetch_add(1, Ordering::Relaxed).is_multiple_of(2);
                let Outcome::Output(mut parsed) = right else { return right };
                if self.behaviour == "loses" || !is_first {
                    parsed.records.clear();
                }
                return Outcome::Output(parsed);
            }
            _ => {}
        }
        right
    }
}

/// Answers each question with no turns, and does not look at it: as fast as a program can be.
fn stub() {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        let text = String::from_utf8_lossy(&line[..line.len().min(40)]);
        let answer = match text.split_once("\"seq\":") {
            Some((_, rest)) => {
                let seq = rest.split(',').next().unwrap_or_default();
                format!("{{\"seq\":{seq},\"output\":{{\"messages\":[]}}}}\n")
            }
            None if text.contains("stop") => return,
            None => "{\"name\":\"stub\",\"operations\":[\"normalize_api\"]}\n".to_owned(),
        };
        if output.write_all(answer.as_bytes()).and_then(|()| output.flush()).is_err() {
            return;
        }
        line.clear();
    }
}

/// Answers one question and ends: refuses ids that are no UUID, dies of the empty one.
fn once() {
    let mut question = String::new();
    io::stdin().lock().read_line(&mut question).expect("a question");
    let question: Value = serde_json::from_str(&question).expect("JSON");
    let uuid = question["input"]["uuid"].as_str().unwrap_or_default();
    match uuid.len() {
        0 => exit(3),
        36 => say(&json!({"output": {"short_id": uuid[..6].to_owned()}})),
        _ => {
            eprintln!("this is no UUID");
            exit(1)
        }
    }
}

/// Answers `start`, and then misbehaves at each question, or at some.
fn misbehave(behaviour: &str) {
    let mut hoard: Vec<Vec<u8>> = Vec::new();
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let command: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        match command["cmd"].as_str() {
            Some("start") => start(behaviour),
            Some("stop") if behaviour == "ignores-stop" => sleep(Duration::from_secs(60)),
            Some("stop") if behaviour == "bad-exit" => exit(9),
            Some("stop") => return,
            _ => run(behaviour, number, &command, &mut hoard),
        }
    }
    if behaviour == "ignores-stop" {
        sleep(Duration::from_secs(60));
    }
}

fn start(behaviour: &str) {
    match behaviour {
        "dies-at-start" => {
            eprintln!("no licence");
            exit(4)
        }
        "unknown-operation" => say(&json!({"name": behaviour, "operations": ["short_id", "make_tea"]})),
        "announces-nothing" => say(&json!({"name": behaviour, "operations": []})),
        _ => say(&json!({"name": behaviour, "version": "1.2", "operations": ["short_id"]})),
    }
}

fn run(behaviour: &str, number: usize, command: &Value, hoard: &mut Vec<Vec<u8>>) {
    let seq = &command["seq"];
    let uuid = command["input"]["uuid"].as_str().unwrap_or_default();
    let right = json!({"seq": seq, "output": {"short_id": uuid.chars().take(6).collect::<String>()}});
    match behaviour {
        "hangs" => sleep(Duration::from_secs(60)),
        "dies" => {
            eprintln!("cannot go on");
            exit(7)
        }
        "aborts" => std::process::abort(),
        "dies-of-some" if uuid.contains('a') => exit(7),
        "floods-output" => flood(&mut io::stdout()),
        "floods-errors" => flood(&mut io::stderr()),
        "chats-on-errors" => {
            eprintln!("{}", "chat ".repeat(40_000));
            say(&right);
        }
        "wrong-seq" => say(&json!({"seq": number + 70, "output": {"short_id": "a"}})),
        "answers-twice" => {
            say(&right);
            say(&right);
        }
        "no-seq" => say(&json!({"output": {"short_id": "a"}})),
        "garbage" => print("thinking about it"),
        "prints-before" => {
            print(&format!("debug: {uuid}"));
            say(&right);
        }
        "no-utf8" => drop(io::stdout().write_all(b"\xff\xfe\n")),
        "wrong-shape" => say(&json!({"seq": seq, "output": {"shortid": "a"}})),
        "says-nothing" => say(&json!({"seq": seq})),
        "grows" => loop {
            hoard.push(vec![1; 1 << 20]);
            sleep(Duration::from_millis(1));
        },
        "closes-output" => close("1>&-"),
        "closes-input" => close("0<&-"),
        "remembers" => {
            hoard.push(Vec::new());
            say(&json!({"seq": seq, "output": {"short_id": format!("a{:05}", hoard.len())}}));
        }
        "unsupported" => say(&json!({"seq": seq, "unsupported": "not today"})),
        "rejects" => say(&json!({"seq": seq, "rejected": {"message": "no"}})),
        _ => say(&right),
    }
}

fn flood(to: &mut dyn Write) {
    let much = [b'x'; 1 << 16];
    while to.write_all(&much).is_ok() {}
}

/// Becomes a shell that closes a stream and continues: there is no other way without `unsafe`.
fn close(stream: &str) {
    use std::os::unix::process::CommandExt;
    let error = std::process::Command::new("sh").arg("-c").arg(format!("exec {stream}; sleep 60")).exec();
    panic!("{error}");
}

fn say(answer: &Value) {
    print(&answer.to_string());
}

fn print(line: &str) {
    let mut output = io::stdout().lock();
    let _ = writeln!(output, "{line}");
    let _ = output.flush();
}
