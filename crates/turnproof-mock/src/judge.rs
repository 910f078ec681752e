//! The *judge* says what the rules on requests say of a body, for one host, and which error the API gives for it.

use std::sync::LazyLock;

use turnproof_rules::operation::{Form, Host, NoRequest, Request, RequestError};
use turnproof_rules::rules::{CATALOGUE, Judge, JudgeRequest, Place, Rule, Severity, Violation};

use crate::error::ApiError;

/// A rule that a request breaks.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Where, what, and the error that the host gives.
    pub violation: Violation,
    /// The beginning of the turn or block in question, as JSON.
    pub excerpt: Vec<u8>,
}

impl Finding {
    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.rule.severity_of(&self.violation)
    }

    /// What the host says.
    fn words(&self) -> String {
        let Violation { place, found, error, .. } = &self.violation;
        error.clone().unwrap_or_else(|| match place {
            Place::Whole => found.to_string(),
            place => format!("{place}: {found}"),
        })
    }
}

/// What a request came to.
#[derive(Debug)]
pub struct Verdict {
    /// The host whose rules have judged it.
    pub host: Host,
    /// The request; `None` where there is none to read.
    pub request: Option<Request>,
    /// The rules that it breaks, warnings too.
    pub findings: Vec<Finding>,
    /// The error that the API gives; `None` for a request that it takes.
    pub refusal: Option<ApiError>,
}

impl Verdict {
    /// Whether the host takes it.
    pub const fn is_legal(&self) -> bool {
        self.refusal.is_none()
    }

    fn unread(host: Host, words: impl Into<String>) -> Self {
        Self { host, request: None, findings: Vec::new(), refusal: Some(ApiError::invalid(words)) }
    }
}

/// What a body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A message.
    Message,
    /// A count of tokens, which needs no `max_tokens`.
    Count,
}

/// Whether it says that a body has no limit. `count_tokens` takes such a body.
fn is_limit(violation: &Violation) -> bool {
    let limit = ("name", "max_tokens".into());
    violation.kind == "count-tokens" || violation.kind == "missing-in-body" && violation.found.values().contains(&limit)
}

/// Judges a body for a host. Linear in its size.
pub fn judge(body: &[u8], host: Host, purpose: Purpose) -> Verdict {
    let text = match std::str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => {
            let why = format!("invalid UTF-8 after byte {}", error.valid_up_to());
            return Verdict::unread(host, format!("The request body is not valid JSON: {why}"));
        }
    };
    let request = match Request::read(text) {
        Ok(request) => request,
        Err(error) => return Verdict::unread(host, unread(text, &error)),
    };
    if request.body.is_null() {
        return Verdict::unread(host, "Input should be an object");
    }
    if request.form == Form::Converse {
        return Verdict::unread(host, "messages.0: Input does not match the expected shape.");
    }
    let mut findings = Vec::new();
    for &(rule, judge) in RULES.iter() {
        judge(&request, host, &mut |violation| {
            let excerpt = request.excerpt(violation.place);
            findings.push(Finding { rule, violation, excerpt });
        });
    }
    if purpose == Purpose::Count {
        findings.retain(|finding| !is_limit(&finding.violation));
    }
    let refuses = |finding: &&Finding| finding.severity() == Severity::Error || is_limit(&finding.violation);
    // What is no JSON at all is refused before anything else is read.
    let is_json = |finding: &&Finding| finding.rule.id != "api/valid-unicode";
    let first = findings.iter().filter(refuses).min_by_key(is_json);
    let refusal = first.map(refused);
    Verdict { host, request: Some(request), findings, refusal }
}

fn refused(finding: &Finding) -> ApiError {
    match (finding.rule.id, finding.violation.kind) {
        ("api/request-size", "too-large") => ApiError::too_large(),
        _ => ApiError::invalid(finding.words()),
    }
}

/// What the API says of a text that is no request.
fn unread(text: &str, error: &RequestError) -> String {
    match error {
        RequestError::Json(_) if text.trim().is_empty() => {
            "The request body is not valid JSON: unexpected end of data".to_owned()
        }
        RequestError::Json(why) => format!("The request body is not valid JSON: {why}"),
        RequestError::Shape(NoRequest::NoList) => "messages: Input should be a valid list".to_owned(),
        RequestError::Shape(NoRequest::NoMessages) => "messages: Field required".to_owned(),
        RequestError::Shape(NoRequest::Other(_)) => "Input should be an object".to_owned(),
    }
}

/// The rules of one kind, each with its function.
pub(crate) fn rules<J>(function: impl Fn(&Judge) -> Option<J>) -> Vec<(&'static Rule, J)> {
    CATALOGUE.iter().filter_map(|rule| Some((*rule, function(&rule.judge)?))).collect()
}

/// The rules on requests.
static RULES: LazyLock<Vec<(&'static Rule, JudgeRequest)>> = LazyLock::new(|| {
    rules(|judge| match judge {
        Judge::Request { judge, .. } => Some(*judge),
        _ => None,
    })
});
