//! A *verdict* says what becomes of a session: what comes back of it, whether the API takes that as it is stored, what
//! is lost for good, and what to run. Its class follows from these consequences, and not from the rules that are broken.

mod conversation;
mod unanswered;
mod words;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read, Seek};

use memchr::memchr_iter;
use rayon::prelude::*;

use crate::json::path_at;
use crate::message::{Event, SIDE_KINDS};
use crate::repair::{Refusal, go_on, without_content};
use crate::rules::{CATALOGUE, Facts, Judge, Repair, Rule, Violation, find};
use crate::transcript::resume::{Gap, Missing, NotFound, NoteKind, Resume, ResumeOptions, Survey};
use crate::transcript::{Chunk, Chunks, Defect, DefectKind, Detail, Found, Record, Scanner, Transcript};

use conversation::read_conversation;
use unanswered::unanswered;

use super::foreign::Foreign;
use super::input::{InputError, TranscriptFile};
use super::scan::push_facts;

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
    /// Lines that end with CR LF.
    pub carriage_returns: u64,
    /// The rules whose breaches a repair mends, with how often each is broken. Those on requests are in `acceptance`.
    pub broken: BTreeMap<&'static str, u64>,
}

/// Whether a repair mends each breach of a rule on transcripts.
fn mends(rule: &Rule) -> bool {
    rule.repair == Some(Repair::Must)
}

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
    let nothing = |_| Seen::default().verdict(ResumeOptions::default(), Err(NotFound::Empty), None);
    verdict_of_file(io::Cursor::new(transcript.bytes())).unwrap_or_else(nothing)
}

/// The verdict on a file, which is never in memory as a whole. It fails when the file cannot be read.
pub fn verdict_of_file(mut file: impl Read + Seek) -> io::Result<Verdict> {
    let seen = Seen::of(&mut file)?;
    let speaker = seen.survey.speaker();
    let found = seen.survey.resume(&speaker);
    let events = match &found {
        Ok(resume) => read_conversation(&mut file, &resume.places)?,
        Err(_) => None,
    };
    Ok(seen.verdict(speaker, found, events))
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
    facts: Facts,
    lost: Lost,
    hidden: u64,
    carriage_returns: u64,
    /// The rules on bytes whose breaches a repair mends.
    broken: BTreeMap<&'static str, u64>,
    /// Whether there is a record of a session, or nothing but what is left of some.
    is_session: bool,
    has_remnants: bool,
    has_other_records: bool,
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
        seen.is_session |= seen.has_remnants && !seen.has_other_records;
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
                let is_known = record.head.kind.is_some() || SIDE_KINDS.contains(&&*record.type_name());
                self.is_session |= is_known;
                self.has_other_records |= !is_known;
                let record = Record { line: record.line + lines, ..*record };
                self.survey.note(&record);
                push_facts(&mut self.facts, &record);
            }
            &Found::Blank { start, end } => {
                let blank = part_of(chunk, start, end).unwrap_or_default();
                self.hidden += u64::from(blank.windows(MARK.len()).any(|part| part == MARK));
                self.carriage_returns += memchr_iter(b'\r', blank).count() as u64;
            }
            &Found::Rejected { start, end, .. } => {
                self.reject(part_of(chunk, start, end), end - start);
            }
            Found::Defect(defect) => {
                self.hidden += u64::from(matches!(defect.kind, DefectKind::OneRecordPerLine));
                self.note_defect(defect, chunk);
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
        self.has_remnants |= bytes.is_some_and(|bytes| bytes.starts_with(b"\0") || bytes.starts_with(b"{\""));
        // A reader of lines does not find the record that stands behind this on its line.
        self.hidden += u64::from(lost == 0);
    }

    fn note_defect(&mut self, defect: &Defect, chunk: &Chunk) {
        let rule = defect.kind.rule();
        let is_mended = match defect.kind {
            // A last line without its end is legacy when it is whole.
            DefectKind::Terminated => defect.detail != Detail::None,
            // A record whose kind cannot be read is one that nobody knows, and stays.
            DefectKind::TypedFields => {
                let record = part_of(chunk, defect.piece, defect.end).unwrap_or_default();
                path_at(record, (defect.start - defect.piece) as usize) != "type"
            }
            _ => find(rule).is_some_and(mends),
        };
        if is_mended {
            *self.broken.entry(rule).or_default() += 1;
        }
    }

    /// The rules whose breaches a repair mends, with how often each is broken.
    fn broken(&mut self, gaps: &[Gap]) -> BTreeMap<&'static str, u64> {
        let mut broken = std::mem::take(&mut self.broken);
        for rule in CATALOGUE.iter().filter(|rule| mends(rule)) {
            let Judge::Transcript(judge) = rule.judge else { continue };
            let mut count = 0;
            judge(&self.facts, &mut |_| count += 1);
            if count > 0 {
                broken.insert(rule.id, count);
            }
        }
        for gap in gaps {
            if gap.is_circle {
                broken.entry("chain/acyclic").or_insert(1);
            } else if gap.is_apart {
                broken.entry("chain/sidechain-separate").or_insert(1);
            } else if !gap.is_elsewhere && (gap.is_named || gap.to.is_some()) {
                broken.entry("chain/parent-exists").or_insert(1);
            }
        }
        broken
    }

    /// The rule on transcripts that finds in this file what the API refuses by a rule on requests.
    fn found_as(facts: &Facts, of_bytes: &BTreeMap<&str, u64>, refused: &str) -> Option<&'static str> {
        let is_broken = |rule: &Rule| match rule.judge {
            Judge::Transcript(judge) => {
                let mut is_broken = false;
                judge(facts, &mut |_| is_broken = true);
                is_broken
            }
            _ => of_bytes.contains_key(rule.id),
        };
        let found = CATALOGUE.iter().find(|rule| rule.refused_as.contains(&refused) && is_broken(rule));
        found.map(|rule| rule.id)
    }

    fn verdict(
        mut self,
        speaker: ResumeOptions,
        found: Result<Resume, NotFound>,
        events: Option<Vec<Event>>,
    ) -> Verdict {
        let gaps = self.survey.gaps(&speaker);
        let broken = if self.is_session { self.broken(&gaps) } else { BTreeMap::new() };
        let mut verdict = Verdict {
            class: Class::Healthy,
            foreign: self.foreign,
            agent: speaker.agent,
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
            carriage_returns: self.carriage_returns,
            broken,
        };
        match found {
            Ok(resume) => verdict.note_resume(&resume, &gaps),
            Err(why) => verdict.not_found = Some(why),
        }
        if let Some(events) = events {
            let of_bytes = verdict.broken.clone();
            verdict.judge(events, |refused| Self::found_as(&self.facts, &of_bytes, refused));
        }
        verdict.class = if self.is_session { verdict.class_of_session() } else { Class::NotASession };
        verdict
    }
}

