//! Faults in what a recorder believes of a message's source, and in what becomes of hints.

use serde_json::value::to_raw_value;
use turnproof_rules::operation::RecordStep;

use super::recorder::Slip;
use super::walk::{blocks, kind, text};
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("record/chains-prompts-to-a-source", "record/chain-links")
        .that("chains a message to the source that it names, also where it holds no result")
        .by(Wrong::Record(Slip::Parent(|new| {
            let has_result = blocks(new.message).iter().any(|block| kind(block) == "tool_result");
            let source = new.message.get("sourceToolAssistantUUID").filter(|_| !has_result)?.as_str()?;
            let is_before = new.before.iter().any(|message| text(message, "uuid") == source);
            is_before.then(|| source.to_owned())
        }))),
    fault("record/gives-agents-another-team", "record/team")
        .that("adds the team of the list to what another agent says")
        .by(Wrong::Record(Slip::Line(|members| {
            if members.contains_key("agentName") && !members.contains_key("teamName") {
                members.extend(to_raw_value("crew").ok().map(|team| ("teamName".to_owned(), team)));
            }
        }))),
    fault("record/keeps-hints-of-a-refused-list", "record/chain-links")
        .that("keeps a hint for the list behind the one that it refuses")
        .by(Wrong::Record(Slip::Step(|process, step| {
            let tip = process.right(step);
            match step {
                RecordStep::Hints(_) => process.last_hints = Some(step.clone()),
                RecordStep::List(_) | RecordStep::ListBeforeRequest(_) => {
                    if let (Err(_), Some(hints)) = (&tip, process.last_hints.take()) {
                        process.right(&hints)?;
                    }
                }
                _ => {}
            }
            tip
        }))),
];
