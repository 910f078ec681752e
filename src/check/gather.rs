//! Parts of a file are *gathered* in their order while they are scanned on all threads. Whoever brings the last one asks
//! the rules on whole transcripts, and says what becomes of the session.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use turnproof_reference::sent::{Keep, Sent};
use turnproof_reference::transcript::Chunk;
use turnproof_reference::transcript::resume::PlaceReader;
use turnproof_rules::rules::{CATALOGUE, Facts, Judge, Legacy, Rule, SentFact, Violation};

use super::Options;
use super::input::TranscriptFile;
use super::seen::Seen;
use super::uuids::Uuids;
use super::verdict::{Count, Opinion, Verdict, is_counted};

/// A file of so many bytes is judged while no other one of them is: its conversation is in memory meanwhile.
const ALONE: u64 = 16 << 20;

/// A file whose parts are scanned; `asked` are the rules on whole transcripts.
pub(super) struct Gathering<'a> {
    pub(super) input: &'a TranscriptFile,
    asked: &'a [Asked],
    verdict: bool,
    state: Mutex<State>,
    ended: SyncSender<Ended>,
}

struct State {
    seen: Seen,
    /// The number of the part that comes next, and those that came too early.
    next: usize,
    early: BTreeMap<usize, Seen>,
    /// How many parts there are, once that is known.
    parts: Option<usize>,
    /// Whether the file could not be read to its end.
    is_cut: bool,
}

/// What the rules on whole transcripts say of a file, and what becomes of it.
pub(super) struct Ended {
    pub(super) facts: Facts,
    pub(super) uuids: Uuids,
    pub(super) said: Vec<Said>,
    /// `None` where nobody asked for a verdict, or the file could not be read.
    pub(super) judging: Option<Judging>,
}

/// The verdict on a file.
pub(super) enum Judging {
    Done(io::Result<Verdict>),
    /// It is a large file: whoever reports asks about its conversation, of one file after the other.
    Later(Opinion),
}

impl<'a> Gathering<'a> {
    /// A file of which nothing was read yet. What is said of it is sent to `ended`.
    pub(super) fn new(input: &'a TranscriptFile, asked: &'a [Asked], verdict: bool, ended: SyncSender<Ended>) -> Self {
        let seen = Seen::new(verdict);
        let state = State { seen, next: 0, early: BTreeMap::new(), parts: None, is_cut: false };
        Self { input, asked, verdict, state: Mutex::new(state), ended }
    }

    /// Whether a verdict is asked for.
    pub(super) fn is_judged(&self) -> bool {
        self.verdict
    }

    /// Takes what a part shows, and its bytes; `is_last` says that no other one follows it.
    pub(super) fn add(&self, part: usize, seen: Seen, chunk: &Chunk, is_last: bool) {
        let whole = (part == 0 && is_last && chunk.skipped == 0).then_some(&*chunk.bytes);
        self.change(whole, |state| {
            if is_last {
                state.parts = Some(part + 1);
            }
            state.early.insert(part, seen);
            while let Some(seen) = state.early.remove(&state.next) {
                // Of a file that holds too much, the rest is not judged.
                if !state.seen.is_full() {
                    state.seen.append(seen);
                }
                state.next += 1;
            }
            state.is_cut |= state.seen.is_full();
        });
    }

    /// Whether the file could not be read further, or holds too much.
    pub(super) fn is_cut(&self) -> bool {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_cut
    }

    /// Says that the file could not be read further.
    pub(super) fn cut(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_cut = true;
    }

    /// Says how many parts there are.
    pub(super) fn end(&self, parts: usize) {
        self.change(None, |state| {
            state.parts.get_or_insert(parts);
        });
    }

