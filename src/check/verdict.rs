//! A *verdict* says what becomes of a session: what comes back of it, whether the API takes that as it is stored, what
//! is lost for good, and what to run. Its class follows from these consequences, and not from the rules that are broken.

mod words;

use std::collections::HashSet;
use std::io::{self, Read, Seek};

use rayon::prelude::*;

use crate::message::{Entry, Event, SIDE_KINDS};
use crate::normalize::api::{Refusal, go_on};
use crate::operation::Value;
use crate::transcript::resume::{NotFound, NoteKind, Place, Resume, ResumeOptions, Survey, copy_places};
use crate::transcript::{Chunk, Chunks, DefectKind, Found, Record, Scanner, Transcript};

use super::foreign::Foreign;
use super::input::{InputError, TranscriptFile};

pub use words::quoted;

/// What becomes of a session, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It is a session, and nothing of it comes back.
    Unreadable,
    /// The API refuses the conversation as it is stored.
    Refused,
    /// Readers disagree about the conversation, bytes were lost, or something that should come back does not.
    Damaged,
    /// There is no record of a session in it.
    NotASession,
    /// Every reader finds the same conversation, and the API takes it.
    Healthy,
}

impl Class {
    /// All classes, worst first.
    pub const ALL: [Self; 5] = [Self::Unreadable, Self::Refused, Self::Damaged, Self::NotASession, Self::Healthy];

    /// The class's name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Refused => "refused",
            Self::Damaged => "damaged",
            Self::NotASession => "not a session",
            Self::Healthy => "healthy",
        }
    }

    /// What it says, a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Unreadable => "It is a session, and nothing of it comes back.",
            Self::Refused => "The API refuses the conversation as it is stored.",
            Self::Damaged => {
                "Readers disagree about the conversation, bytes were lost, or something that should come back does not."
            }
            Self::NotASession => "There is no record of a session in it.",
            Self::Healthy => "Every reader finds the same conversation, and the API takes it.",
        }
    }

    /// Whether something should be done about it.
    pub fn is_broken(self) -> bool {
        self <= Self::Damaged
    }
}

/// What was lost for good.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Ranges of bytes that hold no record, but something else than NULs and white space.
    pub ranges: u64,
    /// The bytes in them that are something else.
    pub bytes: u64,
    /// Calls of the conversation whose results were never written.
    pub results: u64,
    /// Parents on the way to the beginning that were never written.
    pub parents: u64,
}

/// Whether the API would take the conversation as it is stored, followed by a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Acceptance {
    /// It was not asked: nothing comes back, or too much to be held in memory.
    #[default]
    NotAsked,
    /// Every host takes it.
    Accepted,
    /// Some host refuses it, for these reasons; each rule once.
    Refused(Vec<Refusal>),
}

/// What becomes of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The class, which follows from the rest.
    pub class: Class,
    /// What it is when it is no session, where that is known.
    pub foreign: Option<Foreign>,
    /// The subagent whose conversation it is; `None` for the main one.
    pub agent: Option<String>,
    /// Messages of the conversation in the file, those on branches and before boundaries too.
    pub messages: u64,
    /// How many of them come back.
    pub comes_back: u64,
    /// How many of them a reader finds that stops at the first gap, from the end on.
    pub without_bridges: u64,
    /// Why nothing comes back.
    pub not_found: Option<NotFound>,
    /// Whether the API takes what comes back.
    pub acceptance: Acceptance,
    /// What was lost for good.
    pub lost: Lost,
    /// Places at which readers of lines lose a record or stop: NULs, a byte order mark, or a second record on a line.
    pub hidden: u64,
    /// Circles of parents on the way to the beginning, in which some readers do not end.
    pub circles: u64,
    /// Messages whose uuid a later message has too, so that they do not come back.
    pub repeated: u64,
    /// Boundaries whose preserved messages cannot be found.
    pub preserved_missing: u64,
}

