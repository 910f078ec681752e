//! The *pipeline* reads, scans, judges and reports at once. One thread reads ahead and reports, in the order of the
//! files; while there is nothing to report, it scans and judges as all others do.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};

use rayon::{ScopeFifo, Yield};

use turnproof_reference::transcript::resume::PlaceReader;
use turnproof_reference::transcript::{Chunk, Chunks, Defect};
use turnproof_rules::rules::Violation;

use super::finding::{Excerpts, Finding, Lines};
use super::gather::{Asked, Ended, Gathering, Judging};
use super::input::{InputError, TranscriptFile};
use super::scan::{Scanned, scan};
use super::seen::MOST_PARTS;
use super::verdict::Judged;
use super::{Options, Sink, Tally};

/// So many chunks are taken ahead for each thread; with their size, this bounds memory.
const AHEAD: usize = 4;

/// So many steps are taken ahead for each thread, however small the files are.
const STEPS: usize = 64;

/// A step of reading, taken ahead of its report.
enum Step {
    /// The file with this index begins.
    Begin(usize),
    /// The next chunk of the file is being scanned.
    Scanning(Receiver<Part>),
    /// The file has been read as far as possible, and is being judged.
    Ending(Receiver<Ended>),
    /// The file cannot be read any further.
    Failed(InputError),
}

/// A chunk, and what was found in it.
struct Part {
    chunk: Chunk,
    tally: Tally,
    defects: Vec<Defect>,
    /// How many records and content blocks it has.
    parts: u64,
    /// Whether it is the whole file.
    is_whole: bool,
}

/// Runs the check on the threads of the current pool, until all is reported or the sink fails.
pub(super) fn run(inputs: &[TranscriptFile], options: &Options, sink: &mut (dyn Sink + Send)) -> io::Result<Tally> {
    let asked = Asked::of(options);
    let mut reading = Reading { inputs, options, asked: &asked, next: 0, open: None, memory: Vec::new(), ahead: 0 };
    let mut reporting = Reporting {
        inputs,
        options,
        sink,
        tally: Tally::default(),
        file: 0,
        lines: 0,
        parts: 0,
        whole: None,
        line: Vec::new(),
    };
    let threads = rayon::current_num_threads();
    let (most, most_bytes) = (STEPS * threads, AHEAD * threads * options.chunk_size);
    rayon::in_place_scope_fifo(|scope| {
        let mut queue = VecDeque::new();
        loop {
            while queue.len() < most
                && reading.ahead < most_bytes
                && let Some(step) = reading.step(scope)
            {
                queue.push_back(step);
            }
            let Some(step) = queue.pop_front() else { break };
            let came = match &step {
                Step::Begin(file) => Ok(reporting.begin(*file)),
                Step::Scanning(part) => part.try_recv().map(|part| {
                    let reported = reporting.part(&part);
                    reading.ahead -= part.chunk.bytes.len();
                    match part.is_whole {
                        true => reporting.whole = Some(part.chunk),
                        false => reading.reuse(part.chunk),
                    }
                    reported
                }),
                Step::Ending(ended) => ended.try_recv().map(|ended| {
                    let reported = reporting.end_of_file(ended);
                    reporting.whole.take().into_iter().for_each(|chunk| reading.reuse(chunk));
                    reported
                }),
                Step::Failed(error) => Ok(reporting.failed(error)),
            };
            match came {
                Ok(reported) => reported?,
                Err(TryRecvError::Empty) => {
                    queue.push_front(step);
                    help();
                }
                // A task panicked; the scope passes that on.
                Err(TryRecvError::Disconnected) => break,
            }
        }
        Ok(reporting.tally)
    })
}

/// A channel for one message, which never waits; one without a limit makes room for thirty-one at once.
fn channel_for_one<T>() -> (SyncSender<T>, Receiver<T>) {
    sync_channel(1)
}

/// Scans a chunk that no thread has begun, or lets others go on.
fn help() {
    if rayon::yield_now() != Some(Yield::Executed) {
        std::thread::yield_now();
    }
}

struct Reading<'a> {
    inputs: &'a [TranscriptFile],
    options: &'a Options,
    asked: &'a [Asked],
    next: usize,
    open: Option<Open<'a>>,
    /// The memory of the last file's chunks.
    memory: Vec<Vec<u8>>,
    /// The bytes of chunks that are not reported yet.
    ahead: usize,
}

/// The file that is being read.
struct Open<'a> {
    chunks: Chunks<File>,
    /// How many chunks were read.
    parts: usize,
    gathering: Arc<Gathering<'a>>,
    ended: Receiver<Ended>,
}

impl<'a> Reading<'a> {
    /// Takes back the memory of a chunk that is done with.
    fn reuse(&mut self, mut chunk: Chunk) {
        match &mut self.open {
            Some(open) => open.chunks.reuse(chunk),
            None if chunk.bytes.capacity() <= 4 * self.options.chunk_size => {
                chunk.bytes.clear();
                self.memory.push(chunk.bytes);
            }
            None => {}
        }
    }

