//! The *pipeline* reads, scans and reports at once. One thread reads ahead and reports, in the order of the files;
//! while there is nothing to report, it scans as all others do.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use rayon::prelude::*;
use rayon::{ScopeFifo, Yield};

use crate::rules::{Facts, Judge, Legacy, Rule, Violation};
use crate::transcript::{Chunk, Chunks};

use super::finding::{Excerpts, Finding, Lines};
use super::input::{InputError, TranscriptFile};
use super::scan::{Scanned, scan};
use super::{Options, Sink, Tally};

/// How many steps are taken ahead for each thread; with the chunk's size, this bounds memory.
const AHEAD: usize = 4;

/// A step of reading, taken ahead of its report.
enum Step {
    /// The file with this index begins.
    Begin(usize),
    /// The next chunk of the file is being scanned.
    Scanning(Receiver<(Chunk, Scanned)>),
    /// The file has been read as far as possible.
    End,
    /// The file cannot be read any further.
    Failed(InputError),
}

/// Runs the check on the threads of the current pool, until all is reported or the sink fails.
pub(super) fn run(inputs: &[TranscriptFile], options: &Options, sink: &mut (dyn Sink + Send)) -> io::Result<Tally> {
    let mut reading = Reading { inputs, next: 0, open: None, chunk_size: options.chunk_size };
    let facts = Facts::new();
    let mut reporting = Reporting { inputs, options, sink, tally: Tally::default(), file: 0, lines: 0, facts };
    let most = AHEAD * rayon::current_num_threads();
    rayon::in_place_scope_fifo(|scope| {
        let mut queue = VecDeque::with_capacity(most);
        loop {
            while queue.len() < most
                && let Some(step) = reading.step(scope)
            {
                queue.push_back(step);
            }
            match queue.pop_front() {
                Some(Step::Begin(file)) => reporting.begin(file),
                Some(Step::Scanning(scanned)) => match scanned.try_recv() {
                    Ok((chunk, scanned)) => {
                        reporting.chunk(&chunk, scanned)?;
                        reading.reuse(chunk);
                    }
                    Err(TryRecvError::Empty) => {
                        queue.push_front(Step::Scanning(scanned));
                        help();
                    }
                    // The scan panicked; the scope passes that on.
                    Err(TryRecvError::Disconnected) => break,
                },
                Some(Step::End) => reporting.end_of_file()?,
                Some(Step::Failed(error)) => {
                    reporting.tally.unreadable += 1;
                    reporting.sink.unreadable(&error)?;
                }
                None => break,
            }
        }
        Ok(reporting.tally)
    })
}

/// Gives a chunk to the threads that scan.
fn scanning(scope: &ScopeFifo<'_>, chunk: Chunk) -> Step {
    let (sender, receiver) = channel();
    scope.spawn_fifo(move |_| {
        let scanned = scan(&chunk);
        // Nobody waits for it when the check has ended early.
        let _ = sender.send((chunk, scanned));
    });
    Step::Scanning(receiver)
}

/// Scans a chunk that no thread has begun, or lets others go on.
fn help() {
    if rayon::yield_now() != Some(Yield::Executed) {
        std::thread::yield_now();
    }
}

struct Reading<'a> {
    inputs: &'a [TranscriptFile],
    next: usize,
    open: Option<Chunks<File>>,
    chunk_size: usize,
}

impl Reading<'_> {
    /// Takes back a chunk that is done with.
    fn reuse(&mut self, chunk: Chunk) {
        if let Some(chunks) = &mut self.open {
            chunks.reuse(chunk);
        }
    }

    /// What comes next; `None` at the end.
    fn step(&mut self, scope: &ScopeFifo<'_>) -> Option<Step> {
        let Some(chunks) = &mut self.open else {
            let input = self.inputs.get(self.next)?;
            self.next += 1;
            return Some(match input.open() {
                Ok(file) => {
                    self.open = Some(Chunks::new(file, self.chunk_size));
                    Step::Begin(self.next - 1)
                }
                Err(error) => Step::Failed(InputError::new(&input.name, error)),
            });
        };
        match chunks.next_chunk() {
            Ok(Some(chunk)) => Some(scanning(scope, chunk)),
            Ok(None) => {
                self.open = None;
                Some(Step::End)
            }
            Err(error) => {
                // What was read before the error still counts; the file ends here.
                let name = &self.inputs[self.next - 1].name;
                chunks.end_here();
                Some(Step::Failed(InputError::new(name, format!("reading stopped: {error}"))))
            }
        }
    }
}