/// A conversation of more bytes is not put to the API's rules: its request would take a multiple in memory.
const LARGEST: u64 = 128 << 20;

/// A file of so many bytes is judged while no other one is.
const ALONE: u64 = 16 << 20;

/// So many bytes of a file are looked at to say what it is when it is no session.
const HEAD: usize = 64 << 10;

/// The verdict on a file that is in memory.
///
/// ```
/// use turnproof::check::{Class, verdict};
/// use turnproof::transcript::Transcript;
///
/// let file = br#"{"type":"user","uuid":"u1","parentUuid":null,"message":{"role":"user","content":"Hi."}}
/// {"type":"user","uuid":"u2","parentUuid":"never written","message":{"role":"user","content":"Go on."}}
/// "#;
/// let verdict = verdict(&Transcript::from_bytes(file.to_vec()));
/// assert_eq!(verdict.class, Class::Damaged);
/// assert_eq!((verdict.comes_back, verdict.without_bridges), (2, 1));
/// ```
pub fn verdict(transcript: &Transcript) -> Verdict {
    // A file in memory can always be read.
    verdict_of_file(io::Cursor::new(transcript.bytes())).unwrap_or_else(|_| Seen::default().verdict(None, None))
}

/// The verdict on a file, which is never in memory as a whole. It fails when the file cannot be read.
pub fn verdict_of_file(mut file: impl Read + Seek) -> io::Result<Verdict> {
    let seen = Seen::of(&mut file)?;
    let mut found = None;
    let mut events = None;
    let mut speaker = None;
    for agent in seen.speakers() {
        let resume = seen.survey.resume(&ResumeOptions { agent: agent.clone() });
        if let Ok(resume) = &resume {
            events = read_conversation(&mut file, &resume.places)?;
        }
        let is_found = resume.is_ok();
        found = Some(resume);
        if is_found {
            speaker = agent;
            break;
        }
    }
    Ok(Verdict { agent: speaker, ..seen.verdict(found, events) })
}

/// A session, by the name to show, and the verdict on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The file's name.
    pub file: String,
    /// What becomes of it.
    pub verdict: Verdict,
    /// Whether a baseline knows that it is broken.
    pub is_known: bool,
}

impl Judged {
    /// Whether something should be done about it that was not known before.
    pub fn is_broken(&self) -> bool {
        self.verdict.class.is_broken() && !self.is_known
    }
}

/// The verdicts on all inputs, worst first and else in their order; an error for each that cannot be read. `progress`
/// is told how many bytes more have been read.
pub fn verdicts(inputs: &[TranscriptFile], progress: impl Fn(u64) + Sync) -> (Vec<Judged>, Vec<InputError>) {
    let judge = |input: &TranscriptFile| {
        let verdict = input.open().and_then(verdict_of_file);
        progress(input.size);
        match verdict {
            Ok(verdict) => Ok(Judged { file: input.name.clone(), verdict, is_known: false }),
            Err(error) => Err(InputError::new(&input.name, error)),
        }
    };
    // A conversation is in memory while it is judged: large ones come one after the other.
    let (small, large): (Vec<_>, Vec<_>) = inputs.iter().enumerate().partition(|(_, input)| input.size < ALONE);
    let mut read: Vec<(usize, Result<Judged, InputError>)> =
        small.into_par_iter().map(|(index, input)| (index, judge(input))).collect();
    read.extend(large.into_iter().map(|(index, input)| (index, judge(input))));
    read.sort_by_key(|(index, _)| *index);
    let (mut judged, mut errors) = (Vec::new(), Vec::new());
    for (_, one) in read {
        match one {
            Ok(one) => judged.push(one),
            Err(error) => errors.push(error),
        }
    }
    judged.sort_by_key(|judged| judged.verdict.class);
    (judged, errors)
}

