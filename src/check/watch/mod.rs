//! A *watch* judges a session while it is written. It is fed the bytes as they are appended, and tells what is new:
//! findings, findings that have gone, and the verdict when it changes.
//!
//! ```text
//! files ── Watcher ── follow ──> bytes, truncations ── Watch ──> events
//! ```
//!
//! Whole lines are judged at once. What depends on later lines is judged when the file has come to rest: the rules on
//! whole transcripts, a last line without LF, and the verdict. A call of the reply that is being carried out is open,
//! and no finding. The clock belongs to the caller: it says how much time has passed.
//!
//! Of each line some 16 bytes stay in memory, of each record its facts, of each finding its key, and the last line as
//! long as it is not whole. A verdict reads the file again.

mod follow;
mod prefix;
mod told;
mod turn;
mod watcher;

use std::collections::BTreeMap;
use std::io::{self, Read, Seek};
use std::time::Duration;

use memchr::{memchr, memrchr};
use twox_hash::XxHash3_64;

use turnproof_reference::transcript::{Chunk, Defect, MAX_LINE};
use turnproof_rules::rules::{Facts, Judge, Legacy, Place, Rule, Violation};

use super::finding::{Excerpts, Finding, Lines};
use super::scan::{Scanned, scan};
use super::uuids::Uuids;
use super::verdict::{Verdict, verdict_of_file};
use super::{InputError, Options};
use prefix::Prefix;
use told::{Key, Told};
use turn::Turn;

pub use watcher::Watcher;

/// A file that has not changed for so long is at rest: it is judged as it stands.
pub const REST: Duration = Duration::from_secs(1);

/// A file that never comes to rest is judged this often.
pub const BUSY: Duration = Duration::from_secs(10);

/// Between two judgements of a file a second passes for so many bytes of it.
pub const BYTES_A_SECOND: u64 = 16 << 20;

/// Why a file is read from its beginning again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Again {
    /// It is shorter than it was.
    Truncated,
    /// Another file is in its place.
    Replaced,
    /// What was read of it has changed.
    Rewritten,
}

