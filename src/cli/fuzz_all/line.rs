//! The *lines* that a fuzzer prints: how far it is, what it hit, and where it put the input.

use std::path::{Path, PathBuf};

use super::finding::Kind;

/// How far a run is; what a line does not tell is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pulse {
    pub(super) executions: u64,
    pub(super) coverage: Option<u64>,
    pub(super) features: Option<u64>,
    pub(super) corpus: Option<u64>,
}

/// What a line says, as far as somebody needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Line<'a> {
    /// `#123 NEW cov: 12 ft: 34 corp: 5/67b …`
    Pulse(Pulse),
    /// `stat::number_of_executed_units: 123`
    Executed(u64),
    /// `thread '<unnamed>' (17) panicked at src/a.rs:1:2:`; the message is on the next line.
    Panicked(&'a str),
    /// `==17== ERROR: libFuzzer: timeout after 10 seconds`
    Error {
        tool: &'a str,
        words: &'a str,
    },
    /// `ERROR: The required directory "x" does not exist`: the run itself is wrong.
    Refused(&'a str),
    /// `…; Test unit written to PATH`
    Written(&'a Path),
    Other,
}

impl<'a> Line<'a> {
    fn read(text: &'a str) -> Self {
        if text.starts_with('#')
            && let Some(pulse) = pulse(text)
        {
            return Self::Pulse(pulse);
        }
        if let Some((_, number)) = text.split_once("stat::number_of_executed_units:") {
            return number.trim().parse().map_or(Self::Other, Self::Executed);
        }
        if let Some((_, path)) = text.split_once("Test unit written to ") {
            return Self::Written(Path::new(path));
        }
        if text.starts_with("thread '")
            && let Some((_, place)) = text.split_once(" panicked at ")
        {
            return Self::Panicked(place.strip_suffix(':').unwrap_or(place));
        }
        match text.split_once("ERROR: ") {
            Some(("", words)) => Self::Refused(words),
            Some((before, error)) if before.starts_with("==") => match error.split_once(": ") {
                Some((tool, words)) => Self::Error { tool, words },
                None => Self::Error { tool: "", words: error },
            },
            _ => Self::Other,
        }
    }
}

/// The pulse of a line that begins with `#` and the number of executions.
fn pulse(text: &str) -> Option<Pulse> {
    let mut words = text[1..].split_whitespace();
    let mut pulse = Pulse { executions: words.next()?.parse().ok()?, ..Pulse::default() };
    while let Some(word) = words.next() {
        let mut number = || {
            let digits = words.next()?.split('/').next()?;
            digits.parse().ok()
        };
        match word {
            "cov:" => pulse.coverage = number(),
            "ft:" => pulse.features = number(),
            "corp:" => pulse.corpus = number(),
            _ => {}
        }
    }
    Some(pulse)
}

/// What the lines of one run have said so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Reading {
    /// How far it is.
    pub(super) pulse: Pulse,
    /// Where the input lies that ended the run.
    pub(super) artifact: Option<PathBuf>,
    /// Why it could not run.
    pub(super) refused: Option<String>,
    /// The place of the first panic, and the first line of its message.
    panic: Option<(String, String)>,
    expects_message: bool,
    error: Option<(String, String)>,
}

impl Reading {
    /// Takes the next line; whether it told something new about how far the run is.
    pub(super) fn push(&mut self, text: &str) -> bool {
        if std::mem::take(&mut self.expects_message)
            && let Some((_, message)) = &mut self.panic
        {
            text.clone_into(message);
            return false;
        }
        match Line::read(text) {
            Line::Pulse(pulse) => {
                let before = self.pulse;
                self.pulse = Pulse {
                    executions: pulse.executions,
                    coverage: pulse.coverage.or(before.coverage),
                    features: pulse.features.or(before.features),
                    corpus: pulse.corpus.or(before.corpus),
                };
                return true;
            }
            Line::Executed(number) => self.pulse.executions = self.pulse.executions.max(number),
            Line::Panicked(place) if self.panic.is_none() => {
                self.panic = Some((place.to_owned(), String::new()));
                self.expects_message = true;
            }
            Line::Error { tool, words } => {
                self.error.get_or_insert_with(|| (tool.to_owned(), words.to_owned()));
            }
            Line::Refused(words) => self.refused = Some(words.to_owned()),
            // An input that was slow is written, too, and the run goes on.
            Line::Written(path) if !is_slow_unit(path) => self.artifact = Some(path.to_owned()),
            Line::Panicked(_) | Line::Written(_) | Line::Other => {}
        }
        false
    }

    /// What the run hit, and how it said so; none where it told of nothing.
    pub(super) fn hit(&self) -> Option<(Kind, String)> {
        let error = self.error.as_ref().map(|(tool, words)| (tool.as_str(), words.as_str()));
        match (error, &self.panic) {
            (Some((_, words)), _) if words.starts_with("timeout") => Some((Kind::Timeout, words.to_owned())),
            (Some((_, words)), _) if words.starts_with("out-of-memory") => {
                Some((Kind::Memory, words.to_owned()))
            }
            // Whatever came of it, the panic was first.
            (_, Some((place, message))) => Some((Kind::of_panic(place, message), message.clone())),
            (Some(("libFuzzer", words)), None) => {
                Some((Kind::Signal { words: words.to_owned() }, words.to_owned()))
            }
            (Some((tool, words)), None) => {
                let first = words.split_whitespace().next().unwrap_or_default();
                Some((Kind::Sanitizer { words: first.to_owned() }, format!("{tool}: {words}")))
            }
            (None, None) => None,
        }
    }
}

fn is_slow_unit(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("slow-unit-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Reading {
        let mut reading = Reading::default();
        for line in text.lines() {
            reading.push(line);
        }
        reading
    }

    /// A run that ended with its time.
    const DONE: &str = "\
INFO: Running with entropic power schedule (0xFF, 100).
INFO: Loaded 1 modules   (235 inline 8-bit counters): 235 [0x55b9869d5690, 0x55b9869d577b), 
INFO: seed corpus: files: 11 min: 1b max: 38b total: 159b rss: 26Mb
#12\tINITED cov: 15 ft: 16 corp: 3/7b exec/s: 0 rss: 27Mb
#2299\tREDUCE cov: 15 ft: 16 corp: 3/7b lim: 56 exec/s: 0 rss: 27Mb L: 3/3 MS: 1 EraseBytes-
#2097152\tpulse  cov: 15 ft: 17 corp: 3/7b lim: 4096 exec/s: 1048576 rss: 27Mb
#3539999\tDONE   cov: 15 ft: 17 corp: 4/12Kb lim: 4096 exec/s: 884999 rss: 27Mb
###### Recommended dictionary. ######
\"\\001\\000\" # Uses: 331263
###### End of recommended dictionary. ######
Done 3539999 runs in 4 second(s)
stat::number_of_executed_units: 3539999
stat::average_exec_per_sec:     884999
";

    const PANICKED: &str = "\
#2\tpulse  exec/s: 0 rss: 26Mb

thread '<unnamed>' (7388) panicked at src/fuzzing/parse.rs:6:20:
lines are kept: one of 3 is not
second line: ERROR: no
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
==7388== ERROR: libFuzzer: deadly signal
NOTE: libFuzzer has rudimentary signal handlers.
SUMMARY: libFuzzer: deadly signal
MS: 0 ; base unit: 0000000000000000000000000000000000000000
0x61,0xea,0xe4,
artifact_prefix='art/'; Test unit written to art/crash-1d318bddb8990fc2786daddbe3bf703b3a6929ff
Base64: Yerk
stat::number_of_executed_units: 4
";

    const HUNG: &str = "\
ALARM: working on the last Unit for 3 seconds
       and the timeout value is 2 (use -timeout=N to change)
artifact_prefix='art/'; Test unit written to art/timeout-81fe8bfe
Base64: YWJjZA==
==5824== ERROR: libFuzzer: timeout after 3 seconds
SUMMARY: libFuzzer: timeout
";

    #[test]
    fn the_last_pulse_tells_how_far_a_run_is() {
        let reading = read(DONE);
        let pulse = Pulse { executions: 3_539_999, coverage: Some(15), features: Some(17), corpus: Some(4) };
        assert_eq!((reading.pulse, reading.hit(), &reading.artifact), (pulse, None, &None));
    }

    #[test]
    fn a_panic_has_its_place_and_the_first_line_of_its_message() {
        let reading = read(PANICKED);
        let kind = Kind::Panic { place: "src/fuzzing/parse.rs:6:20".into(), words: "lines are kept".into() };
        assert_eq!(reading.hit(), Some((kind, "lines are kept: one of 3 is not".into())));
        assert_eq!(reading.artifact, Some("art/crash-1d318bddb8990fc2786daddbe3bf703b3a6929ff".into()));
        assert_eq!(reading.pulse.executions, 4);
        assert_eq!(reading.refused, None);
    }

    #[test]
    fn times_that_run_out_memory_signals_and_sanitizers_are_told_apart() {
        let reading = read(HUNG);
        assert_eq!(reading.hit(), Some((Kind::Timeout, "timeout after 3 seconds".into())));
        assert_eq!(reading.artifact, Some("art/timeout-81fe8bfe".into()));
        let kind = |line: &str| read(line).hit().map(|(kind, _)| kind);
        assert_eq!(
            kind("==5959== ERROR: libFuzzer: out-of-memory (used: 206Mb; limit: 200Mb)"),
            Some(Kind::Memory)
        );
        assert_eq!(
            kind("==6039== ERROR: libFuzzer: deadly signal"),
            Some(Kind::Signal { words: "deadly signal".into() })
        );
        assert_eq!(
            kind("==6046== ERROR: libFuzzer: fuzz target exited"),
            Some(Kind::Signal { words: "fuzz target exited".into() })
        );
        assert_eq!(
            kind(
                "==9==ERROR: AddressSanitizer: stack-overflow on address 0x7ffd (pc 0x55 bp 0x7f sp 0x7f T0)"
            ),
            Some(Kind::Sanitizer { words: "stack-overflow".into() })
        );
        assert_eq!(kind("INFO: seed corpus: files: 1"), None);
    }

    #[test]
    fn a_panic_counts_though_the_process_died_before_it_said_more() {
        let reading = read("thread 'main' panicked at src/a.rs:1:2:\nindex out of bounds: the len is 4");
        let kind = Kind::Panic { place: "src/a.rs:1:2".into(), words: "index out of bounds".into() };
        assert_eq!(reading.hit().map(|(kind, _)| kind), Some(kind));
    }

    #[test]
    fn a_slow_input_ends_no_run() {
        let reading = read("artifact_prefix='art/'; Test unit written to art/slow-unit-81fe");
        assert_eq!((reading.artifact, reading.panic), (None, None));
    }

    #[test]
    fn a_run_that_is_wrong_says_why() {
        let reading = read("ERROR: The required directory \"n2\" does not exist");
        assert_eq!(reading.refused.as_deref(), Some("The required directory \"n2\" does not exist"));
        assert_eq!(reading.hit(), None);
    }

    #[test]
    fn a_line_that_only_looks_like_a_pulse_is_none() {
        let mut reading = Reading::default();
        assert!(!reading.push("###### Recommended dictionary. ######"));
        assert!(!reading.push("#twelve NEW cov: 1"));
        assert_eq!(reading.pulse, Pulse::default());
        assert!(reading.push("#8\tpulse  exec/s: 0 rss: 26Mb"));
        assert_eq!(reading.pulse, Pulse { executions: 8, ..Pulse::default() });
    }
}