/// The messages of a conversation; `None` when they are too many to be held in memory.
fn read_conversation(file: &mut (impl Read + Seek), places: &[Place]) -> io::Result<Option<Vec<Event>>> {
    if places.iter().map(|place| place.end - place.start).sum::<u64>() > LARGEST {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    file.rewind()?;
    copy_places(file, places, &mut bytes)?;
    let conversation = Transcript::from_bytes(bytes);
    let event = |record: Record<'_>| match record.entry() {
        Ok(Entry::Event(event)) => Some(event),
        _ => None,
    };
    Ok(Some(conversation.records().filter_map(event).collect()))
}

/// A byte order mark, as UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The bytes of a file from `start` to `end`, where the chunk has them.
fn part_of(chunk: &Chunk, start: u64, end: u64) -> Option<&[u8]> {
    let from = start.checked_sub(chunk.offset)?;
    chunk.bytes.get(from as usize..(end - chunk.offset) as usize)
}

/// What one pass over a file shows.
#[derive(Default)]
struct Seen {
    survey: Survey,
    lost: Lost,
    hidden: u64,
    /// Whether there is a record of a session, or what is left of one.
    is_session: bool,
    foreign: Option<Foreign>,
}

impl Seen {
    fn of(file: &mut (impl Read + Seek)) -> io::Result<Self> {
        let mut seen = Self::default();
        let mut chunks = Chunks::new(&mut *file, 256 << 10);
        let mut scanner = Scanner::default();
        let mut lines = 0;
        while let Some(chunk) = chunks.next_chunk()? {
            lines += scanner.chunk(&chunk, |found| seen.note(&chunk, lines, &found));
            chunks.reuse(chunk);
        }
        if !seen.is_session {
            file.rewind()?;
            let mut head = Vec::new();
            file.take(HEAD as u64).read_to_end(&mut head)?;
            seen.foreign = Foreign::of(&head, head.len() < HEAD);
        }
        Ok(seen)
    }

    fn note(&mut self, chunk: &Chunk, lines: u64, found: &Found<'_>) {
        match found {
            Found::Record(record) => {
                self.is_session |= record.head.kind.is_some() || SIDE_KINDS.contains(&&*record.type_name());
                self.survey.note(&Record { line: record.line + lines, ..*record });
            }
            &Found::Blank { start, end } => {
                let has_mark = |bytes: &[u8]| bytes.windows(MARK.len()).any(|part| part == MARK);
                self.hidden += u64::from(part_of(chunk, start, end).is_some_and(has_mark));
            }
            &Found::Rejected { start, end, .. } => {
                self.reject(part_of(chunk, start, end), end - start);
            }
            Found::Defect(defect) => {
                self.hidden += u64::from(matches!(defect.kind, DefectKind::OneRecordPerLine));
            }
        }
    }

    /// Notes a range that holds no record; `bytes` are not there when the range was too long to be looked into.
    fn reject(&mut self, bytes: Option<&[u8]>, length: u64) {
        let is_filling = |byte: &u8| *byte == 0 || byte.is_ascii_whitespace();
        let lost = match bytes {
            Some(MARK) => 0,
            Some(bytes) => bytes.iter().filter(|byte| !is_filling(byte)).count() as u64,
            None => length,
        };
        self.lost.bytes += lost;
        self.lost.ranges += u64::from(lost > 0);
        self.is_session |= bytes.is_some_and(|bytes| bytes.starts_with(b"\0") || bytes.starts_with(b"{\""));
        // A reader of lines does not find the record that stands behind this on its line.
        self.hidden += u64::from(lost == 0);
    }

    /// Whom to ask for: the main conversation, or else those of the subagents that the file is of.
    fn speakers(&self) -> Vec<Option<String>> {
        match self.survey.resume(&ResumeOptions::default()) {
            Err(NotFound::SidechainOnly { agents }) if !agents.is_empty() => agents.into_iter().map(Some).collect(),
            _ => vec![None],
        }
    }

