//! An exchange is *judged*: its request for the host that it was sent to, its reply for itself.

use std::collections::BTreeSet;

use turnproof_rules::operation::{Form, Host, Reply, ReplyForm, Request};
use turnproof_rules::rules::{Rule, Severity, Violation};

use super::body::Body;
use super::endpoint::{Asks, Endpoint};
use super::{Recorded, words};
use crate::check::request::is_on_requests;
use crate::check::{judge_reply, judge_request};

/// What an exchange with the Messages API came to.
#[derive(Clone, Debug)]
pub struct ExchangeVerdict {
    /// Which exchange of its file, from 1, those with others counted too.
    pub number: u32,
    /// The host whose rules judge it.
    pub host: Host,
    /// The row of the table that it belongs to: the host's name, or that of a gateway.
    pub row: String,
    /// What the host did.
    pub outcome: Outcome,
    /// The status, where it was kept.
    pub status: Option<u16>,
    /// What the rules say of the request.
    pub request: RequestVerdict,
    /// The words of a refusal.
    pub words: Option<String>,
    /// What these words name that no body shows.
    pub not_in_body: Option<&'static str>,
    /// Whether the rules refuse with the words of the refusal.
    pub has_words: bool,
    /// Whether there is a reply to judge.
    pub has_reply: bool,
    /// What is wrong with the reply.
    pub reply: Vec<Told>,
    /// Why the reply was not judged, where there is one.
    pub reply_not_judged: Option<&'static str>,
    /// Findings that were set aside: they are about values that a recorder replaced.
    pub set_aside: Vec<Told>,
}

/// What a host did with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It answered.
    Accepted,
    /// It refused the body: 400, 413, 422.
    Refused,
    /// Something else came in between, which says nothing of the body.
    Other,
}

impl Outcome {
    fn of(status: Option<u16>) -> Self {
        match status {
            Some(200..=299) => Self::Accepted,
            Some(400 | 413 | 422) => Self::Refused,
            _ => Self::Other,
        }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::Other => "other",
        }
    }
}

/// What the rules say of a request.
#[derive(Clone, Debug)]
pub enum RequestVerdict {
    /// No rule on requests is broken; warnings aside.
    Legal(Vec<Told>),
    /// Rules are broken: these findings, warnings too.
    NotLegal(Vec<Told>),
    /// It cannot be judged, and why.
    NotJudged(String),
}

/// A finding.
#[derive(Clone, Debug)]
pub struct Told {
    /// The rule.
    pub rule: &'static Rule,
    /// How bad it is.
    pub severity: Severity,
    /// Where and what.
    pub violation: Violation,
    /// The beginning of what it is about.
    excerpt: String,
}

/// Rules about the form of a value that they do not repeat.
const ON_VALUES: [&str; 4] = ["thinking/whole-signature", "pairing/id-form", "reply/id-form", "reply/ids"];

impl Told {
    /// Whether it is about a value that a recorder replaced.
    fn is_replaced(&self) -> bool {
        let error = self.violation.error.as_deref().unwrap_or_default();
        let is_on_values = ON_VALUES.contains(&self.rule.id) && words::is_replaced(&self.excerpt);
        is_on_values || words::is_replaced(error) || words::is_replaced(&self.violation.found.to_string())
    }
}

