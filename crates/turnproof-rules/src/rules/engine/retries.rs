//! *Retries* end: a request that fails is sent again a few times, which the notices count.

use crate::json::Value;

use super::details::{About, judge};
use crate::operation::Moment;
use crate::rules::value::text;
use crate::rules::{Applies, Place, PlayEvidence, Report, applies};
use crate::vocabulary::API_ERROR;

pub(super) fn retries_end(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    let mut limit: Option<f64> = None;
    for (index, moment) in case.moments.iter().enumerate() {
        let Moment::Yielded(event) = moment else { continue };
        let number = |name| event.value.get(name).and_then(Value::as_f64);
        let is_notice = text(&event.value, "subtype") == Some(API_ERROR);
        let Some((attempt, most)) = number("retryAttempt").zip(number("maxRetries")).filter(|_| is_notice) else {
            continue;
        };
        let limit = *limit.get_or_insert(most);
        if most != limit {
            let found = sentence!("`maxRetries` is {most}", most = most.to_string());
            let expected = sentence!("{limit}, as before", limit = limit.to_string());
            report.add(Place::message(index), "other-limit", found, expected);
        }
        if attempt > most {
            let (attempt, most) = (attempt.to_string(), most.to_string());
            let found = sentence!("the request is sent again for time {attempt}, of {most}", attempt, most);
            report.add(Place::message(index), "too-often", found, "an error that ends the turn");
        }
    }
    judge(case, &[About::Retry], report);
    applies(limit.is_some(), "no request is sent again")
}
