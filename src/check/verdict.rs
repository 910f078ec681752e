//! A *verdict* says what becomes of a session: what comes back of it, whether the API takes what is sent of that, what
//! is lost for good, and what to run. Its class follows from these consequences, and not from the rules that are broken.

mod api_error;
mod broken;
mod conversation;
mod count;
mod judged;
mod left_out;
mod plain;
mod split;
mod unanswered;
mod words;

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read, Seek};

use turnproof_reference::message::{Content, Event, Message};
use turnproof_reference::repair::{GoneOn, Refusal, go_on, without_content};
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{
    Conversation, Gap, Missing, NotFound, Note, NoteKind, Place, PlaceReader, Resume,
};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::{CATALOGUE, Judge, Rule, Severity, Violation, find};

use conversation::{LARGEST, Messages, Records, conversation};
use plain::Plain;
use unanswered::{Unanswered, unanswered};

use super::folder::Origin;
use super::foreign::Foreign;
use super::outlines::Outlines;
use super::seen::{Seen, SessionSeen, is_fixed};
use super::sizes::Sizes;

pub use api_error::ApiError;
pub use broken::{repair_as_asked, repair_broken};
pub(super) use count::Count;
pub use judged::{Judged, verdicts};
pub use left_out::LeftOut;
pub use words::quoted;

/// What becomes of a session, worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It is a session, and nothing of it comes back.
    Unreadable,
    /// The API refuses what the client of today sends of it.
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
            Self::Refused => "The API refuses what the client of today sends of it.",
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

/// Whether the API would take what the client of today sends of the conversation, followed by a prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Acceptance {
    /// It was not asked: nothing comes back, or too much to be held in memory.
    #[default]
    NotAsked,
    /// The API takes it.
    Accepted,
    /// The API refuses it, for these reasons; each rule once.
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
    /// How many messages a compaction summarised, and the line of its boundary.
    pub summarised: Option<(u64, u64)>,
    /// How many messages are on branches that were left, and the line of the first.
    pub left: Option<(u64, u64)>,
    /// Why nothing comes back.
    pub not_found: Option<NotFound>,
    /// How large the conversation is that comes back; `None` where it was not read.
    pub sizes: Option<Sizes>,
    /// Where the session comes from.
    pub origin: Origin,
    /// Whether the API takes what comes back.
    pub acceptance: Acceptance,
    /// Why the API would refuse it if a client sent it as it is stored. The client of today fixes that.
    pub fixed_by_client: Vec<Refusal>,
    /// Why the API may refuse it: the file does not show it for sure.
    pub doubts: Vec<Refusal>,
    /// The refusal of the API that the file ends with.
    pub api_error: Option<ApiError>,
    /// Calls at the end of the main conversation that have no result.
    pub open: u64,
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
    /// What the client of today leaves out of what comes back.
    pub left_out: LeftOut,
    /// Lines that end with CR LF.
    pub carriage_returns: u64,
    /// The rules whose breaches a repair fixes, with how often each is broken. Those on requests are in `acceptance`.
    pub broken: BTreeMap<&'static str, u64>,
}

/// The rules that ask how large a request and its images are.
const OF_SIZES: [&str; 2] = ["api/request-size", "api/media-limits"];

/// The rules whose warnings the sentence on a session names: the API refuses what breaks them, where it is so.
const OF_DOUBT: [&str; 1] = ["thinking/whole-signature"];

/// So many bytes of a file are looked at to say what it is when it is no session.
const HEAD: u64 = 64 << 10;

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
    let nothing = |_| Opinion::of(SessionSeen::default(), BTreeMap::new()).verdict;
    let opinion = Seen::of(transcript.bytes()).map(opinion);
    opinion.and_then(|opinion| opinion.judged(|| Ok(transcript.bytes()))).unwrap_or_else(nothing)
}

/// The verdict on a file, which is never in memory as a whole. It fails when the file cannot be read.
pub fn verdict_of_file(mut file: impl Read + Seek) -> io::Result<Verdict> {
    let seen = Seen::of(&mut file)?;
    opinion(seen).judged(|| PlaceReader::new(file))
}

/// What a file shows, put to the rules on whole transcripts.
fn opinion(Seen { facts, session, .. }: Seen) -> Opinion {
    let count = |rule: &&'static Rule| {
        let Judge::Transcript(judge) = rule.judge else { return None };
        let mut count = Count::default();
        judge(&facts, &mut |violation| count.add(rule, &violation));
        Some((rule.id, count))
    };
    let counts = CATALOGUE.iter().filter(|rule| is_counted(rule)).filter_map(count).collect();
    Opinion::of(session.unwrap_or_default(), counts)
}

/// Whether the verdict depends on how often a rule on transcripts is broken.
pub(super) fn is_counted(rule: &Rule) -> bool {
    is_fixed(rule) || !rule.refused_as.is_empty()
}

/// A verdict that was not put to the API's rules yet.
pub(super) struct Opinion {
    verdict: Verdict,
    is_session: bool,
    /// Where the conversation lies that comes back; nothing where it is not asked about.
    places: Vec<Place>,
    outlines: Outlines,
    plain: Option<Plain>,
    /// The rules on transcripts that are broken, whether a repair fixes that or not.
    found: BTreeMap<&'static str, u64>,
}