impl Verdict {
    fn note_resume(&mut self, resume: &Resume, gaps: &[Gap]) {
        let elsewhere: HashSet<u64> = gaps.iter().filter(|gap| gap.is_elsewhere).map(|gap| gap.start).collect();
        self.comes_back = resume.places.len() as u64;
        self.messages = self.comes_back;
        self.without_bridges = self.comes_back - resume.after_gap as u64;
        for note in &resume.notes {
            match note.kind {
                NoteKind::Bridged { is_named, .. } => {
                    self.lost.parents += u64::from(is_named && !elsewhere.contains(&note.start));
                }
                NoteKind::CircleCut { .. } => self.circles += 1,
                NoteKind::PreservedMissing { what } => {
                    let is_of_list = matches!(what, Missing::List | Missing::Messages { .. } | Missing::Itself);
                    // A fork may claim a segment that stands behind the boundary: nothing is missing.
                    let is_missing = is_of_list || self.broken.contains_key("chain/preserved-segment");
                    self.preserved_missing += u64::from(is_missing);
                }
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

    /// Puts the conversation, followed by a prompt, to the rules on requests. What a rule on transcripts finds too has
    /// its name.
    fn judge(&mut self, events: Vec<Event>, found_as: impl Fn(&str) -> Option<&'static str>) {
        let silent = without_content(&events).len() as u64;
        if silent > 0 {
            self.broken.insert("message/content-not-empty", silent);
        }
        let Some((request, violations)) = go_on(events) else { return };
        self.lost.results = unanswered(&request.messages);
        // What this document does not know the API may know.
        let is_sure =
            |(rule, violation): &(&Rule, Violation)| violation.error.is_some() && rule.id != "api/known-blocks";
        let refused = violations.into_iter().filter(is_sure);
        let refusals = refused.map(|(rule, violation)| Refusal::of(found_as(rule.id).unwrap_or(rule.id), violation));
        let refusals: Vec<Refusal> = refusals.collect();
        self.acceptance = if refusals.is_empty() { Acceptance::Accepted } else { Acceptance::Refused(refusals) };
    }

    fn class_of_session(&self) -> Class {
        match &self.not_found {
            // No message was written, so none is lost.
            Some(NotFound::SideRecordsOnly { .. } | NotFound::SidechainOnly { .. } | NotFound::NoSpeaker { .. })
                if self.lost.bytes == 0 =>
            {
                return if self.is_damaged() { Class::Damaged } else { Class::Healthy };
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
        self.is_visibly_damaged() || !self.broken.is_empty()
    }

    /// Whether something tells of damage that is more than a broken rule.
    fn is_visibly_damaged(&self) -> bool {
        self.lost.bytes > 0
            || self.without_bridges < self.comes_back
            || self.hidden > 0
            || self.circles > 0
            || self.repeated > 0
            || self.preserved_missing > 0
            || self.carriage_returns > 0
    }
}
