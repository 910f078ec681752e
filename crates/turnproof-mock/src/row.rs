//! *Requests in a row*: each is held against the one that it continues, as far back as there is room.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Instant;

use turnproof_rules::operation::{Request, RequestPair, TalkExchange, TalkMoment, TalkOver, Value};
use turnproof_rules::rules::{Judge, JudgeRequests, JudgeTalk, Rule};

use crate::judge::{Finding, rules};
use crate::reply::{Block, Reply};

/// What a request says otherwise than the one that it continues.
#[derive(Clone, Debug)]
pub struct Continued {
    /// The number of the one that it continues.
    pub from: u64,
    /// The rules that it breaks beside it.
    pub findings: Vec<Finding>,
}

/// The requests that were taken of late.
#[derive(Debug)]
pub(crate) struct Row {
    kept: Mutex<VecDeque<Arc<Taken>>>,
    start: Instant,
}

impl Default for Row {
    fn default() -> Self {
        Self { kept: Mutex::default(), start: Instant::now() }
    }
}

/// A request, and what was answered.
#[derive(Debug)]
struct Taken {
    number: u64,
    heard: TalkExchange,
    /// Whether the client left before all was said.
    left: Arc<AtomicBool>,
    /// What the answer is known by: the ids of its calls, and its texts.
    marks: Vec<String>,
}

/// How many requests are kept, and of how many bytes together.
const MOST: usize = 64;
const MOST_BYTES: u64 = 32 << 20;

/// How many of them are laid beside a new one.
const TRIED: usize = 4;

impl Row {
    /// Judges a request beside the one that it continues, and keeps it with its answer. A request of the user's first
    /// turn alone begins a conversation, and continues none. Gives what it says otherwise than that one, and than what
    /// was said to it.
    pub(crate) fn judge(
        &self,
        number: u64,
        heard: TalkExchange,
        left: Arc<AtomicBool>,
        reply: Option<&Reply>,
    ) -> (Option<Continued>, Vec<Finding>) {
        let marks = reply.map(|reply| reply.blocks.iter().filter_map(mark).collect()).unwrap_or_default();
        let taken = Arc::new(Taken { number, heard, left, marks });
        let before = self.before(&taken.heard.request);
        let heard = self.heard();
        let talk = talk_findings(&TalkMoment::at(&exchanges(&heard), &taken.heard));
        self.keep(Arc::clone(&taken));
        (Self::continued(&taken, &before), talk)
    }

    fn continued(taken: &Taken, before: &[Arc<Taken>]) -> Option<Continued> {
        // Whoever sends an answer back continues the request that it was for.
        let answered = before.iter().filter(|earlier| earlier.is_answered_in(&taken.heard.request));
        let answered = answered.max_by_key(|earlier| earlier.heard.request.messages.len());
        let tried: Vec<&Arc<Taken>> = answered.map_or_else(|| before.iter().collect(), |earlier| vec![earlier]);
        let mut pairs: Vec<(u64, RequestPair<'_>)> = Vec::with_capacity(tried.len());
        for earlier in tried {
            pairs.push((earlier.number, RequestPair::new(&earlier.heard.request, &taken.heard.request)));
        }
        let whole = pairs.iter().filter(|(_, pair)| pair.is_continued());
        let longest = whole.max_by_key(|(_, pair)| pair.earlier.messages.len());
        let (from, pair) = longest.or(pairs.first())?;
        let mut findings = Vec::new();
        for &(rule, judge) in RULES.iter() {
            judge(pair, &mut |violation| {
                let excerpt = pair.later.excerpt(violation.place);
                findings.push(Finding { rule, violation, excerpt });
            });
        }
        Some(Continued { from: *from, findings })
    }

    /// Forgets all of them.
    pub(crate) fn forget(&self) {
        self.kept().clear();
    }

    /// Milliseconds since the beginning.
    pub(crate) fn time(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Judges the end of all talks.
    pub(crate) fn over(&self, failed: bool) -> Vec<Finding> {
        let heard = self.heard();
        talk_findings(&TalkMoment::end(&exchanges(&heard), TalkOver { failed, at: self.time() }))
    }

    /// Those whose answers were heard: no client left before.
    fn heard(&self) -> Vec<Arc<Taken>> {
        self.kept().iter().filter(|taken| !taken.left.load(Ordering::Relaxed)).cloned().collect()
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, VecDeque<Arc<Taken>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The newest requests that begin as this one does, and are shorter.
    fn before(&self, request: &Request) -> Vec<Arc<Taken>> {
        let Some(first) = request.messages.first() else { return Vec::new() };
        let is_before = |other: &Request| {
            other.messages.len() < request.messages.len() && other.messages.first().is_some_and(|turn| turn == first)
        };
        self.kept().iter().rev().filter(|taken| is_before(&taken.heard.request)).take(TRIED).cloned().collect()
    }

    fn keep(&self, taken: Arc<Taken>) {
        let mut kept = self.kept();
        kept.push_back(taken);
        let bytes = |kept: &VecDeque<Arc<Taken>>| kept.iter().map(|one| one.heard.request.bytes).sum::<u64>();
        while kept.len() > MOST || kept.len() > 1 && bytes(&kept) > MOST_BYTES {
            kept.pop_front();
        }
    }
}

impl Taken {
    /// Whether a later request has the answer to this one in a turn behind it.
    fn is_answered_in(&self, later: &Request) -> bool {
        let turns = later.messages.get(self.heard.request.messages.len()..).unwrap_or_default();
        let contents = turns.iter().filter_map(|turn| turn.get("content"));
        let has = |block: &Value| {
            let of = |name: &str| block.get(name).and_then(Value::as_str);
            let says = |text: &str| self.marks.iter().any(|mark| text.contains(mark.as_str()));
            of("text").is_some_and(says) || of("id").is_some_and(says)
        };
        contents.into_iter().any(|content| match (content.as_str(), content.as_array()) {
            (Some(text), _) => self.marks.iter().any(|mark| text.contains(mark.as_str())),
            (None, Some(blocks)) => blocks.iter().any(has),
            (None, None) => false,
        })
    }
}

fn exchanges(heard: &[Arc<Taken>]) -> Vec<&TalkExchange> {
    heard.iter().map(|taken| &taken.heard).collect()
}

/// What the rules on talks find in a request, or at the end.
fn talk_findings(moment: &TalkMoment<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for &(rule, judge) in TALK.iter() {
        judge(moment, &mut |violation| {
            let excerpt = moment.now.map(|now| now.request.excerpt(violation.place)).unwrap_or_default();
            findings.push(Finding { rule, violation, excerpt });
        });
    }
    findings
}

/// What a block is known by.
fn mark(block: &Block) -> Option<String> {
    match block {
        Block::Text { text, .. } => {
            let text: String = serde_json::from_str(text.as_json()).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        }
        Block::Call(call) => Some(call.id.clone()),
        _ => None,
    }
}

/// The rules on talks.
static TALK: LazyLock<Vec<(&'static Rule, JudgeTalk)>> = LazyLock::new(|| {
    rules(|judge| match judge {
        Judge::Talk(judge) => Some(*judge),
        _ => None,
    })
});

/// The rules on requests in a row.
static RULES: LazyLock<Vec<(&'static Rule, JudgeRequests)>> = LazyLock::new(|| {
    rules(|judge| match judge {
        Judge::Requests(judge) => Some(*judge),
        _ => None,
    })
});
