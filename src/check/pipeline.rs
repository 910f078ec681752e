//! The *pipeline* reads, scans and reports at once: one thread reads ahead and reports, in the order
//! of the files, and scans like all others while there is nothing to report.

use std::collections::VecDeque;
use std::fs::File;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use rayon::prelude::*;
use rayon::{ScopeFifo, Yield};

use crate::rules::{Facts, Judge, Rule, Violation};
use crate::transcript::{Chunk, Chunks};

use super::finding::{Excerpts, Finding, Lines};
use super::input::{Input, InputError};
use super::scan::{Scanned, scan};
use super::tally::Tally;
use super::{Options, Sink};

/// How many steps are taken ahead for each thread; with the chunk's size, this bounds memory.
const AHEAD: usize = 4;

/// What reading gives, in order.
enum Step {
    /// The file with this index begins.
    Begin(usize),
    /// The next chunk of the file.
    Chunk(Chunk),
    /// The file has been read as far as possible.
    End,
    /// The file cannot be read any further.
    Failed(InputError),
}

/// A step that has been taken ahead of its report.
enum Ahead {
    Begin(usize),
    Scanning(Receiver<(Chunk, Scanned)>),
    End,
    Failed(InputError),
}

/// Runs the check on the threads of the current pool.
pub(super) fn run(inputs: &[Input], options: &Options, sink: &mut (dyn Sink + Send)) -> Tally {
    let mut reading = Reading { inputs, next: 0, open: None, chunk_size: options.chunk_size };
    let mut reporting = Reporting::new(inputs, options, sink);
    let most = AHEAD * rayon::current_num_threads();
    rayon::in_place_scope_fifo(|scope| {
        let mut queue = VecDeque::with_capacity(most);
        while !reporting.sink.is_closed() {
            while queue.len() < most
                && let Some(step) = reading.step()
            {
                queue.push_back(ahead(scope, step));
            }
            let Some(first) = queue.pop_front() else { break };
            match first {
                Ahead::Begin(file) => reporting.begin(file),
                Ahead::Scanning(scanned) => match scanned.try_recv() {
                    Ok((chunk, scanned)) => {
                        reporting.chunk(&chunk, scanned);
                        reading.reuse(chunk);
                    }
                    Err(TryRecvError::Empty) => {
                        queue.push_front(Ahead::Scanning(scanned));
                        help();
                    }
                    // The scan panicked; the scope passes that on.
                    Err(TryRecvError::Disconnected) => break,
                },
                Ahead::End => {
                    reporting.end_of_file();
                    reporting.sink.end_of_file();
                }
                Ahead::Failed(error) => reporting.failed(&error),
            }
        }
    });
    reporting.tally
}

/// Gives a chunk to the threads that scan.
fn ahead<'s>(scope: &ScopeFifo<'s>, step: Step) -> Ahead {
    match step {
        Step::Begin(file) => Ahead::Begin(file),
        Step::Chunk(chunk) => {
            let (sender, receiver) = channel();
            scope.spawn_fifo(move |_| {
                let scanned = scan(&chunk);
                // Nobody waits for it when the check has ended early.
                let _ = sender.send((chunk, scanned));
            });
            Ahead::Scanning(receiver)
        }
        Step::End => Ahead::End,
        Step::Failed(error) => Ahead::Failed(error),
    }
}

/// Scans a chunk that no thread has begun, or lets others go on.
fn help() {
    if rayon::yield_now() != Some(Yield::Executed) {
        std::thread::yield_now();
    }
}

/// The file being read.
struct Reading<'a> {
    inputs: &'a [Input],
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

    /// What comes next; none at the end.
    fn step(&mut self) -> Option<Step> {
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
            Ok(Some(chunk)) => Some(Step::Chunk(chunk)),
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

/// The file being reported.
struct Reporting<'a> {
    inputs: &'a [Input],
    options: &'a Options,
    sink: &'a mut (dyn Sink + Send),
    tally: Tally,
    file: usize,
    lines: u64,
    facts: Facts,
}

impl<'a> Reporting<'a> {
    fn new(inputs: &'a [Input], options: &'a Options, sink: &'a mut (dyn Sink + Send)) -> Self {
        Self { inputs, options, sink, tally: Tally::default(), file: 0, lines: 0, facts: Facts::new() }
    }

    fn begin(&mut self, file: usize) {
        self.file = file;
        self.lines = 0;
        self.facts = Facts::new();
        self.tally.files += 1;
    }

    fn failed(&mut self, error: &InputError) {
        self.tally.unreadable += 1;
        self.sink.unreadable(error);
    }

    fn chunk(&mut self, chunk: &Chunk, scanned: Scanned) {
        let mut lines = Lines::new(chunk);
        for defect in &scanned.defects {
            let Some(rule) = self.options.rules.iter().find(|rule| rule.id == defect.kind.rule()) else {
                continue;
            };
            *self.tally.violations.entry(rule.id).or_default() += 1;
            let name = &self.inputs[self.file].name;
            if self.sink.wants(name, rule) {
                let line = lines.around(defect.start);
                self.sink.finding(&Finding::of_defect(name, rule, defect, line, self.lines));
            }
        }
        self.facts.append(scanned.facts, self.lines);
        self.lines += scanned.tally.lines;
        self.sink.progress(scanned.tally.bytes);
        self.tally.add(&scanned.tally);
    }

    /// Asks the rules on whole transcripts: all at once, then what they say is told rule by rule.
    fn end_of_file(&mut self) {
        let input = &self.inputs[self.file];
        if let Some(session) = input.session() {
            self.facts.set_file_session(session);
        }
        let facts = std::mem::take(&mut self.facts);
        let said: Vec<Said> = self.options.rules.par_iter().filter_map(|rule| said(rule, &facts, KEPT)).collect();
        let mut excerpts = Excerpts::new(input);
        for Said { rule, judge, kept, is_all } in said {
            let (sink, tally) = (&mut *self.sink, &mut self.tally);
            let mut tell = |violation: &Violation| {
                *tally.violations.entry(rule.id).or_default() += 1;
                if sink.wants(&input.name, rule) {
                    excerpts.finding(rule, violation, |finding| sink.finding(finding));
                }
            };
            kept.iter().for_each(&mut tell);
            if !is_all {
                let mut index = 0;
                judge(&facts, &mut |violation| {
                    index += 1;
                    if index > KEPT {
                        tell(&violation);
                    }
                });
            }
        }
    }
}

/// So many violations of a rule are kept while the rules are asked at once; for a rule with more,
/// which is asked again, the others are told as they come.
const KEPT: usize = 2048;

/// What a rule says of a transcript.
struct Said {
    rule: &'static Rule,
    judge: fn(&Facts, &mut dyn FnMut(Violation)),
    /// The first violations, at most [`KEPT`].
    kept: Vec<Violation>,
    is_all: bool,
}

/// Asks a rule, if it is one on whole transcripts.
fn said(rule: &'static Rule, facts: &Facts, most: usize) -> Option<Said> {
    let Judge::Transcript(judge) = rule.judge else { return None };
    let mut said = Said { rule, judge, kept: Vec::new(), is_all: true };
    judge(facts, &mut |violation| {
        if said.kept.len() < most {
            said.kept.push(violation);
        } else {
            said.is_all = false;
        }
    });
    Some(said)
}