    /// What comes next; `None` at the end.
    fn step(&mut self, scope: &ScopeFifo<'a>) -> Option<Step> {
        let Some(open) = &mut self.open else {
            let input = self.inputs.get(self.next)?;
            self.next += 1;
            return Some(match input.open() {
                Ok(file) => {
                    let (sender, ended) = channel_for_one();
                    let gathering = Arc::new(Gathering::new(input, self.asked, self.options.verdicts, sender));
                    let longest = self.options.longest_line;
                    // A line that fits into a chunk is never too long.
                    let chunks = Chunks::new(file, self.options.chunk_size.min(longest)).with_longest_line(longest);
                    let chunks = chunks.with_memory(std::mem::take(&mut self.memory));
                    self.open = Some(Open { chunks, parts: 0, gathering, ended });
                    Step::Begin(self.next - 1)
                }
                Err(error) => Step::Failed(InputError::new(&input.name, error)),
            });
        };
        if open.gathering.is_cut() {
            open.chunks.end_here();
        }
        match open.chunks.next_chunk() {
            Ok(Some(chunk)) => {
                self.ahead += chunk.bytes.len();
                Some(open.scanning(scope, chunk))
            }
            Ok(None) => {
                let Open { chunks, parts, gathering, ended } = self.open.take()?;
                self.memory = chunks.into_memory();
                scope.spawn_fifo(move |_| gathering.end(parts));
                Some(Step::Ending(ended))
            }
            Err(error) => {
                // What was read before the error still counts; the file ends here.
                open.chunks.end_here();
                open.gathering.cut();
                let name = &open.gathering.input.name;
                Some(Step::Failed(InputError::new(name, format!("reading stopped: {error}"))))
            }
        }
    }
}

impl<'a> Open<'a> {
    /// Gives a chunk to the threads that scan.
    fn scanning(&mut self, scope: &ScopeFifo<'a>, chunk: Chunk) -> Step {
        let (sender, receiver) = channel_for_one();
        let (gathering, part, is_last) = (Arc::clone(&self.gathering), self.parts, self.chunks.is_at_end());
        self.parts += 1;
        scope.spawn_fifo(move |_| {
            let Scanned { tally, defects, seen } = scan(&chunk, gathering.is_judged(), |_| {});
            let (parts, is_whole) = (seen.parts, part == 0 && is_last && chunk.skipped == 0);
            gathering.add(part, seen, &chunk, is_last);
            // Nobody waits for it when the check has ended early.
            let _ = sender.send(Part { chunk, tally, defects, parts, is_whole });
        });
        Step::Scanning(receiver)
    }
}

struct Reporting<'a> {
    inputs: &'a [TranscriptFile],
    options: &'a Options,
    sink: &'a mut (dyn Sink + Send),
    tally: Tally,
    file: usize,
    lines: u64,
    /// How many records and content blocks of the file were reported.
    parts: u64,
    /// The file, where one chunk holds it.
    whole: Option<Chunk>,
    /// The memory of a line.
    line: Vec<u8>,
}

impl Reporting<'_> {
    fn begin(&mut self, file: usize) -> io::Result<()> {
        self.file = file;
        (self.lines, self.parts) = (0, 0);
        self.tally.files += 1;
        Ok(())
    }

    fn failed(&mut self, error: &InputError) -> io::Result<()> {
        self.tally.unreadable += 1;
        self.sink.unreadable(error)
    }

    fn part(&mut self, Part { chunk, tally, defects, parts, .. }: &Part) -> io::Result<()> {
        if self.parts > MOST_PARTS {
            return Ok(());
        }
        self.parts += parts;
        let mut lines = Lines::new(chunk);
        for defect in defects {
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
        self.lines += tally.lines;
        self.sink.progress(tally.bytes);
        self.tally.add(tally);
        Ok(())
    }

    /// Reports what is said of the whole file, rule by rule.
    fn found<F: Read + Seek>(
        &mut self,
        Ended { facts, said, .. }: &Ended,
        mut excerpts: Excerpts<'_, impl FnOnce() -> io::Result<F>, F>,
    ) -> io::Result<()> {
        let name = &self.inputs[self.file].name;
        for said in said.iter().filter(|said| said.is_found) {
            said.each(facts, |violation: &Violation| {
                *self.tally.violations.entry(said.rule.id).or_default() += 1;
                match self.sink.wants(name, said.rule) {
                    true => self.sink.finding(&excerpts.finding(said.rule, violation)),
                    false => Ok(()),
                }
            })?;
        }
        self.line = excerpts.into_memory();
        Ok(())
    }

    /// Reports what is said of the whole file, and its verdict.
    fn end_of_file(&mut self, ended: Ended) -> io::Result<()> {
        let input = &self.inputs[self.file];
        let line = std::mem::take(&mut self.line);
        match self.whole.take() {
            Some(whole) => {
                let bytes = || Ok(io::Cursor::new(&*whole.bytes));
                self.found(&ended, Excerpts::new(&input.name, &ended.uuids, line, bytes))?;
                self.whole = Some(whole);
            }
            None => self.found(&ended, Excerpts::new(&input.name, &ended.uuids, line, || input.open()))?,
        }
        let Ended { judging, .. } = ended;
        let verdict = judging.map(|judging| match judging {
            Judging::Done(verdict) => verdict,
            Judging::Later(opinion) => opinion.judged(|| PlaceReader::new(input.open()?)),
        });
        if self.parts > MOST_PARTS {
            let most = MOST_PARTS / 1000;
            let problem = format!("more than {most},000 records and content blocks; the rest was not read");
            self.failed(&InputError::new(&input.name, problem))?;
        }
        let judged = match verdict.transpose() {
            Ok(verdict) => verdict.map(|verdict| Judged { file: input.name.clone(), verdict, is_known: false }),
            Err(error) => {
                self.failed(&InputError::new(&input.name, error))?;
                None
            }
        };
        self.sink.end_of_file(judged.as_ref())
    }
}