    /// Changes the state; asks the rules when nothing is missing any more. `whole` is the file, where it is in memory.
    fn change(&self, whole: Option<&[u8]>, change: impl FnOnce(&mut State)) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let was_whole = state.is_whole();
        change(&mut state);
        if state.is_whole() && !was_whole {
            let (seen, is_cut) = (std::mem::take(&mut state.seen), state.is_cut);
            drop(state);
            // Nobody waits for it when the check has ended early.
            let _ = self.ended.send(self.ask(seen, is_cut, whole));
        }
    }

    /// Asks each rule on whole transcripts once: for findings, and for the verdict.
    fn ask(&self, seen: Seen, is_cut: bool, whole: Option<&[u8]>) -> Ended {
        let Seen { mut facts, uuids, session, .. } = seen;
        if let Some(session) = self.input.session() {
            facts.set_file_session(session);
        }
        if facts.notes_requests() && !is_cut && self.asked.iter().any(|asked| asked.rule.family() == "sent") {
            // A file that cannot be read again was read until here.
            facts.set_sent(self.sent(whole).unwrap_or_default());
        }
        let said: Vec<Said> = self.asked.par_iter().map(|asked| asked.said(&facts)).collect();
        let judging = session.filter(|_| !is_cut).map(|session| {
            let counted = said.iter().filter(|said| is_counted(said.rule));
            let opinion = Opinion::of(session, counted.map(|said| (said.rule.id, said.count)).collect());
            match whole {
                Some(bytes) => Judging::Done(opinion.judged(|| Ok(bytes))),
                None if self.input.size < ALONE => {
                    Judging::Done(opinion.judged(|| PlaceReader::new(self.input.open()?)))
                }
                None => Judging::Later(opinion),
            }
        });
        Ended { facts, uuids, said, judging }
    }
}

impl Gathering<'_> {
    /// What is wrong with the notes of requests.
    fn sent(&self, whole: Option<&[u8]>) -> io::Result<Vec<SentFact>> {
        let sent = match whole {
            Some(bytes) => Sent::read(bytes, Keep::Hashes),
            None => Sent::read(self.input.open()?, Keep::Hashes),
        };
        Ok(sent?.facts())
    }
}

impl State {
    fn is_whole(&self) -> bool {
        self.parts == Some(self.next)
    }
}

/// So many violations of a rule are kept while the rules are asked at once. A rule with more is asked again, and the
/// others are reported as they come.
const KEPT: usize = 2048;

/// A rule on whole transcripts that is asked.
pub(super) struct Asked {
    rule: &'static Rule,
    judge: fn(&Facts, &mut dyn FnMut(Violation)),
    /// Whether its violations are to be found, and not only to be counted.
    is_found: bool,
}

impl Asked {
    /// The rules on whole transcripts that are to be asked, for findings and for verdicts.
    pub(super) fn of(options: &Options) -> Vec<Self> {
        let is_found = |rule: &Rule| options.legacy || rule.legacy != Some(Legacy::Always);
        let found = options.rules.iter().map(|rule| (*rule, is_found(rule)));
        let is_beside = |rule: &&&'static Rule| {
            options.verdicts && is_counted(rule) && options.rules.iter().all(|other| other.id != rule.id)
        };
        let beside = CATALOGUE.iter().filter(is_beside).map(|rule| (*rule, false));
        let asked = found.chain(beside).filter_map(|(rule, is_found)| match rule.judge {
            Judge::Transcript(judge) => Some(Self { rule, judge, is_found }),
            _ => None,
        });
        asked.collect()
    }

    /// Asks the rule. Its violations are kept where they are to be found.
    fn said(&self, facts: &Facts) -> Said {
        let Self { rule, judge, is_found } = *self;
        let mut said = Said { rule, judge, kept: Vec::new(), count: Count::default(), is_found };
        judge(facts, &mut |violation| {
            said.count.add(rule, &violation);
            if is_found && said.kept.len() < KEPT {
                said.kept.push(violation);
            }
        });
        said
    }
}

/// What a rule says of a file.
pub(super) struct Said {
    pub(super) rule: &'static Rule,
    judge: fn(&Facts, &mut dyn FnMut(Violation)),
    /// The first violations, at most [`KEPT`]; none where they are not reported.
    kept: Vec<Violation>,
    count: Count,
    /// Whether its violations are to be found, and not only to be counted.
    pub(super) is_found: bool,
}

impl Said {
    /// Gives the violations that are to be reported, in their order.
    pub(super) fn each<E>(&self, facts: &Facts, mut report: impl FnMut(&Violation) -> Result<(), E>) -> Result<(), E> {
        self.kept.iter().try_for_each(&mut report)?;
        let mut reported = Ok(());
        if self.is_found && self.count.all > KEPT as u64 {
            let mut index = 0;
            (self.judge)(facts, &mut |violation| {
                index += 1;
                if index > KEPT && reported.is_ok() {
                    reported = report(&violation);
                }
            });
        }
        reported
    }
}
