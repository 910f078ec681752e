//! *Reading* a conversation from a file takes two passes: one surveys the records, one reads the
//! places that come back; the file is never in memory.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Seek, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope, available_parallelism};

use super::Survey;
use crate::transcript::resume::answer::Place;
use crate::transcript::{Chunk, Chunks, Found, Scanner};

/// How many bytes are read at once.
const CHUNK: usize = 256 << 10;

/// How many bytes are read at once where records are copied: little is wasted when places jump.
const COPIED: usize = 64 << 10;

/// So many threads scan at most: more wait for the one that reads.
const THREADS: usize = 4;

/// So many chunks are read ahead for each thread.
const AHEAD: usize = 2;

/// Surveys a file to its end; the parts of a large one are scanned on several threads, with the same outcome.
/// Only the source can fail, never what the file holds.
pub fn survey(source: impl Read) -> io::Result<Survey> {
    let mut chunks = Chunks::new(source, CHUNK);
    let mut whole = Part::default();
    if let Some(first) = chunks.next_chunk()? {
        whole.add(scan(first, &mut Scanner::default()), &mut chunks);
    }
    // A small file ends here: starting a thread, and asking how many there can be, would take longer than its scan.
    let mut more = chunks.next_chunk()?;
    if more.is_none() {
        return Ok(whole.survey);
    }
    let threads = available_parallelism().map_or(1, usize::from).min(THREADS);
    thread::scope(|scope| {
        let mut workers: Vec<Worker> = Vec::new();
        let mut waiting = VecDeque::new();
        let mut next = 0;
        while let Some(chunk) = more {
            if workers.len() < threads {
                workers.push(Worker::start(scope));
            }
            next = (next + 1) % workers.len();
            workers[next].chunks.send(chunk).map_err(io::Error::other)?;
            waiting.push_back(next);
            if waiting.len() >= AHEAD * threads
                && let Some(first) = waiting.pop_front()
            {
                whole.add(workers[first].parts.recv().map_err(io::Error::other)?, &mut chunks);
            }
            more = chunks.next_chunk()?;
        }
        for worker in waiting {
            whole.add(workers[worker].parts.recv().map_err(io::Error::other)?, &mut chunks);
        }
        Ok(whole.survey)
    })
}

/// What a part of a file holds.
#[derive(Default)]
struct Part {
    survey: Survey,
    lines: u64,
    /// The part itself, as long as it is in memory.
    chunk: Chunk,
}

impl Part {
    /// Joins the next part of the file.
    fn add<R: Read>(&mut self, next: Self, chunks: &mut Chunks<R>) {
        self.survey.append(next.survey, self.lines);
        self.lines += next.lines;
        chunks.reuse(next.chunk);
    }
}

fn scan(chunk: Chunk, scanner: &mut Scanner) -> Part {
    let mut survey = Survey::default();
    let lines = scanner.chunk(&chunk, |found| {
        if let Found::Record(record) = found {
            survey.note(&record);
        }
    });
    Part { survey, lines, chunk }
}

/// A thread that scans, its chunks in order.
struct Worker {
    chunks: Sender<Chunk>,
    parts: Receiver<Part>,
}

impl Worker {
    fn start<'s>(scope: &'s Scope<'s, '_>) -> Self {
        let (chunks, to_scan) = channel::<Chunk>();
        let (scanned, parts) = channel();
        scope.spawn(move || {
            let mut scanner = Scanner::default();
            // Ends when nobody sends chunks or waits for parts any more.
            while let Ok(chunk) = to_scan.recv()
                && scanned.send(scan(chunk, &mut scanner)).is_ok()
            {}
        });
        Self { chunks, parts }
    }
}

/// Copies the records at these places, a LF after each. A file that ends before a place does is an error.
pub fn copy_places(source: impl Read + Seek, places: &[Place], out: &mut dyn Write) -> io::Result<()> {
    let mut reader = PlaceReader::new(source)?;
    for place in places {
        reader.copy(place, out)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Reads records at places, in any order.
pub struct PlaceReader<R> {
    source: BufReader<R>,
    at: u64,
}

impl<R: Read + Seek> PlaceReader<R> {
    /// A reader of a source from its beginning.
    pub fn new(source: R) -> io::Result<Self> {
        let mut source = BufReader::with_capacity(COPIED, source);
        let at = source.stream_position()?;
        Ok(Self { source, at })
    }

    /// The first bytes of the source, so many at most.
    pub fn head(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.source.rewind()?;
        let mut head = Vec::new();
        self.at = self.source.by_ref().take(most).read_to_end(&mut head)? as u64;
        Ok(head)
    }

    /// Copies the record at a place. A file that ends before the place does is an error.
    pub fn copy(&mut self, place: &Place, out: &mut dyn Write) -> io::Result<()> {
        // Within what has been read already, a step to another place costs nothing.
        self.source.seek_relative(place.start.wrapping_sub(self.at) as i64)?;
        let length = place.end - place.start;
        let copied = io::copy(&mut self.source.by_ref().take(length), out)?;
        if copied < length {
            let problem = format!("the file ends inside the record on line {}", place.line);
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, problem));
        }
        self.at = place.end;
        Ok(())
    }
}
