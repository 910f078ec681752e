//! Why hosts *refuse* a conversation as it is stored, when the user goes on with it.

use std::fmt;

use crate::message::{Event, Factory, FixedContext, Message};
use crate::normalize::api::{as_stored, to_json};
use crate::operation::{Host, Request};
use crate::rules::{CATALOGUE, Judge, Rule, Violation};

/// Why a host refuses a conversation as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The id of the rule that is broken: on transcripts where one finds it in the file too, else on requests.
    pub rule: &'static str,
    /// The error that the host gives, word for word; what is wrong, where it is not known.
    pub error: String,
}

impl Refusal {
    /// The refusal that a violation of a rule on requests means.
    pub fn of(rule: &'static str, violation: Violation) -> Self {
        Self { rule, error: violation.error.unwrap_or_else(|| violation.found.to_string()) }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.error, self.rule)
    }
}

/// The request when the user goes on with a conversation as it is stored, and the first violation of each rule that it
/// breaks under the strictest host. `None` when it cannot be written. `left_out` is how many bytes longer it is.
pub fn go_on(mut messages: Vec<Event>, left_out: u64) -> Option<(Request, Vec<(&'static Rule, Violation)>)> {
    let prompt = Factory::new(&mut FixedContext::new(0)).user("Go on.");
    messages.push(Message::from(prompt).into());
    let mut request = Request::read(&to_json(&as_stored(&messages))).ok()?;
    request.bytes += left_out;
    let mut violations: Vec<(&'static Rule, Violation)> = Vec::new();
    for &rule in CATALOGUE.iter() {
        let Judge::Request { judge, .. } = rule.judge else { continue };
        let mut first = None;
        judge(&request, Host::Portable, &mut |violation| first = first.take().or(Some(violation)));
        violations.extend(first.map(|violation| (rule, violation)));
    }
    Some((request, violations))
}
