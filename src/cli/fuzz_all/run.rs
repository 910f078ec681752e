//! One *run* of one target: a process, from its start to its end, and how it ended.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::process::{ChildStderr, Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::finding::{Kind, shortened};
use super::folders::Folders;
use super::line::{Pulse, Reading};

/// The longest input.
const LONGEST_INPUT: usize = 4096;

/// How much longer than its time a run may take: a large corpus is read before the clock is looked at.
const GRACE: Duration = Duration::from_secs(300);

/// How libFuzzer ends when it is told to.
const INTERRUPTED: i32 = 72;

/// What one input may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Memory, in megabytes.
    pub(super) memory: u64,
    /// Time.
    pub(super) time: Duration,
}

/// What a run came to.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) pulse: Pulse,
    pub(super) end: End,
}

/// How a run ended.
#[derive(Debug)]
pub(super) enum End {
    /// With its time.
    Well,
    /// With an input that it does not survive.
    Crashed(Crash),
    /// It could not do its work.
    Failed(String),
}

/// What a run crashed with.
#[derive(Debug)]
pub(super) struct Crash {
    pub(super) kind: Kind,
    pub(super) message: String,
    pub(super) artifact: Option<PathBuf>,
}

/// Starts the program of a target.
#[derive(Clone, Debug)]
pub(super) struct Starter<'a> {
    pub(super) folders: &'a Folders,
    pub(super) limits: Limits,
}

impl Starter<'_> {
    /// Fuzzes for some time, or until a crash.
    pub(super) fn fuzz(&self, target: &str, time: Duration, on_pulse: &mut dyn FnMut(&Pulse)) -> Run {
        let mut command = self.command(target);
        // Whole seconds: half a slice would be lost of the shortest one, were they not rounded.
        command.arg(format!("-max_total_time={}", time.as_secs_f64().round().max(1.0)));
        // The power schedule that libFuzzer has by default takes as long as the targets themselves: without it more
        // is covered in the same time.
        command.args(["-print_final_stats=1", "-use_value_profile=0", "-entropic=0"]);
        command.arg(self.folders.corpus(target)).args(self.folders.seeds(target));
        let mut reading = Reading::default();
        let ended = watch(&mut command, time + self.limits.time + GRACE, &mut |line| {
            if reading.push(line) {
                on_pulse(&reading.pulse);
            }
        });
        let end = match ended {
            Ok(status) => end(status, &reading),
            Err(error) => End::Failed(format!("{}: {error}", self.folders.program(target).display())),
        };
        Run { pulse: reading.pulse, end }
    }

    /// The program with what holds for every run of it.
    pub(super) fn command(&self, target: &str) -> Command {
        let mut command = Command::new(self.folders.program(target));
        // The separator at the end makes it a folder.
        let prefix = self.folders.artifacts(target).join("");
        command.arg(with_value("-artifact_prefix=", prefix));
        if let Some(dictionary) = self.folders.dictionary(target) {
            command.arg(with_value("-dict=", dictionary));
        }
        command.arg(format!("-max_len={LONGEST_INPUT}"));
        command.arg(format!("-rss_limit_mb={}", self.limits.memory));
        command.arg(format!("-timeout={}", self.limits.time.as_secs().max(1)));
        // The place of a panic is enough, and cheaper.
        command.env("RUST_BACKTRACE", "0");
        if std::env::var_os("ASAN_OPTIONS").is_none() {
            // As cargo-fuzz has it: Rust's crates are linked in a way that looks like a violation.
            command.env("ASAN_OPTIONS", "detect_odr_violation=0");
        }
        command
    }
}

fn with_value(option: &str, value: PathBuf) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(value);
    argument
}

/// How a run ended, by what it left and by what it said; no status where it had to be killed.
fn end(status: Option<ExitStatus>, reading: &Reading) -> End {
    let crashed = |kind, message: &str| {
        let artifact = reading.artifact.clone();
        End::Crashed(Crash { kind, message: shortened(message), artifact })
    };
    let Some(status) = status else {
        return End::Failed("it did not end with its time and was killed".to_owned());
    };
    if let Some((kind, message)) = reading.hit().filter(|_| !status.success()) {
        return crashed(kind, &message);
    }
    match status.code() {
        Some(0 | INTERRUPTED) => End::Well,
        Some(code) => {
            let why = reading.refused.clone().unwrap_or_else(|| "it did not say why".to_owned());
            End::Failed(format!("ended with {code}: {why}"))
        }
        // Where the stack is full, libFuzzer cannot even write the input down.
        None => crashed(Kind::Signal { words: status.to_string() }, "died without a word; no input is left"),
    }
}

/// Runs a command to its end and tells each line of its standard error; one that takes longer than `limit` is killed
/// and has no status.
///
/// When nobody listens any more, because this process has been killed, the command dies of its next line.
pub(super) fn watch(
    command: &mut Command,
    limit: Duration,
    on_line: &mut dyn FnMut(&str),
) -> io::Result<Option<ExitStatus>> {
    let until = Instant::now() + limit;
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let (sender, lines) = sync_channel(1024);
    if let Some(stderr) = child.stderr.take() {
        thread::spawn(move || tell_lines(stderr, &sender));
    }
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(line) if !left.is_zero() => on_line(&line),
            Err(RecvTimeoutError::Disconnected) => break,
            Ok(_) | Err(RecvTimeoutError::Timeout) => {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
        }
    }
    // Nothing is written any more, which is the end but for a moment.
    child.wait().map(Some)
}

fn tell_lines(stderr: ChildStderr, sender: &SyncSender<String>) {
    let mut lines = BufReader::new(stderr);
    let mut line = Vec::new();
    // What cannot be read has ended.
    while lines.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        let text = String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(&line)).into_owned();
        if sender.send(text).is_err() {
            return;
        }
        line.clear();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn told(script: &str, limit: Duration) -> (Option<Option<i32>>, Vec<String>) {
        let mut lines = Vec::new();
        let status = watch(&mut shell(script), limit, &mut |line| lines.push(line.to_owned()));
        (status.expect("sh").map(|status| status.code()), lines)
    }

    #[test]
    fn every_line_of_standard_error_is_told_and_then_the_code() {
        let (code, lines) = told("echo out; echo one >&2; printf 'two\\377' >&2; exit 77", GRACE);
        assert_eq!(code, Some(Some(77)));
        assert_eq!(lines, ["one", "two\u{fffd}"]);
    }

    #[test]
    fn what_takes_too_long_is_killed_even_while_it_talks() {
        let limit = Duration::from_millis(300);
        let started = Instant::now();
        assert_eq!(told("exec sleep 60", limit).0, None);
        assert_eq!(told("while :; do echo more >&2; done", limit).0, None);
        assert!(started.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn an_end_without_a_word_is_a_signal_and_one_that_was_wanted_is_well() {
        let of = |script: &str, reading: &Reading| {
            let status = watch(&mut shell(script), GRACE, &mut |_| ()).expect("sh");
            end(status, reading)
        };
        let nothing = Reading::default();
        assert!(matches!(of("exit 0", &nothing), End::Well));
        assert!(matches!(of("exit 72", &nothing), End::Well));
        let End::Failed(why) = of("exit 1", &nothing) else { panic!("no failure") };
        assert_eq!(why, "ended with 1: it did not say why");
        let End::Crashed(crash) = of("kill -SEGV $$", &nothing) else { panic!("no crash") };
        assert!(crash.kind.in_words().contains("SIGSEGV"), "{crash:?}");
        assert_eq!(crash.artifact, None);
    }
}
