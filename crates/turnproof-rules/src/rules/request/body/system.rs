//! *system* is the prompt of the system: a text, or a list of texts that are not empty.

use super::{given, members_of};
use crate::json::Value;
use crate::operation::{Host, Request};
use crate::rules::value::{kind, text};
use crate::rules::{Place, Report};

pub(super) fn system(request: &Request, _: Host, report: &mut Report<'_>) {
    let Some(system) = members_of(request).and_then(|body| given(body, "system")) else { return };
    let blocks = match system {
        Value::String(_) => return,
        Value::Array(blocks) => blocks,
        _ => {
            let (found, expected) = ("`system` is neither text nor a list", "a text, or a list of texts");
            return report.predict(Place::Whole, "wrong-type", found, expected, "system: Input should be a valid list");
        }
    };
    for (index, block) in blocks.iter().enumerate() {
        match text(block, "text") {
            _ if kind(block) != "text" => {
                let found = sentence!("block {index} of `system` is no text", index);
                let error = format!("system.{index}.type: Input should be 'text'");
                report.predict(Place::Whole, "no-text", found, "blocks of text", error);
            }
            None => {
                let found = sentence!("block {index} of `system` has no text", index);
                report.predict(
                    Place::Whole,
                    "missing",
                    found,
                    "a text",
                    format!("system.{index}.text: Field required"),
                );
            }
            Some("") => {
                let found = sentence!("block {index} of `system` is an empty text", index);
                let error = "system: text content blocks must be non-empty";
                report.predict(Place::Whole, "empty", found, "a text, or no block", error);
            }
            Some(_) => {}
        }
    }
}
