//! *Sampling*: how the model chooses its words, and where it stops.

use super::{given, members_of, wrong_type};
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::{is_blank, list};
use crate::rules::{Place, Report};

pub(super) fn sampling(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(body) = members_of(request) else { return };
    for name in ["temperature", "top_p"] {
        let Some(value) = given(body, name) else { continue };
        match value.as_f64().filter(|_| value.is_number()) {
            None => wrong_type(name, "a number", report),
            Some(number) if !(0.0..=1.0).contains(&number) => {
                let found = sentence!("`{name}` is {number}", name, number = value.to_string());
                report.predict(
                    Place::Whole,
                    "out-of-range",
                    found,
                    "a number from 0 to 1",
                    format!("{name}: range: 0..1"),
                );
            }
            Some(_) => {}
        }
    }
    if given(body, "temperature").is_some() && given(body, "top_p").is_some() {
        let error = "`temperature` and `top_p` cannot both be specified for this model. Please use only one.";
        let found = "both `temperature` and `top_p`";
        report.warn(Place::Whole, "both", found, "one of them: newer models refuse both", error);
    }
    if given(body, "top_k").is_some_and(|most| most.as_u64().is_none()) {
        wrong_type("top_k", "a whole number", report);
    }
    match given(body, "stop_sequences") {
        Some(Value::Array(_)) => stop_sequences(list(&request.body, "stop_sequences"), report),
        Some(_) => wrong_type("stop_sequences", "a list", report),
        None => {}
    }
}

fn stop_sequences(sequences: &[Value], report: &mut Report<'_>) {
    for (index, sequence) in sequences.iter().enumerate() {
        match sequence.as_str() {
            None => wrong_type(&format!("stop_sequences.{index}"), "a string", report),
            Some(text) if is_blank(text) => {
                let found = sentence!("stop sequence {index} is only white space", index);
                let error = "stop_sequences: each stop sequence must contain non-whitespace";
                report.predict(Place::Whole, "blank-stop", found, "a visible character in each", error);
            }
            Some(_) => {}
        }
    }
}