struct Reporting<'a> {
    inputs: &'a [TranscriptFile],
    options: &'a Options,
    sink: &'a mut (dyn Sink + Send),
    tally: Tally,
    file: usize,
    lines: u64,
    facts: Facts,
}

impl Reporting<'_> {
    fn begin(&mut self, file: usize) {
        self.file = file;
        self.lines = 0;
        self.facts = Facts::new();
        self.tally.files += 1;
    }

    fn chunk(&mut self, chunk: &Chunk, scanned: Scanned) -> io::Result<()> {
        let mut lines = Lines::new(chunk);
        for defect in &scanned.defects {
            let Some(rule) = self.options.rules.iter().find(|rule| rule.id == defect.kind.rule()) else {
                continue;
            };
            if !self.options.legacy && defect.is_legacy() {
                continue;
            }
            *self.tally.violations.entry(rule.id).or_default() += 1;
            let name = &self.inputs[self.file].name;
            if self.sink.wants(name, rule) {
                let line = lines.around(defect.start);
                self.sink.finding(&Finding::of_defect(name, rule, defect, line, self.lines))?;
            }
        }
        self.facts.append(scanned.facts, self.lines);
        self.lines += scanned.tally.lines;
        self.sink.progress(scanned.tally.bytes);
        self.tally.add(&scanned.tally);
        Ok(())
    }

    /// Asks the rules on whole transcripts, all at once, and reports what they say rule by rule.
    fn end_of_file(&mut self) -> io::Result<()> {
        let input = &self.inputs[self.file];
        if let Some(session) = input.session() {
            self.facts.set_file_session(session);
        }
        let facts = std::mem::take(&mut self.facts);
        let asked =
            self.options.rules.par_iter().filter(|rule| self.options.legacy || rule.legacy != Some(Legacy::Always));
        let said: Vec<Said> = asked.filter_map(|rule| said(rule, &facts)).collect();
        let mut excerpts = Excerpts::new(&input.name, || input.open());
        for Said { rule, judge, kept, is_all } in said {
            let mut report = |violation: &Violation| {
                *self.tally.violations.entry(rule.id).or_default() += 1;
                match self.sink.wants(&input.name, rule) {
                    true => self.sink.finding(&excerpts.finding(rule, violation)),
                    false => Ok(()),
                }
            };
            kept.iter().try_for_each(&mut report)?;
            if !is_all {
                let (mut index, mut reported) = (0, Ok(()));
                judge(&facts, &mut |violation| {
                    index += 1;
                    if index > KEPT && reported.is_ok() {
                        reported = report(&violation);
                    }
                });
                reported?;
            }
        }
        self.sink.end_of_file()
    }
}

/// So many violations of a rule are kept while the rules are asked at once. A rule with more is asked again, and the
/// others are reported as they come.
const KEPT: usize = 2048;

struct Said {
    rule: &'static Rule,
    judge: fn(&Facts, &mut dyn FnMut(Violation)),
    /// The first violations, at most [`KEPT`].
    kept: Vec<Violation>,
    is_all: bool,
}

/// Asks a rule, if it is one on whole transcripts.
fn said(rule: &'static Rule, facts: &Facts) -> Option<Said> {
    let Judge::Transcript(judge) = rule.judge else { return None };
    let mut said = Said { rule, judge, kept: Vec::new(), is_all: true };
    judge(facts, &mut |violation| {
        if said.kept.len() < KEPT {
            said.kept.push(violation);
        } else {
            said.is_all = false;
        }
    });
    Some(said)
}
