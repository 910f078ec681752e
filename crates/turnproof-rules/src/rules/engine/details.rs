//! The *details* of what is reported: results as the tools gave them, words of a denial, flags, levels and metadata.

use crate::json::Value;

use super::Wrong;
use super::attached;
use super::model::{Answer, CANCEL, Expected, Says};
use super::queue::as_blocks;
use super::reported::{UNKNOWN, first_text};
use crate::operation::Moment;
use crate::rules::alike::{alike, excerpt};
use crate::rules::value::{blocks, content, is_blank, is_true, kind, list, result_of, text, text_of, uuid};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::SYNTHETIC_MODEL;

/// What a flaw is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum About {
    Result,
    Denial,
    Meta,
    Notice,
    Error,
    Virtual,
    Attachment,
    Retry,
}

/// What is wrong with a message.
pub(super) type Flaw = (About, Wrong);

/// What is wrong with the message that reports something. Which line a result belongs to is judged later.
pub(super) fn flaws(expected: &Expected<'_>, message: &Value) -> Vec<Flaw> {
    let flaw = |about, kind, found: Sentence, expected: &'static str| vec![(about, (kind, found, expected.into()))];
    match expected {
        Expected::Prompt(_) if is_true(message, "isMeta") => {
            flaw(About::Meta, "meta", "what somebody typed is a meta message".into(), "no `isMeta`")
        }
        Expected::Meta(_) if !is_true(message, "isMeta") => {
            let found = "a message for the model alone is no meta message".into();
            flaw(About::Meta, "not-meta", found, "`isMeta: true`")
        }
        Expected::Virtual(_, who) if !is_true(message, "isVirtual") => {
            let found = sentence!("a virtual message of the {who} is not marked as such", who = *who);
            flaw(About::Virtual, "not-marked", found, "`isVirtual: true`")
        }
        Expected::Command(words) if !says(message, words) => {
            let words = excerpt((*words).to_owned(), 60);
            let found = "the output of a command is reported in other words".into();
            vec![(About::Notice, ("command-words", found, sentence!("{words}", words)))]
        }
        Expected::Notice(subtype, _) if HAS_ITS_OWN.contains(subtype) => of_own_form(subtype, message),
        Expected::Notice(subtype, words) => of_notice(subtype, words, message),
        Expected::Retry(attempt) => of_retry(*attempt, message),
        Expected::Boundary(is_automatic) => {
            let trigger = message.get("compactMetadata").and_then(|metadata| text(metadata, "trigger"));
            let right = if *is_automatic { "auto" } else { "manual" };
            if trigger == Some(right) {
                return Vec::new();
            }
            let kind = if trigger.is_some() { "other-trigger" } else { "no-trigger" };
            let trigger = format!("{trigger:?}");
            let found = sentence!("a boundary names as its trigger {trigger}, in `compactMetadata`", trigger);
            flaw(About::Notice, kind, found, right)
        }
        Expected::Error => of_error(message),
        Expected::Result(answer) => of_result(answer, message),
        Expected::Attachment(given) => attached::attachment(given, message),
        Expected::Hook(kind, run) => attached::hook(kind, *run, message),
        _ => Vec::new(),
    }
}

fn of_notice(subtype: &str, words: &str, notice: &Value) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    if text(notice, "level").unwrap_or_default().is_empty() {
        let found = sentence!("the notice {subtype:?} has no level", subtype);
        flaws.push((About::Notice, ("no-level", found, "a `level`".into())));
    }
    if !says(notice, words) {
        let found = sentence!("the notice {subtype:?} says something else", subtype);
        flaws.push((About::Notice, ("notice-words", found, sentence!("{words}", words))));
    }
    flaws
}

/// What a notice of its own form lacks.
fn of_own_form(subtype: &str, notice: &Value) -> Vec<Flaw> {
    let flaw = |found: Sentence, expected: &'static str| (About::Notice, ("no-member", found, expected.into()));
    let mut flaws = Vec::new();
    for (_, name) in OWN_MEMBERS.iter().filter(|(of, _)| *of == subtype) {
        if notice.get(name).is_none_or(Value::is_null) {
            let found = sentence!("the notice {subtype:?} has no `{name}`", subtype, name = *name);
            flaws.push(flaw(found, "what it is about"));
        }
    }
    if OWN_WORDS.contains(&subtype) && text(notice, "content").is_none_or(is_blank) {
        flaws.push(flaw(sentence!("the notice {subtype:?} says nothing", subtype), "words of the loop's own"));
    }
    flaws
}

