//! A *breach* is what a client does wrong with a case: it sends what is refused, loses or changes what was said, dies or
//! hangs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnproof_mock::{Exchange, Finding};
use turnproof_rules::operation::{Plain, TalkEnd};
use turnproof_rules::rules::Severity;

use crate::play::Round;
use crate::process::Ending;

/// What a case comes to, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing is wrong.
    Right,
    /// It asks again, or ends, in another way than a client should.
    Behaves,
    /// What was said does not come back, or comes back changed.
    Loses,
    /// It sends what the API refuses.
    Refused,
    /// It fails although all that it was sent is whole, or asks nothing.
    Dies,
    /// It does not end.
    Hangs,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Right, Self::Behaves, Self::Loses, Self::Refused, Self::Dies, Self::Hangs];

    /// In words, as a table has them.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Behaves => "retries wrongly",
            Self::Loses => "loses or changes",
            Self::Refused => "sends what is refused",
            Self::Dies => "dies",
            Self::Hangs => "hangs",
        }
    }
}

/// What makes two breaches one: the outcome, the rule, and what of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// What it comes to.
    pub outcome: Outcome,
    /// The rule, or `client/…` for what no rule on requests says.
    pub rule: String,
    /// The kind of violation.
    pub kind: String,
    /// What was done to the session, where one was resumed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub damage: String,
    /// What it said as it died of a session, without numbers: another crash is another breach.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
}

impl Key {
    fn new(outcome: Outcome, rule: String, kind: &str) -> Self {
        Self { outcome, rule, kind: kind.to_owned(), damage: String::new(), at: String::new() }
    }
}

/// What a client does wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Breach {
    /// What makes it the same as another one.
    #[serde(flatten)]
    pub key: Key,
    /// What was found, in words.
    pub found: String,
    /// The words with which the API refuses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether every request of the last prompt was refused, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub for_ever: bool,
}

impl Breach {
    /// One that no rule of the catalogue is for.
    pub(crate) fn of_client(outcome: Outcome, rule: &str, kind: &str, found: impl Into<String>) -> Self {
        let key = Key::new(outcome, format!("client/{rule}"), kind);
        Self { key, found: found.into(), error: None, for_ever: false }
    }

    fn of_finding(outcome: Outcome, finding: &Finding) -> Self {
        let violation = &finding.violation;
        let key = Key::new(outcome, finding.rule.id.to_owned(), violation.kind);
        let found = format!("{}: {}", violation.place, violation.found);
        Self { key, found, error: violation.error.clone(), for_ever: false }
    }
}

/// What a client does wrong in the rounds of a talk, each breach once, in the order in which they show.
pub(crate) fn breaches(rounds: &[Round], over: &[Finding]) -> Vec<Breach> {
    let mut found: Vec<Breach> = Vec::new();
    for (number, round) in rounds.iter().enumerate() {
        found.extend(round.seen.iter().flat_map(of_exchange));
        found.extend(lost_prompt(&rounds[..number], round));
        found.extend(of_end(round));
    }
    found.extend(errors(over.iter()).map(|finding| Breach::of_finding(Outcome::Behaves, finding)));
    if is_refused_for_ever(rounds) {
        let refused = found.iter_mut().filter(|breach| breach.key.outcome == Outcome::Refused);
        refused.for_each(|breach| breach.for_ever = true);
    }
    let mut once: Vec<Breach> = Vec::new();
    for breach in found {
        if once.iter().all(|other| other.key != breach.key) {
            once.push(breach);
        }
    }
    once
}

fn errors<'a>(findings: impl Iterator<Item = &'a Finding>) -> impl Iterator<Item = &'a Finding> {
    findings.filter(|finding| finding.severity() == Severity::Error)
}

/// What is wrong with a request: what the API refuses it for, and what is lost or changed in it.
pub(crate) fn of_exchange(exchange: &Exchange) -> Vec<Breach> {
    let refused = exchange.verdicts.iter().find(|verdict| !verdict.is_legal());
    let mut found: Vec<Breach> = Vec::new();
    if let Some(verdict) = refused {
        // The first is the one that the API names.
        found.extend(errors(verdict.findings.iter()).take(1).map(|one| Breach::of_finding(Outcome::Refused, one)));
        let words = verdict.refusal.as_ref().map(|error| error.message.clone());
        match found.first_mut() {
            Some(breach) => breach.error = words,
            None => {
                let found_words = words.clone().unwrap_or_default();
                let breach = Breach::of_client(Outcome::Refused, "request", "unread", found_words);
                found.push(Breach { error: words, ..breach });
            }
        }
    }
    let continued = exchange.continued.iter().flat_map(|continued| &continued.findings);
    for finding in errors(continued.chain(&exchange.talk)) {
        let is_behaviour = ["talk/retries", "talk/ends"].contains(&finding.rule.id);
        let outcome = if is_behaviour { Outcome::Behaves } else { Outcome::Loses };
        found.push(Breach::of_finding(outcome, finding));
    }
    found
}

