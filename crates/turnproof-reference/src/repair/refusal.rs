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

/// The request when the user goes on with a conversation as it is stored, and what a host says of it.
pub struct GoneOn {
    /// The request.
    pub request: Request,
    /// The first violation of each rule that reaches the host.
    pub violations: Vec<(&'static Rule, Violation)>,
    /// The first violation of each rule that the client of today fixes before it sends the conversation.
    pub fixed: Vec<(&'static Rule, Violation)>,
}

/// Goes on with a conversation as it is stored, under a host. `None` when it cannot be written. `left_out` is how many
/// bytes longer it is.
pub fn go_on(mut messages: Vec<Event>, left_out: u64, host: Host) -> Option<GoneOn> {
    let prompt = Factory::new(&mut FixedContext::new(0)).user("Go on.");
    messages.push(Message::from(prompt).into());
    let mut request = Request::read(&to_json(&as_stored(&messages))).ok()?;
    request.bytes += left_out;
    let (mut violations, mut fixed) = (Vec::new(), Vec::new());
    for &rule in CATALOGUE.iter() {
        let Judge::Request { judge, .. } = rule.judge else { continue };
        let mut first = [None, None];
        judge(&request, host, &mut |violation| {
            let place = &mut first[usize::from(rule.is_fixed_by_client(&violation))];
            *place = place.take().or(Some(violation));
        });
        let [reaches, is_fixed] = first;
        violations.extend(reaches.map(|violation| (rule, violation)));
        fixed.extend(is_fixed.map(|violation| (rule, violation)));
    }
    Some(GoneOn { request, violations, fixed })
}