fn of_retry(attempt: u64, notice: &Value) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let counted = notice.get("retryAttempt").and_then(Value::as_f64);
    if let Some(counted) = counted.filter(|counted| *counted != attempt as f64) {
        let found = sentence!("`retryAttempt` of the notice of an error is {counted}", counted = counted.to_string());
        flaws.push((About::Retry, ("wrong-count", found, sentence!("{attempt}", attempt))));
    }
    let level = text(notice, "level").unwrap_or_default();
    if level != "error" {
        let found = sentence!("the notice of an error has the level {level:?}", level);
        flaws.push((About::Notice, ("other-level", found, "the level \"error\"".into())));
    }
    for name in ["error", "retryAttempt", "maxRetries"] {
        if notice.get(name).is_none_or(Value::is_null) {
            let found = sentence!("the notice of an error has no `{name}`", name);
            flaws.push((About::Notice, ("no-member", found, "what was tried, and why".into())));
        }
    }
    flaws
}

fn of_error(message: &Value) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let body = message.get("message").unwrap_or(&Value::Null);
    let model = text(body, "model");
    if model != Some(SYNTHETIC_MODEL) {
        let found = sentence!("an error of the API has the model {model}", model = format!("{model:?}"));
        flaws.push((About::Error, ("other-model", found, "the model `<synthetic>`: no model made it".into())));
    }
    let counts = |name| body.get("usage").and_then(|usage| usage.get(name)).and_then(Value::as_f64);
    if ["input_tokens", "output_tokens"].into_iter().any(|name| counts(name) != Some(0.0)) {
        let found = "an error of the API has no usage, or one that counts".into();
        flaws.push((About::Error, ("usage", found, "zero tokens".into())));
    }
    flaws
}

/// The notices that are more than a text with a level.
const HAS_ITS_OWN: [&str; 10] = [
    "turn_duration",
    "memory_saved",
    "api_metrics",
    "permission_retry",
    "bridge_status",
    "agents_killed",
    "file_snapshot",
    "stop_hook_summary",
    "compact_boundary",
    "microcompact_boundary",
];

/// The members that some of these cannot be without (SPEC 2.1.1).
const OWN_MEMBERS: [(&str, &str); 3] =
    [("turn_duration", "durationMs"), ("bridge_status", "url"), ("file_snapshot", "snapshotFiles")];

/// Those of them that have words of the loop's own.
const OWN_WORDS: [&str; 3] = ["permission_retry", "bridge_status", "agents_killed"];

/// Whether a notice has this text.
fn says(notice: &Value, words: &str) -> bool {
    let content = notice.get("content").unwrap_or(&Value::Null);
    as_blocks(content) == as_blocks(&Value::from(words))
}