/// Whether an earlier prompt that was answered is in no request of a later one. One that was refused may be taken back.
fn lost_prompt(before: &[Round], round: &Round) -> Option<Breach> {
    let is_kept = |exchange: &Exchange| is_answered_whole(exchange) && stop_of(exchange).as_deref() != Some("refusal");
    let first = before.iter().find(|earlier| earlier.seen.iter().any(is_kept))?;
    let asked: Vec<&Exchange> = round.seen.iter().filter(|exchange| exchange.turns > 0).collect();
    let has = |exchange: &&Exchange| request(exchange).is_some_and(|body| body.to_string().contains(&first.prompt));
    let is_lost = !asked.is_empty() && !asked.iter().any(has);
    is_lost.then(|| {
        let found = "no request of a later prompt has the words of an earlier one that was answered";
        Breach::of_client(Outcome::Loses, "prompt-kept", "lost", found)
    })
}

/// The body of a request.
pub(crate) fn request(exchange: &Exchange) -> Option<Value> {
    let mut record: Value = serde_json::from_str(exchange.record.as_deref()?).ok()?;
    Some(record.get_mut("request")?.take())
}

/// What is wrong with how a prompt has ended.
fn of_end(round: &Round) -> Option<Breach> {
    let asked = round.seen.iter().any(|exchange| exchange.turns > 0 || !exchange.verdicts.is_empty());
    match &round.ended.how {
        Ending::Stopped => None,
        _ if !asked && round.ended.how != Ending::TimeOver => {
            let found = format!("a prompt is given, and nothing is asked{}", last_words(&round.ended.said));
            Some(Breach::of_client(Outcome::Dies, "asks", "no-request", found))
        }
        Ending::Well => None,
        Ending::Failed(how) => {
            let last = round.seen.iter().rev().find(|exchange| exchange.answered.is_some())?;
            let is_refused_last = round.seen.last().is_some_and(|exchange| exchange.status >= 400);
            if is_refused_last || !is_answered_whole(last) || !is_usual_stop(last) {
                return None;
            }
            let is_odd = |exchange: &Exchange| exchange.answered.as_ref().is_some_and(|answered| answered.odd);
            let kind = if round.seen.iter().any(is_odd) { "unknown-event" } else { "failed" };
            let said = last_words(&round.ended.said);
            let found = format!("its last answer was whole, and it fails ({how}){said}");
            Some(Breach::of_client(Outcome::Dies, "ends", kind, found))
        }
        // Who waits between retries has not ended, either.
        Ending::TimeOver if round.seen.iter().any(|exchange| !is_answered_whole(exchange)) => None,
        Ending::TimeOver => {
            let found = "all that it was sent is whole, and it does not end";
            Some(Breach::of_client(Outcome::Hangs, "ends", "time-over", found))
        }
    }
}

/// The last line of what a process has said; of a line of JSON the error that it names.
pub(crate) fn last_words(said: &str) -> String {
    let Some(line) = said.lines().rfind(|line| line.contains(char::is_alphabetic)) else { return String::new() };
    let named = serde_json::from_str::<Value>(line).ok().and_then(|json| {
        let paths = ["/errors/0", "/error/message", "/error", "/message"];
        paths.iter().find_map(|path| Some(json.pointer(path)?.as_str()?.to_owned()))
    });
    let line = named.as_deref().unwrap_or(line).trim();
    format!(": {}", line.chars().take(MOST_WORDS).collect::<String>())
}

/// Words without numbers and ids, which are others each time.
pub(crate) fn without_numbers(words: &str) -> String {
    let words = words.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric());
    let word = |word: &str| {
        if word.contains(|letter: char| letter.is_ascii_digit()) { String::new() } else { word.to_owned() }
    };
    words.map(word).collect::<String>().trim_matches([':', ' ']).to_owned()
}

/// How much of a line is shown.
const MOST_WORDS: usize = 160;

/// Whether what a request was answered with has arrived whole.
fn is_answered_whole(exchange: &Exchange) -> bool {
    exchange.status < 400 && exchange.answered.as_ref().is_none_or(|answered| answered.end == TalkEnd::Whole)
}

/// Whether the reply ends in a way at which no program should fail.
fn is_usual_stop(exchange: &Exchange) -> bool {
    stop_of(exchange).is_some_and(|stop| ["end_turn", "tool_use", "stop_sequence"].contains(&stop.as_str()))
}

/// Why a reply stopped that was said whole. It may hold half of a surrogate pair.
fn stop_of(exchange: &Exchange) -> Option<String> {
    let reply = Plain::read(&exchange.answered.as_ref()?.reply).ok()?;
    reply.value.get("stop_reason")?.as_str().map(str::to_owned)
}

/// Whether all requests of the last prompt were refused as not legal, and so was one before.
fn is_refused_for_ever(rounds: &[Round]) -> bool {
    let [before @ .., last] = rounds else { return false };
    let illegal = |exchange: &Exchange| !exchange.is_legal();
    let asked: Vec<&Exchange> = last.seen.iter().filter(|exchange| !exchange.verdicts.is_empty()).collect();
    let all = !asked.is_empty() && asked.iter().all(|exchange| illegal(exchange));
    all && before.iter().any(|round| round.seen.iter().any(illegal))
}