impl Opinion {
    /// What a file's facts say; `counts` is how often each rule on transcripts is broken that a verdict depends on.
    pub(super) fn of(seen: SessionSeen, mut counts: BTreeMap<&'static str, Count>) -> Self {
        counts.retain(|_, count| count.all > 0);
        let is_session = seen.is_session();
        let SessionSeen {
            survey,
            outlines,
            lost,
            hidden,
            carriage_returns,
            blocks,
            continued_in,
            broken: of_bytes,
            ..
        } = seen;
        let Conversation { speaker, found, gaps } = survey.conversation();
        let mut verdict = Verdict {
            class: Class::Healthy,
            foreign: None,
            agent: speaker.agent,
            messages: 0,
            comes_back: 0,
            without_bridges: 0,
            summarised: None,
            left: None,
            not_found: None,
            sizes: None,
            origin: Origin { continued_in, ..Origin::default() },
            acceptance: Acceptance::NotAsked,
            fixed_by_client: Vec::new(),
            doubts: Vec::new(),
            api_error: None,
            open: 0,
            // What was never a session has lost nothing of one.
            lost: if is_session { lost } else { Lost::default() },
            hidden,
            circles: 0,
            repeated: 0,
            preserved_missing: 0,
            left_out: LeftOut::default(),
            carriage_returns,
            broken: BTreeMap::new(),
        };
        if is_session {
            verdict.broken = of_bytes;
            let fixed = counts.iter().filter(|(id, count)| count.left > 0 && find(id).is_some_and(is_fixed));
            verdict.broken.extend(fixed.map(|(id, count)| (*id, count.left)));
            verdict.note_gaps(&gaps);
        }
        let mut places = Vec::new();
        match found {
            Ok(resume) => {
                verdict.note_resume(&resume, &gaps);
                places = resume.places;
            }
            Err(why) => verdict.not_found = Some(why),
        }
        if memory_of(&places, blocks) > LARGEST {
            places.clear();
        }
        verdict.class = verdict.class_of(is_session);
        let plain = if places.is_empty() { None } else { Plain::of(&survey, &outlines, &places) };
        let found = counts.into_iter().map(|(id, count)| (id, count.all)).collect();
        Self { verdict, is_session, places, outlines, plain, found }
    }

    /// The verdict. The file is opened where the conversation has to be read, or the file is no session.
    pub(super) fn judged<R: Records>(self, open: impl FnOnce() -> io::Result<R>) -> io::Result<Verdict> {
        let Self { mut verdict, is_session, places, outlines, plain, mut found } = self;
        if !places.is_empty() {
            let mut file = open()?;
            found.extend(&verdict.broken);
            let found_as = |refused: &str| {
                let is_found = |rule: &&&Rule| rule.refused_as.contains(&refused) && found.contains_key(rule.id);
                CATALOGUE.iter().find(is_found).map(|rule| rule.id)
            };
            let abridged = match &plain {
                Some(plain) => plain.messages(&mut file, &places, &outlines)?,
                None => conversation(&mut file, &places, Some(&outlines))?,
            };
            if plain.is_some_and(|plain| !plain.is_odd()) {
                verdict.accept(abridged);
            } else if !verdict.judge(abridged, found_as) {
                verdict.judge(conversation(&mut file, &places, None)?, found_as);
            }
        } else if !is_session {
            let head = open()?.head(HEAD)?;
            verdict.foreign = Foreign::of(&head, (head.len() as u64) < HEAD);
        }
        verdict.class = verdict.class_of(is_session);
        Ok(verdict)
    }
}

impl Verdict {
    /// Notes that parents are not where a reader looks for them.
    fn note_gaps(&mut self, gaps: &[Gap]) {
        let agent = self.agent.is_some();
        for gap in gaps.iter().filter(|gap| !begins_elsewhere(agent, gap)) {
            if gap.is_circle {
                self.broken.entry("chain/acyclic").or_insert(1);
            } else if gap.is_apart {
                self.broken.entry("chain/sidechain-separate").or_insert(1);
            } else if !gap.is_elsewhere && !gap.is_idle && (gap.is_named || gap.to.is_some()) {
                self.broken.entry("chain/parent-exists").or_insert(1);
            }
        }
    }

