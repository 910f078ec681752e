//! *Legal* requests: what the API and its hosts accept. The rules on requests are asked of each one that was sent.

use super::super::of_asked;
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
            let found = "a request without a list of turns is sent";
            report.add(Place::message(index), "no-list", found, "an array of turns");
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
        judge(request, Host::Portable, &mut |mut violation| {
            let error = violation.error.take();
            let (kind, found, expected) = of_asked(violation);
            match error {
                Some(error) => report.predict(Place::message(moment), kind, found, expected, error),
                None => report.add(Place::message(moment), kind, found, expected),
            }
        });
    }
}
