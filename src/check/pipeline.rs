//! The *pipeline* reads, scans and reports at once: while all threads scan one batch of chunks, the
//! next is read and the one before is reported, in the order of the files.

use std::fs::File;

use rayon::prelude::*;

use crate::rules::{Facts, Judge, Violation};
use crate::transcript::{Chunk, Chunks};

use super::finding::{Excerpts, Finding, Lines};
use super::input::{Input, InputError};
use super::scan::{Scanned, scan};
use super::tally::Tally;
use super::{Options, Sink};

/// How many chunks a batch may have; with the chunk's size, this bounds memory.
const BATCH: usize = 32;

/// Some chunks, and which files end or fail among them.
type Batch = Vec<Step>;

/// What reading gives, in order.
enum Step {
    /// The next chunk of the file.
    Chunk(Chunk),
    /// The file with this index begins.
    Begin(usize),
    /// The file has been read as far as possible.
    End,
    /// The file cannot be read any further.
    Failed(InputError),
}

/// Runs the check on the threads of the current pool.
pub(super) fn run(inputs: &[Input], options: &Options, sink: &mut (dyn Sink + Send)) -> Tally {
    let chunk_size = options.chunk_size;
    let mut reading = Reading { inputs, next: 0, open: None, chunk_size };
    let mut reporting = Reporting::new(inputs, options, sink);
    let mut batch = reading.batch();
    let mut scanned = Vec::new();
    while !(reporting.sink.is_closed() || batch.is_empty() && scanned.is_empty()) {
        let (next_scanned, next_batch) = rayon::join(
            || scan_all(batch),
            || {
                for step in std::mem::take(&mut scanned) {
                    reading.reuse(reporting.step(step));
                }
                reading.batch()
            },
        );
        (scanned, batch) = (next_scanned, next_batch);
    }
    reporting.tally
}

fn scan_all(batch: Batch) -> Vec<(Step, Option<Scanned>)> {
    let scan_step = |step| match step {
        Step::Chunk(chunk) => {
            let scanned = scan(&chunk);
            (Step::Chunk(chunk), Some(scanned))
        }
        other => (other, None),
    };
    batch.into_par_iter().with_max_len(1).map(scan_step).collect()
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
    fn reuse(&mut self, chunk: Option<Chunk>) {
        if let (Some(chunks), Some(chunk)) = (&mut self.open, chunk) {
            chunks.reuse(chunk);
        }
    }

    /// The next batch; empty at the end.
    fn batch(&mut self) -> Batch {
        let mut batch = Vec::new();
        let mut bytes = 0;
        while batch.len() < 4 * BATCH && bytes < BATCH * self.chunk_size {
            let Some(step) = self.step() else { break };
            if let Step::Chunk(chunk) = &step {
                bytes += chunk.bytes.len();
            }
            batch.push(step);
        }
        batch
    }

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

    /// Reports a step; gives its chunk back.
    fn step(&mut self, (step, scanned): (Step, Option<Scanned>)) -> Option<Chunk> {
        match step {
            Step::Begin(file) => {
                self.file = file;
                self.lines = 0;
                self.facts = Facts::new();
                self.tally.files += 1;
            }
            Step::Chunk(chunk) => {
                if let Some(scanned) = scanned {
                    self.chunk(&chunk, scanned);
                }
                return Some(chunk);
            }
            Step::End => self.end_of_file(),
            Step::Failed(error) => {
                self.tally.unreadable += 1;
                self.sink.unreadable(&error);
            }
        }
        None
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

    /// Asks the rules on whole transcripts.
    fn end_of_file(&mut self) {
        let input = &self.inputs[self.file];
        if let Some(session) = input.session() {
            self.facts.set_file_session(session);
        }
        let facts = std::mem::take(&mut self.facts);
        let mut excerpts = Excerpts::new(input);
        for rule in &self.options.rules {
            let Judge::Transcript(judge) = rule.judge else { continue };
            let (sink, tally) = (&mut *self.sink, &mut self.tally);
            judge(&facts, &mut |violation: Violation| {
                *tally.violations.entry(rule.id).or_default() += 1;
                if sink.wants(&input.name, rule) {
                    excerpts.finding(rule, &violation, |finding| sink.finding(finding));
                }
            });
        }
    }
}