    fn note_resume(&mut self, resume: &Resume, gaps: &[Gap]) {
        let elsewhere = gaps.iter().filter(|gap| gap.is_elsewhere || begins_elsewhere(self.agent.is_some(), gap));
        let elsewhere: HashSet<u64> = elsewhere.map(|gap| gap.start).collect();
        let is_replaced = |note: &Note| matches!(note.kind, NoteKind::Replaced { .. });
        let back: HashSet<u64> = match resume.notes.iter().any(is_replaced) {
            true => resume.places.iter().map(|place| place.line).collect(),
            false => HashSet::new(),
        };
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
                NoteKind::Replaced { by } if back.contains(&by) => self.left_out.note_placeholder(note.line, by),
                NoteKind::TurnBack { count, .. } => self.left_out.note_turn(note.line, count),
                NoteKind::RepeatedUuid { .. } => {
                    self.repeated += 1;
                    self.messages += 1;
                }
                NoteKind::Withdrawn { .. } | NoteKind::WithdrawnResult => self.messages += 1,
                NoteKind::BeforeBoundary { count } => {
                    self.messages += count;
                    self.summarised = Some((count, note.line));
                }
                NoteKind::OtherBranch { count } => {
                    self.messages += count;
                    let (before, line) = self.left.unwrap_or((0, note.line));
                    self.left = Some((before + count, line.min(note.line)));
                }
                _ => {}
            }
        }
    }

    /// Takes a conversation in which no rule finds anything.
    fn accept(&mut self, Messages { sizes, origin, .. }: Messages) {
        self.sizes = Some(sizes);
        self.origin = Origin { continued_in: self.origin.continued_in.take(), ..origin };
        self.acceptance = Acceptance::Accepted;
    }

    /// Puts the conversation, followed by a prompt, to the rules on requests. What a rule on transcripts finds too has
    /// its name. Gives whether that is certain: what is left out may be too large or not.
    fn judge(
        &mut self,
        Messages { events, left_out, api_error, sizes, origin }: Messages,
        found_as: impl Fn(&str) -> Option<&'static str>,
    ) -> bool {
        self.sizes = (!events.is_empty()).then_some(sizes);
        self.origin = Origin { continued_in: self.origin.continued_in.take(), ..origin };
        let silent = without_content(&events).len() as u64;
        let has_empty_prompt = events.iter().any(is_empty_prompt);
        let split = split::split_replies(&events).and_then(|events| go_on(events, 0, Host::Anthropic));
        let Some(GoneOn { request, mut violations, fixed }) = go_on(events, left_out, Host::Anthropic) else {
            return left_out == 0;
        };
        if left_out > 0 && violations.iter().any(|(rule, _)| OF_SIZES.contains(&rule.id)) {
            return false;
        }
        if silent > 0 {
            self.broken.insert("message/content-not-empty", silent);
        }
        let is_new = |(rule, _): &(&Rule, Violation)| violations.iter().all(|(known, _)| known.id != rule.id);
        let of_split = split.into_iter().flat_map(|split| split.violations).filter(split::is_of_split).filter(is_new);
        let of_split: Vec<_> = of_split.collect();
        violations.extend(of_split);
        let Unanswered { all, at_the_end } = unanswered(&request.messages);
        self.lost.results = all;
        self.open = if self.agent.is_none() { at_the_end } else { 0 };
        let told = api_error.as_ref().map(ApiError::rules).unwrap_or_default();
        let is_left = |(rule, _): &(&Rule, Violation)| {
            told.contains(&rule.id) || has_empty_prompt && rule.id == "api/no-empty-text"
        };
        let (left, fixed): (Vec<_>, Vec<_>) = fixed.into_iter().partition(is_left);
        violations.extend(left);
        let refusal = |(rule, violation): (&'static Rule, Violation)| {
            Refusal::of(found_as(rule.id).unwrap_or(rule.id), violation)
        };
        let has_words = |(_, violation): &(&Rule, Violation)| violation.error.is_some();
        let is_error = |(rule, violation): &(&Rule, Violation)| rule.severity_of(violation) == Severity::Error;
        let (refused, doubts): (Vec<_>, Vec<_>) = violations.into_iter().filter(has_words).partition(is_error);
        self.fixed_by_client = fixed.into_iter().filter(has_words).filter(is_error).map(refusal).collect();
        self.doubts = doubts.into_iter().filter(|(rule, _)| OF_DOUBT.contains(&rule.id)).map(refusal).collect();
        let refusals: Vec<Refusal> = refused.into_iter().map(refusal).collect();
        self.acceptance = if refusals.is_empty() { Acceptance::Accepted } else { Acceptance::Refused(refusals) };
        self.api_error = api_error;
        true
    }

    fn class_of(&self, is_session: bool) -> Class {
        if !is_session {
            return Class::NotASession;
        }
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
            || self.open > 0
    }
}

/// What a conversation takes of memory, in bytes of usual lines; `blocks` are in its file. A record weighs 600 bytes at
/// least, a block 240, and no block is written in less than 24.
fn memory_of(places: &[Place], blocks: u64) -> u64 {
    let bytes = places.iter().map(|place| place.end - place.start).sum::<u64>();
    bytes.max(places.len() as u64 * 600 + blocks.min(bytes / 24) * 240)
}

/// Whether a message is a prompt of no letter. The client of today sends it.
fn is_empty_prompt(event: &Event) -> bool {
    let Some(Message::User(user)) = event.message() else { return false };
    matches!(user.content(), Some(Content::Text(text)) if text.is_empty())
}

/// Whether a conversation goes on from a record of another file: a subagent from one in the file of its session.
fn begins_elsewhere(is_of_agent: bool, gap: &Gap) -> bool {
    is_of_agent && gap.is_named && !gap.is_circle && gap.to.is_none()
}