fn of_result(answer: &Answer<'_>, message: &Value) -> Vec<Flaw> {
    let Some(block) = blocks(message).iter().find(|block| result_of(block) == Some(answer.call)) else {
        return Vec::new();
    };
    let call = answer.call;
    let about = match answer.says {
        Says::Denial(..) | Says::Words(CANCEL) => About::Denial,
        _ => About::Result,
    };
    let mut flaws = Vec::new();
    let mut add = |kind: &'static str, found: Sentence, expected: Sentence| {
        flaws.push((about, (kind, found, expected)));
    };
    let said = block.get("content").unwrap_or(&Value::Null);
    let raw = message.get("toolUseResult").unwrap_or(&Value::Null);
    let shown = |value: &Value| excerpt(value.to_string(), 80);
    match &answer.says {
        Says::Tool(given) => {
            let member = |name: &str| given.get(name).unwrap_or(&Value::Null);
            let (content, output) = (member("content"), member("output"));
            if !alike(&Value::from(as_blocks(said)), &Value::from(as_blocks(content))) {
                let found = sentence!("the result of {call:?} says {said}", call, said = shown(said));
                add("changed", found, sentence!("{content}", content = shown(content)));
            }
            if !alike(raw, output) {
                let found = sentence!("`toolUseResult` of the result of {call:?} is {raw}", call, raw = shown(raw));
                let expected = sentence!("what the tool gave: {output}", output = shown(output));
                add("other-raw-output", found, expected);
            }
        }
        Says::Denial(denial, tool) => {
            let text = result_text(said).unwrap_or_default();
            if let Some(expected) = lacks(denial, tool, text) {
                add("other-words", sentence!("the denial of {call:?} says {said}", call, said = shown(said)), expected);
            }
        }
        Says::Words(words) => {
            if result_text(said) != Some(words) {
                let found = sentence!("the result of {call:?} says {said}", call, said = shown(said));
                add("other-words", found, sentence!("{words:?}", words = *words));
            }
        }
        Says::Failure => {}
    }
    if !matches!(answer.says, Says::Tool(_)) && raw.is_null() {
        let found = sentence!("the result of {call:?} has no `toolUseResult`", call);
        add("no-raw-output", found, "what people see of it".into());
    }
    let is_error = match answer.says {
        Says::Tool(given) => is_true(given, "is_error"),
        _ => true,
    };
    if is_true(block, "is_error") != is_error {
        let found = block.get("is_error").unwrap_or(&Value::Null).to_string();
        let found = sentence!("`is_error` of the result of {call:?} is {found}", call, found);
        add("other-error", found, if is_error { "true" } else { "false" }.into());
    }
    flaws
}

/// The text of a result.
fn result_text(content: &Value) -> Option<&str> {
    content.as_str().or_else(|| content.as_array()?.first().and_then(text_of))
}

const REJECT: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a \
                      file edit, the new_string was NOT written to the file).";
const STOP: &str = "STOP what you are doing and wait for the user to tell you how to proceed.";
const SUBAGENT: &str = "Permission for this tool use was denied. The tool use was rejected (eg. if it was a file edit, \
                        the new_string was NOT written to the file).";
const TRY_ELSE: &str = "Try a different approach or report the limitation to complete your task.";
const PLAN: &str = "The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode \
                    rather than proceed with implementation.\n\nRejected plan:\n";
const GUIDANCE: &str = "IMPORTANT: You *may* attempt to accomplish this action using other tools that might naturally \
                        be used to accomplish this goal";
const OTHER_TASKS: &str = "If you have other tasks that don't depend on this action, continue working on those.";

/// What a denial should say and does not.
fn lacks(denial: &Value, tool: &str, said: &str) -> Option<Sentence> {
    let (name, given) = match denial {
        Value::String(name) => (name.as_str(), ""),
        Value::Object(members) => {
            let (name, given) = members.iter().next()?;
            (name.as_str(), given.as_str()?)
        }
        _ => return None,
    };
    let (begins, holds, is_all) = match name {
        "user" => (format!("{REJECT} {STOP}"), [""; 3], true),
        "cancel" => (CANCEL.to_owned(), [""; 3], true),
        "user_with_reason" => (format!("{REJECT} To tell you how to proceed, the user said:\n{given}"), [""; 3], true),
        "subagent" => (format!("{SUBAGENT} {TRY_ELSE}"), [""; 3], true),
        "subagent_with_reason" => (format!("{SUBAGENT} The user said:\n{given}"), [""; 3], true),
        "plan" => (format!("{PLAN}{given}"), [""; 3], true),
        "rule" => (format!("Permission to use {tool} has been denied. {GUIDANCE}"), [""; 3], false),
        "dont_ask" => {
            let why = "because Claude Code is running in don't ask mode.";
            (format!("Permission to use {tool} has been denied {why} {GUIDANCE}"), [""; 3], false)
        }
        "classifier" => (String::new(), [given, OTHER_TASKS, GUIDANCE], false),
        _ => return None,
    };
    if is_all && said != begins || !said.starts_with(&begins) {
        return Some(sentence!("{begins:?}", begins));
    }
    holds.into_iter().find(|part| !said.contains(part)).map(|part| sentence!("a text with {part:?}", part))
}