/// What a watch tells.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A session that was there before begins to be watched.
    Began {
        /// Its lines.
        lines: u64,
        /// What was found in it, by the rule's id. It is not told otherwise.
        known: BTreeMap<&'static str, u64>,
    },
    /// A new finding.
    Finding(Finding<'a>),
    /// Findings that were told and are there no more.
    Gone {
        /// Their rule.
        rule: &'static Rule,
        /// How many.
        count: u64,
    },
    /// The file is read from its beginning again. What is found again is not told again.
    Again(Again),
    /// The file is no more. It is judged again when it comes back.
    Removed,
    /// The first verdict, or another one than the last.
    Verdict(&'a Verdict),
    /// The file cannot be read. It is tried again.
    Unreadable(&'a InputError),
}

/// Takes an event. It fails when the event cannot be told; that ends the watch.
pub type Tell<'a> = &'a mut dyn FnMut(Event<'_>) -> io::Result<()>;

/// The watch on one file: it knows no clock and no disk.
///
/// ```
/// use std::io::Cursor;
/// use std::time::Duration;
///
/// use turnproof::check::{Event, Options, Watch};
///
/// let torn = br#"{"type":"user","uuid":"u1","par"#;
/// let mut watch = Watch::new("session.jsonl", &Options::default());
/// let mut rules = Vec::new();
/// let mut tell = |event: Event<'_>| {
///     if let Event::Finding(finding) = event {
///         rules.push(finding.rule.id);
///     }
///     Ok(())
/// };
/// watch.append(torn, Duration::ZERO, &mut tell)?;
/// watch.judge_if_due(Duration::from_millis(200), &mut Cursor::new(torn), &mut tell)?; // it may still be being written
/// watch.judge_if_due(Duration::from_secs(2), &mut Cursor::new(torn), &mut tell)?;
/// assert_eq!(rules, ["wire/terminated"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Watch {
    name: String,
    options: Options,
    session: Option<String>,
    /// Longer lines are stepped over.
    longest: usize,
    /// Whether what is found was there before the watch began.
    is_known: bool,
    told: Told,
    facts: Facts,
    /// Where each line begins, with a hash of its bytes.
    lines: Vec<(u64, u64)>,
    /// The bytes of whole lines.
    end: u64,
    /// The last line, as long as it has no LF.
    rest: Vec<u8>,
    /// The bytes of the last line that were stepped over, since it is longer than [`MAX_LINE`].
    skipped: u64,
    /// The facts of the last line and the turn behind it, when it was judged without LF.
    of_rest: Option<(Scanned, Turn)>,
    turn: Turn,
    verdict: Option<Verdict>,
    /// How many bytes the last verdict was on.
    verdict_on: u64,
    changed_at: Duration,
    judged_at: Option<Duration>,
    is_judged: bool,
}

impl Watch {
    /// A watch on a file of this name, which is empty so far.
    pub fn new(name: impl Into<String>, options: &Options) -> Self {
        Self {
            name: name.into(),
            options: options.clone(),
            session: None,
            longest: MAX_LINE,
            is_known: false,
            told: Told::default(),
            facts: Facts::new(),
            lines: Vec::new(),
            end: 0,
            rest: Vec::new(),
            skipped: 0,
            of_rest: None,
            turn: Turn::default(),
            verdict: None,
            verdict_on: 0,
            changed_at: Duration::ZERO,
            judged_at: None,
            is_judged: true,
        }
    }

    /// The same, for the session that the file's name stands for.
    pub fn with_session(self, session: Option<&str>) -> Self {
        Self { session: session.map(str::to_owned), ..self }
    }

    /// The same; steps over lines longer than so many bytes, in place of [`MAX_LINE`].
    pub fn with_longest_line(self, bytes: usize) -> Self {
        Self { longest: bytes, ..self }
    }

    /// Takes what is found until [`Watch::begin`] as known: it is not told.
    pub fn knowing(self) -> Self {
        Self { is_known: true, ..self }
    }

    /// Takes the bytes that follow on those before, at a time that never goes back. Whole lines are judged by
    /// themselves.
    ///
    /// # Errors
    /// What `tell` fails with.
    pub fn append(&mut self, bytes: &[u8], now: Duration, tell: Tell<'_>) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        (self.changed_at, self.is_judged) = (now, false);
        self.unjudge_rest();
        let mut bytes = bytes;
        if self.skipped > 0 {
            let Some(end) = memchr(b'\n', bytes) else {
                self.skipped += bytes.len() as u64;
                return Ok(());
            };
            let skipped = std::mem::take(&mut self.skipped) + end as u64 + 1;
            self.take_lines(Chunk { bytes: Vec::new(), offset: self.end, skipped }, tell)?;
            bytes = &bytes[end + 1..];
        }
        let Some(last) = memrchr(b'\n', bytes) else {
            self.rest.extend_from_slice(bytes);
            if self.rest.len() > self.longest {
                self.skipped = std::mem::take(&mut self.rest).len() as u64;
            }
            return Ok(());
        };
        let mut whole = std::mem::take(&mut self.rest);
        whole.extend_from_slice(&bytes[..=last]);
        self.rest.extend_from_slice(&bytes[last + 1..]);
        self.take_lines(Chunk { bytes: whole, offset: self.end, skipped: 0 }, tell)
    }

    /// Forgets the bytes: the file restarts. What was reported is kept, so that it is not reported again.
    pub fn restart(&mut self, now: Duration) {
        self.unjudge_rest();
        self.told.restart();
        (self.facts, self.turn) = (Facts::new(), Turn::default());
        self.lines.clear();
        self.rest.clear();
        (self.end, self.skipped, self.verdict_on) = (0, 0, 0);
        (self.changed_at, self.is_judged) = (now, false);
    }

    /// Judges the whole, when that is due: the file is at rest, or has not been for long. `file` holds the bytes that
    /// were appended.
    ///
    /// # Errors
    /// What `tell` fails with.
    pub fn judge_if_due(&mut self, now: Duration, file: &mut (impl Read + Seek), tell: Tell<'_>) -> io::Result<()> {
        let is_at_rest = now >= self.changed_at + REST;
        let since = self.judged_at.map(|judged_at| now.saturating_sub(judged_at));
        let pause = Duration::from_millis(self.size() * 1000 / BYTES_A_SECOND);
        let is_due = match since {
            _ if self.is_judged => false,
            None => is_at_rest || now >= BUSY,
            Some(since) => since >= pause && (is_at_rest || since >= BUSY),
        };
        if !is_due {
            return Ok(());
        }
        self.judged_at = Some(now);
        self.is_judged = is_at_rest;
        self.judge(is_at_rest, false, file, tell)
    }

    /// Judges what was there before the watch, and tells how much it is. From here on findings are told.
    ///
    /// # Errors
    /// What `tell` fails with.
    pub fn begin(&mut self, now: Duration, file: &mut (impl Read + Seek), tell: Tell<'_>) -> io::Result<()> {
        self.is_known = true;
        self.judge(false, false, file, &mut |event| match event {
            // It is told behind the beginning.
            Event::Verdict(_) => Ok(()),
            event => tell(event),
        })?;
        (self.is_known, self.judged_at) = (false, Some(now));
        tell(Event::Began { lines: self.lines.len() as u64, known: self.told.known() })?;
        match &self.verdict {
            Some(verdict) => tell(Event::Verdict(verdict)),
            None => Ok(()),
        }
    }

    /// Judges the file as it stands: nothing more comes, and what is open stays open.
    ///
    /// # Errors
    /// What `tell` fails with.
    pub fn end(&mut self, file: &mut (impl Read + Seek), tell: Tell<'_>) -> io::Result<()> {
        self.is_judged = true;
        self.judge(true, true, file, tell)
    }

    /// How many bytes were appended.
    pub fn size(&self) -> u64 {
        self.end + self.skipped + self.rest.len() as u64
    }

    /// Whether all that was appended has been judged.
    pub fn is_judged(&self) -> bool {
        self.is_judged
    }

    /// When bytes were appended last, or the file restarted.
    pub fn changed_at(&self) -> Duration {
        self.changed_at
    }

    /// The last verdict.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.verdict.as_ref()
    }

    /// How many findings were told and are still there, by the rule's id.
    pub fn standing(&self) -> BTreeMap<&'static str, u64> {
        self.told.standing()
    }

    /// Judges whole lines by themselves, and keeps their facts.
    fn take_lines(&mut self, chunk: Chunk, tell: Tell<'_>) -> io::Result<()> {
        let scanned = scan(&chunk, false, |record| self.turn.note(record));
        let before = self.lines.len() as u64;
        self.lines.extend(chunk.lines().map(|line| (line.offset, XxHash3_64::oneshot(line.bytes))));
        self.lines.extend((chunk.skipped > 0).then_some((chunk.offset, 0)));
        self.tell_defects(&chunk, &scanned.defects, before, false, tell)?;
        self.facts.append(scanned.seen.facts, before);
        self.end += chunk.bytes.len() as u64 + chunk.skipped;
        // Where little was added at a time, its memory serves for the next line.
        if self.rest.is_empty() && chunk.bytes.capacity() <= KEPT {
            self.rest = chunk.bytes;
            self.rest.clear();
        }
        Ok(())
    }

    /// Tells what is wrong with lines by themselves, unless it was told before.
    fn tell_defects(
        &mut self,
        chunk: &Chunk,
        defects: &[Defect],
        before: u64,
        is_rest: bool,
        tell: Tell<'_>,
    ) -> io::Result<()> {
        let mut lines = Lines::new(chunk);
        for defect in defects {
            let Some(rule) = self.options.rules.iter().copied().find(|rule| rule.id == defect.kind.rule()) else {
                continue;
            };
            if !self.options.legacy && defect.is_legacy() {
                continue;
            }
            let (text, text_start) = lines.around(defect.start);
            let place = [XxHash3_64::oneshot(text), defect.start - text_start];
            if self.told.line(Key::new(rule, &place), self.is_known, is_rest) {
                tell(Event::Finding(Finding::of_defect(&self.name, rule, defect, (text, text_start), before)))?;
            }
        }
        Ok(())
    }

    /// Judges the last line although it has no LF.
    fn judge_rest(&mut self, tell: Tell<'_>) -> io::Result<()> {
        if self.rest.is_empty() || self.of_rest.is_some() {
            return Ok(());
        }
        let chunk = Chunk { bytes: std::mem::take(&mut self.rest), offset: self.end, skipped: 0 };
        let mut turn = self.turn.clone();
        let scanned = scan(&chunk, false, |record| turn.note(record));
        self.lines.push((self.end, XxHash3_64::oneshot(&chunk.bytes)));
        let told = self.tell_defects(&chunk, &scanned.defects, self.lines.len() as u64 - 1, true, tell);
        (self.rest, self.of_rest) = (chunk.bytes, Some((scanned, turn)));
        told
    }

    /// Takes back that the last line was judged: it goes on.
    fn unjudge_rest(&mut self) {
        if self.of_rest.take().is_some() {
            self.lines.pop();
            self.told.rest_goes_on();
        }
    }

    fn judge(
        &mut self,
        is_at_rest: bool,
        is_end: bool,
        file: &mut (impl Read + Seek),
        tell: Tell<'_>,
    ) -> io::Result<()> {
        if is_at_rest {
            self.judge_rest(tell)?;
        }
        let turn = self.of_rest.as_ref().map_or(&self.turn, |(_, turn)| turn);
        let open = turn.open_from().filter(|_| !is_end);
        let new = self.judge_whole(open);
        let uuids = Uuids::default();
        let mut excerpts = Excerpts::new(&self.name, &uuids, Vec::new(), || Ok(&mut *file));
        for (rule, violation) in &new {
            tell(Event::Finding(excerpts.finding(rule, violation)))?;
        }
        for (rule, count) in self.told.gone() {
            tell(Event::Gone { rule, count })?;
        }
        let judged = self.end + if self.of_rest.is_some() { self.rest.len() as u64 } else { 0 };
        self.judge_verdict(open.unwrap_or(judged), file, tell)
    }

    /// Asks the rules on whole transcripts; gives what is new.
    fn judge_whole(&mut self, open: Option<u64>) -> Vec<(&'static Rule, Violation)> {
        let mut facts = std::mem::take(&mut self.facts);
        if let Some(session) = &self.session {
            facts.set_file_session(session.as_str());
        }
        let with_rest = self.of_rest.as_ref().filter(|(rest, _)| rest.tally.records > 0).map(|(rest, _)| {
            let mut facts = facts.clone();
            facts.append(rest.seen.facts.clone(), self.lines.len() as u64 - 1);
            facts
        });
        let mut new = Vec::new();
        self.told.judge_whole();
        for rule in
            self.options.rules.iter().copied().filter(|rule| self.options.legacy || rule.legacy != Some(Legacy::Always))
        {
            let Judge::Transcript(judge) = rule.judge else { continue };
            judge(with_rest.as_ref().unwrap_or(&facts), &mut |violation| {
                let (at, member, block) = place_of(&violation);
                if rule.id == OPEN && open.is_some_and(|open| at >= open) {
                    return;
                }
                let line = self.lines.partition_point(|(start, _)| *start <= at).checked_sub(1);
                let (start, hash) = line.map_or((at, 0), |line| self.lines[line]);
                let place = [hash, at - start, XxHash3_64::oneshot(member.as_bytes()), block];
                if self.told.whole(Key::new(rule, &place), self.is_known) {
                    new.push((rule, violation));
                }
            });
        }
        self.facts = facts;
        new
    }

    /// Tells what becomes of the first `length` bytes, where that is another verdict than before.
    fn judge_verdict(&mut self, length: u64, file: &mut (impl Read + Seek), tell: Tell<'_>) -> io::Result<()> {
        if length == 0 || length == self.verdict_on {
            return Ok(());
        }
        let Ok(verdict) = verdict_of_file(Prefix::new(file, length)) else {
            // It has become shorter meanwhile, or cannot be read just now.
            self.is_judged = false;
            return Ok(());
        };
        self.verdict_on = length;
        let is_new = self.verdict.as_ref().is_none_or(|last| !is_alike(last, &verdict));
        let verdict = self.verdict.insert(verdict);
        if is_new { tell(Event::Verdict(verdict)) } else { Ok(()) }
    }
}

/// The rule that a call breaks as long as it is carried out.
const OPEN: &str = "tool/call-answered";

/// Memory of so many bytes is used again for the next lines.
const KEPT: usize = 1 << 20;

/// Where a violation of a whole transcript lies: the record's first byte, the member, and the block.
fn place_of(violation: &Violation) -> (u64, &'static str, u64) {
    match violation.place {
        Place::Record { start, member, block, .. } => (start, member, block.map_or(0, |block| u64::from(block) + 1)),
        Place::Bytes { start, .. } => (start, "", 0),
        _ => (0, "", 0),
    }
}

/// Whether two verdicts say the same, however many messages there are.
fn is_alike(one: &Verdict, other: &Verdict) -> bool {
    let without_counts = |verdict: &Verdict| Verdict {
        messages: 0,
        comes_back: u64::from(verdict.comes_back > 0),
        without_bridges: u64::from(verdict.without_bridges < verdict.comes_back),
        summarised: None,
        left: None,
        sizes: None,
        ..verdict.clone()
    };
    without_counts(one) == without_counts(other)
}