/// Judges an exchange; `None` for one that is not with the Messages API.
pub(super) fn exchange(number: u32, recorded: &Recorded, rules: &[&'static Rule]) -> Option<ExchangeVerdict> {
    let endpoint = recorded.endpoint.as_ref()?;
    let outcome = Outcome::of(recorded.status);
    let mut set_aside = Vec::new();
    let request = match &recorded.request {
        // The state of a batch is asked without a body.
        Body::Absent if endpoint.asks == Asks::Batch => return None,
        Body::Absent => RequestVerdict::NotJudged("the recording has no body of the request".to_owned()),
        Body::NotWhole(why) => RequestVerdict::NotJudged((*why).to_owned()),
        Body::Bytes(bytes) => request(bytes, endpoint, rules, &mut set_aside),
    };
    let words = match &recorded.reply {
        Body::Bytes(bytes) if outcome != Outcome::Accepted => Some(words::recorded(bytes)),
        _ => None,
    };
    let has_words = match (&request, &words) {
        (RequestVerdict::NotLegal(findings), Some(words)) => findings.iter().any(|finding| says(finding, words)),
        _ => false,
    };
    let not_in_body = words.as_deref().and_then(words::not_in_body);
    let (mut found, reply_not_judged) = match (&recorded.reply, endpoint.asks, outcome) {
        (Body::Bytes(bytes), Asks::Message, Outcome::Accepted) => reply(bytes, endpoint, rules),
        (Body::NotWhole(why), Asks::Message, Outcome::Accepted) => (Vec::new(), Some(*why)),
        _ => (Vec::new(), None),
    };
    put_aside(&mut found, &mut set_aside);
    Some(ExchangeVerdict {
        number,
        host: endpoint.host,
        row: endpoint.row(),
        outcome,
        status: recorded.status,
        request,
        has_reply: endpoint.asks == Asks::Message
            && outcome == Outcome::Accepted
            && !matches!(recorded.reply, Body::Absent),
        words,
        not_in_body,
        has_words,
        reply: found,
        reply_not_judged,
        set_aside,
    })
}

/// Sets aside what is about values that a recorder replaced, and what else its rule finds: an id has two ends.
fn put_aside(findings: &mut Vec<Told>, set_aside: &mut Vec<Told>) {
    let replaced = findings.iter().filter(|finding| finding.is_replaced()).map(|finding| finding.rule.id);
    let rules: BTreeSet<&str> = replaced.collect();
    set_aside.extend(findings.extract_if(.., |finding| rules.contains(finding.rule.id)));
}

fn says(finding: &Told, words: &str) -> bool {
    finding.violation.error.as_deref().is_some_and(|error| words::are_same(error, words))
}

fn request(bytes: &[u8], endpoint: &Endpoint, rules: &[&'static Rule], set_aside: &mut Vec<Told>) -> RequestVerdict {
    let Ok(text) = std::str::from_utf8(bytes) else { return RequestVerdict::NotJudged("it is not UTF-8".to_owned()) };
    let requests = match bodies(text, endpoint.asks) {
        Ok(requests) => requests,
        Err(why) => return RequestVerdict::NotJudged(why),
    };
    if requests.iter().any(|request| (request.form == Form::Converse) != (endpoint.host == Host::BedrockConverse)) {
        return RequestVerdict::NotJudged(format!("the body is in another form than that of {}", endpoint.host.name()));
    }
    let mut findings = Vec::new();
    for request in &requests {
        judge_request(request, endpoint.host, rules, &mut |finding| {
            let (severity, excerpt) = (finding.severity(), String::from_utf8_lossy(&finding.excerpt).into_owned());
            findings.push(Told { rule: finding.rule, severity, violation: finding.violation, excerpt });
        });
    }
    put_aside(&mut findings, set_aside);
    match findings.iter().any(|finding| finding.severity == Severity::Error) {
        true => RequestVerdict::NotLegal(findings),
        false => RequestVerdict::Legal(findings),
    }
}

/// The requests of a body: itself, or those of a batch.
fn bodies(text: &str, asks: Asks) -> Result<Vec<Request>, String> {
    if asks == Asks::Batch
        && let Ok(batch) = serde_json::from_str::<crate::check::request::Batch<'_>>(text)
    {
        return batch.bodies().map(|body| Request::read(body).map_err(|error| error.to_string())).collect();
    }
    Request::read(text).map(|request| vec![request]).map_err(|error| format!("it is not whole: {error}"))
}

fn reply(bytes: &[u8], endpoint: &Endpoint, rules: &[&'static Rule]) -> (Vec<Told>, Option<&'static str>) {
    if endpoint.host == Host::BedrockConverse {
        return (Vec::new(), Some("replies of Converse have a form of their own"));
    }
    if bytes.starts_with(&[0]) {
        return (Vec::new(), Some("a stream in the binary framing of AWS"));
    }
    // Recorders trim a body; a stream that was cut still lacks its last event.
    let reply = match bytes.trim_ascii_start().first() {
        Some(b'{' | b'[') => Reply::read(bytes),
        _ => Reply::read(&[bytes.trim_ascii_end(), b"\n\n"].concat()),
    };
    let Ok(reply) = reply else { return (Vec::new(), Some("it is neither JSON nor a stream")) };
    if let ReplyForm::Foreign(_) = reply.form {
        return (Vec::new(), Some("it is no message"));
    }
    let mut findings = Vec::new();
    judge_reply(&reply, rules, &mut |finding| {
        let severity = finding.violation.severity.unwrap_or(finding.rule.severity);
        findings.push(Told { rule: finding.rule, severity, violation: finding.violation, excerpt: finding.excerpt });
    });
    (findings, None)
}

/// Whether a rule judges an exchange.
pub fn is_on_exchanges(rule: &Rule) -> bool {
    is_on_requests(rule) || crate::check::is_on_replies(rule)
}