/// Reports the flaws of some sorts; gives how many messages were judged.
pub(super) fn judge(case: &PlayEvidence<'_>, about: &[About], report: &mut Report<'_>) -> usize {
    let reported = case.reported();
    let mut judged = 0;
    for (at, (expected, _)) in reported.pairs.iter().enumerate() {
        let Some((moment, message)) = reported.message(&case.moments, at) else { continue };
        judged += usize::from(about.contains(&sort(expected)));
        let flaws = flaws(expected, message).into_iter().filter(|(own, _)| about.contains(own));
        for (_, (kind, found, expected)) in flaws {
            report.add(Place::message(moment), kind, found, expected);
        }
    }
    judged
}

/// What is asked of something that is expected.
fn sort(expected: &Expected<'_>) -> About {
    match expected {
        Expected::Prompt(_) | Expected::Meta(_) => About::Meta,
        Expected::Virtual(..) => About::Virtual,
        Expected::Attachment(_) | Expected::Hook(..) => About::Attachment,
        Expected::Error => About::Error,
        Expected::Result(Answer { says: Says::Denial(..) | Says::Words(CANCEL), .. }) => About::Denial,
        Expected::Result(_) => About::Result,
        _ => About::Notice,
    }
}

pub(super) fn result_as_given(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    applies(judge(case, &[About::Result], report) > 0, "no call is answered")
}

pub(super) fn denial_words(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    applies(judge(case, &[About::Denial], report) > 0, "no use of a tool is denied")
}

pub(super) fn meta_stays_meta(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    applies(judge(case, &[About::Meta], report) > 0, "nobody types, and nothing is said for the model alone")
}

pub(super) fn error_of_no_model(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    applies(judge(case, &[About::Error], report) > 0, "no error ends a turn")
}

pub(super) fn attachment_as_given(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    applies(judge(case, &[About::Attachment], report) > 0, "nothing is attached, and no hook runs")
}

pub(super) fn notice_whole(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    let mut judged = judge(case, &[About::Notice], report);
    for (moment, event) in case.moments.iter().enumerate() {
        let Moment::Yielded(event) = event else { continue };
        if text(&event.value, "subtype") != Some("microcompact_boundary") {
            continue;
        }
        judged += 1;
        let metadata = event.value.get("microcompactMetadata").unwrap_or(&Value::Null);
        if list(metadata, "compactedToolIds").is_empty() {
            let found = "the boundary of a microcompaction names no calls";
            let expected = "the calls, in `microcompactMetadata.compactedToolIds`";
            report.add(Place::message(moment), "no-calls", found, expected);
        }
    }
    applies(judged > 0, "there is no notice")
}

pub(super) fn result_source(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies(case.inputs.is_some(), UNKNOWN)?;
    let reported = case.reported();
    let mut judged = 0;
    for (at, (expected, _)) in reported.pairs.iter().enumerate() {
        let Expected::Result(Answer { call, line: Some(line), .. }) = expected else { continue };
        let line = reported.message(&case.moments, *line).and_then(|(_, line)| uuid(line));
        let (Some((moment, result)), Some(line)) = (reported.message(&case.moments, at), line) else { continue };
        judged += 1;
        let source = text(result, "sourceToolAssistantUUID");
        if source != Some(line) {
            let call = *call;
            let (kind, found) = match source {
                Some(source) => {
                    ("other-source", sentence!("the result of {call:?} names {source:?} as its source", call, source))
                }
                None => ("no-source", sentence!("the result of {call:?} has no `sourceToolAssistantUUID`", call)),
            };
            report.add(Place::message(moment), kind, found, sentence!("the line with the call, {line:?}", line));
        }
    }
    applies(judged > 0, "no call is answered")
}

/// The words that a virtual message says.
pub(super) fn virtual_words(message: &Value) -> Option<&str> {
    let is_spoken = matches!(kind(message), "user" | "assistant") && content(message).is_some();
    first_text(message).filter(|_| is_spoken && is_true(message, "isVirtual"))
}