    fn verdict(self, found: Option<Result<Resume, NotFound>>, events: Option<Vec<Event>>) -> Verdict {
        let mut verdict = Verdict {
            class: Class::Healthy,
            foreign: self.foreign,
            agent: None,
            messages: 0,
            comes_back: 0,
            without_bridges: 0,
            not_found: None,
            acceptance: Acceptance::NotAsked,
            // What was never a session has lost nothing of one.
            lost: if self.is_session { self.lost } else { Lost::default() },
            hidden: self.hidden,
            circles: 0,
            repeated: 0,
            preserved_missing: 0,
        };
        match found {
            Some(Ok(resume)) => verdict.note_resume(&resume),
            Some(Err(why)) => verdict.not_found = Some(why),
            None => {}
        }
        if let Some(events) = events {
            verdict.judge(events);
        }
        verdict.class = match self.is_session {
            true => verdict.class_of_session(),
            false => Class::NotASession,
        };
        verdict
    }
}

impl Verdict {
    fn note_resume(&mut self, resume: &Resume) {
        self.comes_back = resume.places.len() as u64;
        self.messages = self.comes_back;
        self.without_bridges = self.comes_back - resume.after_gap as u64;
        for note in &resume.notes {
            match note.kind {
                NoteKind::Bridged { is_named, .. } => self.lost.parents += u64::from(is_named),
                NoteKind::CircleCut { .. } => self.circles += 1,
                NoteKind::PreservedMissing { .. } => self.preserved_missing += 1,
                NoteKind::RepeatedUuid { .. } => {
                    self.repeated += 1;
                    self.messages += 1;
                }
                NoteKind::Withdrawn { .. } | NoteKind::WithdrawnResult => self.messages += 1,
                NoteKind::BeforeBoundary { count } | NoteKind::OtherBranch { count } => self.messages += count,
                _ => {}
            }
        }
    }

    /// Puts the conversation, followed by a prompt, to the rules on requests.
    fn judge(&mut self, events: Vec<Event>) {
        let Some((request, violations)) = go_on(events) else { return };
        self.lost.results = unanswered(&request.messages);
        let refused = violations.into_iter().filter(|(_, violation)| violation.error.is_some());
        let refusals: Vec<Refusal> = refused.map(|(rule, violation)| Refusal::of(rule, violation)).collect();
        self.acceptance = if refusals.is_empty() { Acceptance::Accepted } else { Acceptance::Refused(refusals) };
    }

    fn class_of_session(&self) -> Class {
        match &self.not_found {
            // No message was written, so none is lost.
            Some(NotFound::SideRecordsOnly { .. } | NotFound::SidechainOnly { .. } | NotFound::NoSpeaker { .. })
                if self.lost.bytes == 0 =>
            {
                return Class::Healthy;
            }
            Some(_) => return Class::Unreadable,
            None => {}
        }
        match self.acceptance {
            Acceptance::Refused(_) => Class::Refused,
            _ if self.is_damaged() => Class::Damaged,
            _ => Class::Healthy,
        }
    }

    fn is_damaged(&self) -> bool {
        self.lost.bytes > 0
            || self.without_bridges < self.comes_back
            || self.hidden > 0
            || self.circles > 0
            || self.repeated > 0
            || self.preserved_missing > 0
    }
}

/// How many calls of a request have no result in it.
fn unanswered(messages: &[Value]) -> u64 {
    let blocks = || messages.iter().filter_map(|turn| turn.get("content")?.as_array()).flatten();
    let ids = |kind: &'static str, member: &'static str| {
        blocks()
            .filter(move |block| block.get("type").and_then(Value::as_str) == Some(kind))
            .filter_map(move |block| block.get(member).and_then(Value::as_str))
    };
    let answered: HashSet<&str> = ids("tool_result", "tool_use_id").collect();
    ids("tool_use", "id").filter(|id| !answered.contains(id)).count() as u64
}
