//! Whatever a file holds, a command that reads sessions takes no more than 600 MB of memory.
//!
//! It makes files of up to a gigabyte, and takes minutes: `TURNPROOF_LARGE=1 cargo test --test command bounded -- --nocapture`.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

const MOST: u64 = 600_000_000;

const MIB: usize = 1 << 20;

/// What a file is filled with.
type Fill = fn(&mut dyn Write) -> std::io::Result<()>;

const COMMANDS: &[&[&str]] = &[
    &["check"],
    &["check", "--verdict"],
    &["usage"],
    &["scrub"],
    &["requests"],
    &["resume"],
    &["normalize", "--for", "api"],
    &["repair"],
    &["view"],
    &["find", "not to be found"],
];

const FILES: &[(&str, Fill)] = &[
    ("a-line-of-400-MiB", |out| line(out, 400)),
    ("a-line-of-250-MiB", |out| line(out, 250)),
    ("a-line-of-88-MiB", |out| line(out, 88)),
    ("a-line-of-63-MiB", |out| line(out, 63)),
    ("many-blocks", |out| between(out, HEAD, "{},", "0]}}\n", 100)),
    ("many-records-on-a-line", |out| between(out, "", "{}", "\n", 100)),
    ("many-keys", |out| {
        out.write_all(b"{\"type\":\"user\"")?;
        (0..5_000_000).try_for_each(|key| write!(out, ",\"{key:x}\":1"))?;
        out.write_all(b"}\n")
    }),
    ("many-lone-surrogates", |out| between(out, "{\"type\":\"user\",\"a\":\"", "\\ud800", "\"}\n", 100)),
    ("many-tiny-records", |out| between(out, "", "{}\n", "", 40)),
    ("many-records", |out| (0..1_500_000).try_for_each(|number| record(out, number, "\"go on\""))),
    ("records-of-many-blocks", |out| {
        let blocks =
            format!("[{}{{\"type\":\"text\",\"text\":\"b\"}}]", "{\"type\":\"text\",\"text\":\"a\"},".repeat(50_000));
        (0..25).try_for_each(|number| record(out, number, &blocks))
    }),
    ("nul", |out| between(out, "", "\0", "\n", 400)),
    ("brackets", |out| between(out, "{\"type\":\"user\",\"a\":", "[", "\n", 100)),
];

const HEAD: &str =
    r#"{"type":"user","uuid":"u0","parentUuid":null,"sessionId":"s","message":{"role":"user","content":["#;

/// Fills `mebibytes` with one text.
fn between(out: &mut dyn Write, before: &str, text: &str, behind: &str, mebibytes: usize) -> std::io::Result<()> {
    out.write_all(before.as_bytes())?;
    let much = text.repeat(MIB / text.len());
    (0..mebibytes).try_for_each(|_| out.write_all(much.as_bytes()))?;
    out.write_all(behind.as_bytes())
}

/// A conversation with one long line in it.
fn line(out: &mut dyn Write, mebibytes: usize) -> std::io::Result<()> {
    record(out, 0, "\"hello\"")?;
    let head = r#"{"type":"user","uuid":"u1","parentUuid":"u0","sessionId":"s","message":{"role":"user","content":""#;
    between(out, head, "a", "\"}}\n", mebibytes)?;
    record(out, 2, "\"go on\"")
}

fn record(out: &mut dyn Write, number: u32, content: &str) -> std::io::Result<()> {
    let parent = match number {
        0 => "null".to_owned(),
        _ => format!("\"u{}\"", number - 1),
    };
    let time = "2026-11-01T00:00:00.000Z";
    writeln!(
        out,
        r#"{{"type":"user","uuid":"u{number}","parentUuid":{parent},"sessionId":"s","timestamp":"{time}","message":{{"role":"user","content":{content}}}}}"#
    )
}

/// The most memory that a call took, in bytes. Its output is read and dropped.
fn peak(arguments: &[&str], file: &Path) -> u64 {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"));
    let mut child = command.args(arguments).arg(file).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut output = child.stdout.take().unwrap();
    let reading = std::thread::spawn(move || std::io::copy(&mut output.by_ref(), &mut std::io::sink()));
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let high =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(high.unwrap_or(0) * 1024);
        sleep(Duration::from_millis(5));
    }
    reading.join().unwrap().unwrap();
    peak
}

#[test]
fn no_file_makes_a_command_take_more_than_600_mb() {
    if std::env::var_os("TURNPROOF_LARGE").is_none() || !Path::new("/proc/self/status").exists() {
        eprintln!("skipped: TURNPROOF_LARGE is not set, or there is no /proc");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut too_much = Vec::new();
    let mut measure = |name: &str, path: &Path| {
        for arguments in COMMANDS {
            let peak = peak(arguments, path);
            eprintln!("{name} {}: {} MB", arguments.join(" "), peak / 1_000_000);
            if peak > MOST {
                too_much.push(format!("{name} {}: {} MB", arguments.join(" "), peak / 1_000_000));
            }
        }
    };
    for (name, fill) in FILES {
        let path = folder.path().join(format!("{name}.jsonl"));
        let mut out = BufWriter::new(File::create(&path).unwrap());
        fill(&mut out).unwrap();
        drop(out);
        measure(name, &path);
        std::fs::remove_file(path).unwrap();
    }
    let path = folder.path().join("a-line-of-3-GiB.jsonl.gz");
    let mut out = GzEncoder::new(File::create(&path).unwrap(), Compression::fast());
    line(&mut out, 3 << 10).unwrap();
    out.finish().unwrap();
    measure("a-line-of-3-GiB", &path);
    assert_eq!(too_much, Vec::<String>::new());
}
