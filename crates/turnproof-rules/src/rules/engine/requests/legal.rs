//! *Legal* requests: what the API and its hosts accept. The rules on requests are asked of each one that was sent.

use super::applies_to_whole;
use crate::operation::{Host, Moment, Request};
use crate::rules::request::RULES;
use crate::rules::{Applies, Judge, Place, PlayEvidence, Report, applies};

pub(in crate::rules::engine) fn legal_request(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies_to_whole(case)?;
    let mut judged = 0;
    for (index, moment) in case.moments.iter().enumerate() {
        let Moment::Requested { turns, .. } = moment else { continue };
        judged += 1;
        let Some(request) = turns.value.as_array().and_then(|_| Request::from_plain(turns.clone(), 0).ok()) else {
            report.old_add(Place::message(index), "a request without a list of turns is sent", "an array of turns");
            continue;
        };
        judge(&request, index, report);
    }
    applies(judged > 0, "no request is sent")
}

/// Judges a request by each rule on the structure of requests; the broken rule comes first in what is found.
fn judge(request: &Request, moment: usize, report: &mut Report<'_>) {
    for rule in RULES {
        let Judge::Request { structural: true, judge } = rule.judge else { continue };
        judge(request, Host::Strict, &mut |violation| {
            let found = format!("{}: {} ({})", violation.rule, violation.found, violation.place);
            match violation.error {
                Some(error) => report.old_predict(Place::message(moment), found, violation.expected.to_string(), error),
                None => report.old_add(Place::message(moment), found, violation.expected.to_string()),
            }
        });
    }
}
