//! What judging recordings *counted*: each host's answers against what the rules say.

use std::collections::BTreeMap;

use turnproof_rules::rules::Severity;

use super::{ExchangeVerdict, FileVerdict, Outcome, RequestVerdict};

/// Counts over files of recordings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordingTally {
    /// Files that are recordings.
    pub files: u64,
    /// Files that are none.
    pub other_files: u64,
    /// Exchanges with the Messages API.
    pub exchanges: u64,
    /// Exchanges with others.
    pub others: u64,
    /// Files and lines that could not be read.
    pub unreadable: u64,
    /// The requests of each host, or gateway, by what it did with them.
    pub requests: BTreeMap<(String, Outcome), RequestCounts>,
    /// Requests that were refused, by the host and by the rules with the same words.
    pub same_words: u64,
    /// Replies that were judged.
    pub replies: u64,
    /// Replies that break a rule.
    pub broken_replies: u64,
    /// Replies that were not judged.
    pub replies_not_judged: u64,
    /// Findings about values that a recorder replaced.
    pub set_aside: u64,
}

/// What the rules say of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestCounts {
    /// No rule is broken.
    pub legal: u64,
    /// Legal, with a warning.
    pub warned: u64,
    /// A rule is broken.
    pub not_legal: u64,
    /// It could not be judged.
    pub not_judged: u64,
}

impl RequestCounts {
    fn add(&mut self, verdict: &RequestVerdict) {
        *match verdict {
            RequestVerdict::Legal(findings) if findings.is_empty() => &mut self.legal,
            RequestVerdict::Legal(_) => &mut self.warned,
            RequestVerdict::NotLegal(_) => &mut self.not_legal,
            RequestVerdict::NotJudged(_) => &mut self.not_judged,
        } += 1;
    }
}

impl RecordingTally {
    /// Adds what a file came to.
    pub fn add(&mut self, file: &FileVerdict) {
        *(if file.is_recording { &mut self.files } else { &mut self.other_files }) += 1;
        self.others += file.others;
        self.unreadable += file.unread_lines;
        for exchange in &file.exchanges {
            self.add_exchange(exchange);
        }
    }

    fn add_exchange(&mut self, exchange: &ExchangeVerdict) {
        self.exchanges += 1;
        self.requests.entry((exchange.row.clone(), exchange.outcome)).or_default().add(&exchange.request);
        self.same_words += u64::from(exchange.outcome == Outcome::Refused && exchange.has_words);
        self.replies += u64::from(exchange.has_reply && exchange.reply_not_judged.is_none());
        self.broken_replies += u64::from(exchange.reply.iter().any(|finding| finding.severity > Severity::Info));
        self.replies_not_judged += u64::from(exchange.reply_not_judged.is_some());
        self.set_aside += exchange.set_aside.len() as u64;
    }

    /// What the rules say of all requests that had this outcome.
    pub fn of(&self, outcome: Outcome) -> RequestCounts {
        let mut all = RequestCounts::default();
        for counts in self.requests.iter().filter(|((_, one), _)| *one == outcome).map(|(_, counts)| counts) {
            all.legal += counts.legal;
            all.warned += counts.warned;
            all.not_legal += counts.not_legal;
            all.not_judged += counts.not_judged;
        }
        all
    }
}
