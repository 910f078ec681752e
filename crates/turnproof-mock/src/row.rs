//! *Requests in a row*: each is held against the one that it continues, as far back as there is room.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use turnproof_rules::operation::{Request, RequestPair, Value};
use turnproof_rules::rules::{CATALOGUE, Judge, Rule, Violation};

use crate::judge::Finding;
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
#[derive(Debug, Default)]
pub(crate) struct Row(Mutex<VecDeque<Arc<Taken>>>);

/// A request, and what was answered.
#[derive(Debug)]
struct Taken {
    number: u64,
    request: Request,
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
    /// turn alone begins a conversation, and continues none.
    pub(crate) fn judge(&self, number: u64, request: Request, reply: Option<&Reply>) -> Option<Continued> {
        let marks = reply.map(|reply| reply.blocks.iter().filter_map(mark).collect()).unwrap_or_default();
        let taken = Arc::new(Taken { number, request, marks });
        let before = self.before(&taken.request);
        self.keep(Arc::clone(&taken));
        // Whoever sends an answer back continues the request that it was for.
        let answered = before.iter().filter(|earlier| earlier.is_answered_in(&taken.request));
        let answered = answered.max_by_key(|earlier| earlier.request.messages.len());
        let tried: Vec<&Arc<Taken>> = answered.map_or_else(|| before.iter().collect(), |earlier| vec![earlier]);
        let pairs: Vec<(u64, RequestPair<'_>)> =
            tried.iter().map(|earlier| (earlier.number, RequestPair::new(&earlier.request, &taken.request))).collect();
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The newest requests that begin as this one does, and are shorter.
    fn before(&self, request: &Request) -> Vec<Arc<Taken>> {
        let Some(first) = request.messages.first() else { return Vec::new() };
        let is_before = |other: &Request| {
            other.messages.len() < request.messages.len() && other.messages.first().is_some_and(|turn| turn == first)
        };
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().filter(|taken| is_before(&taken.request)).take(TRIED).cloned().collect()
    }

    fn keep(&self, taken: Arc<Taken>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(taken);
        let bytes = |kept: &VecDeque<Arc<Taken>>| kept.iter().map(|one| one.request.bytes).sum::<u64>();
        while kept.len() > MOST || kept.len() > 1 && bytes(&kept) > MOST_BYTES {
            kept.pop_front();
        }
    }
}

impl Taken {
    /// Whether a later request has the answer to this one in a turn behind it.
    fn is_answered_in(&self, later: &Request) -> bool {
        let turns = later.messages.get(self.request.messages.len()..).unwrap_or_default();
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

type JudgeRow = fn(&RequestPair<'_>, &mut dyn FnMut(Violation));

/// The rules on requests in a row, each with its function.
static RULES: LazyLock<Vec<(&'static Rule, JudgeRow)>> = LazyLock::new(|| {
    let on_rows = |rule: &&'static Rule| match rule.judge {
        Judge::Requests(judge) => Some((*rule, judge as JudgeRow)),
        _ => None,
    };
    CATALOGUE.iter().filter_map(|rule| on_rows(rule)).collect()
});
