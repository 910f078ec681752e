//! What was *given*: a plain model of the loop that knows no message, only its inputs. What was typed, attached or put
//! out by a command is in the request of the next prompt, and what a tool gave is its result.
//!
//! Compaction, crash, resume and fork leave it to the subject what of that comes back. There the model ends, but for
//! one thing: nothing is said more often than it was given.

use std::collections::{HashMap, HashSet};

use crate::json;
use crate::json::Value;

use super::super::live::calls;
use super::super::request::texts_in;
use super::applies_to_whole;
use super::holds::compared;
use crate::operation::{Moment, Plain};
use crate::rules::alike::in_short;
use crate::rules::normalize::{as_sent, lost};
use crate::rules::value::{is_true, list, result_of, text};
use crate::rules::{Applies, Place, PlayEvidence, Report, Sentence, applies};
use crate::vocabulary::{LOCAL_COMMAND, NO_CONTENT, SYNTHETIC_TEXTS};

pub(in crate::rules::engine) fn request_of_inputs(case: &PlayEvidence<'_>, report: &mut Report<'_>) -> Applies {
    applies_to_whole(case)?;
    let inputs = case.inputs.as_ref().map_or(&[][..], Plain::elements);
    let gave = gave(inputs, &case.moments);
    let mut judged = 0;
    // The inputs that were typed, in the order of the log; the place of the last one that has joined since the last
    // request, and of the one before it for which a request was judged.
    let mut typed: Vec<u64> = Vec::new();
    let (mut joined, mut before): (Option<usize>, Option<usize>) = (None, None);
    let (mut is_whole, mut has_error) = (true, false);
    let given = times_given(inputs);
    for (index, moment) in case.moments.iter().enumerate() {
        match moment {
            Moment::Typed { input, .. } => typed.push(*input),
            Moment::Joined { input, .. } => {
                joined = typed.iter().position(|typed| typed == input).max(joined);
            }
            Moment::Requested { turns, .. } => {
                let mut add = |kind: &'static str, found: Sentence, expected: Sentence| {
                    report.add(Place::message(index), kind, found, expected);
                };
                judge_repeats(turns.elements(), &given, &mut add);
                if !is_whole {
                    continue;
                }
                judged += judge_results(turns.elements(), &gave, &mut add);
                if let Some(joined) = joined.take() {
                    judged += 1;
                    judge_said(said(inputs, joined, before), turns, has_error, &mut add);
                    before = Some(joined);
                }
            }
            Moment::Yielded(event) => has_error |= is_true(&event.value, "isApiErrorMessage"),
            Moment::Compacted(_) | Moment::Crashed { .. } | Moment::Resumed(_) | Moment::Forked(_) => is_whole = false,
            _ => {}
        }
    }
    applies(judged > 0, "no request follows what was typed or what a tool gave")
}

/// What was given before and with a prompt.
#[derive(Default)]
struct Said {
    /// What was typed, added for the model and put out by commands, as messages.
    messages: Vec<Value>,
    /// What was attached after the prompt for which this was asked before.
    attached: Vec<Value>,
}

/// What was given before and with the prompt at this place among those typed; the other place is that of the prompt for
/// which this was asked before.
fn said(inputs: &[Value], prompt: usize, before: Option<usize>) -> Said {
    let mut said = Said::default();
    let mut prompts = 0;
    for input in inputs {
        let meta = |content: &Value| json!({"type": "user", "isMeta": true, "message": {"content": content}});
        let command = |text: &Value| json!({"type": "system", "subtype": LOCAL_COMMAND, "content": text});
        let attachment = |attachment: &Value| json!({"type": "attachment", "attachment": attachment});
        if let Some(content) = input.get("type") {
            said.messages.push(json!({"type": "user", "message": {"content": content}}));
            prompts += 1;
            if prompts > prompt {
                break;
            }
        }
        said.messages.extend(input.get("meta").map(meta));
        said.messages.extend(input.get("command").map(command));
        let is_new = before.is_none_or(|before| prompts > before);
        said.attached.extend(input.get("attach").filter(|_| is_new).map(attachment));
    }
    said
}

/// Judges that a request holds what was said; the order is for other rules. The API may have refused media.
fn judge_said(said: Said, turns: &Plain, has_error: bool, add: &mut impl FnMut(&'static str, Sentence, Sentence)) {
    // Each attachment is looked for by itself: where its text is depends on the replies.
    let alone = said.attached.into_iter().map(|attachment| vec![attachment]);
    for list in std::iter::once(said.messages).chain(alone) {
        let case = compared(list, turns);
        for lost in lost(&case).into_iter().filter(|lost| !(has_error && lost.is_media)) {
            let given = case.events().get(lost.message).map(in_short).unwrap_or_default();
            let block = lost.in_words;
            let found = sentence!("{block} is not in the request, and {given} was given before", block, given);
            add(lost.kind, found, "all that was given".into());
        }
    }
}

/// How often each text that was typed was given in all, by whomever. The loop says some texts itself.
fn times_given(inputs: &[Value]) -> HashMap<&str, usize> {
    let mut given = HashMap::new();
    for content in inputs.iter().filter_map(|input| input.get("type")) {
        given.extend(texts_in(content).map(|said| (said, 0)));
    }
    given.retain(|said, _| !SYNTHETIC_TEXTS.contains(said) && *said != NO_CONTENT);
    inputs.iter().for_each(|input| count(input, &mut given));
    given
}

/// Counts the strings in a value that are one of these.
fn count(value: &Value, given: &mut HashMap<&str, usize>) {
    match value {
        Value::String(said) => {
            if let Some(count) = given.get_mut(said.as_str()) {
                *count += 1;
            }
        }
        Value::Array(elements) => elements.iter().for_each(|element| count(element, given)),
        Value::Object(members) => members.values().for_each(|member| count(member, given)),
        _ => {}
    }
}

/// Judges that a request says no prompt more often than it was given.
fn judge_repeats(
    turns: &[Value],
    given: &HashMap<&str, usize>,
    add: &mut impl FnMut(&'static str, Sentence, Sentence),
) {
    let mut said: HashMap<&str, usize> = HashMap::new();
    let own = turns.iter().filter(|turn| text(turn, "role") == Some("user"));
    for text in own.filter_map(|turn| turn.get("content")).flat_map(texts_in) {
        *said.entry(text).or_default() += 1;
    }
    let mut repeated: Vec<_> = given.iter().filter(|(text, times)| said.get(*text) > Some(times)).collect();
    repeated.sort_unstable();
    for (text, times) in repeated {
        let (words, count) = (in_short(&Value::from(*text)), said.get(text).copied().unwrap_or_default());
        let found = sentence!("{words} is said {count} times", words, count);
        add("repeated", found, sentence!("at most {times}, since it was given so often", times = *times));
    }
}

/// What a tool gave for a call: the content, and whether it failed.
type Gave<'a> = (&'a Value, bool);

/// What the tools gave, by call; `None` where several calls, results or denials share an id.
fn gave<'a>(inputs: &'a [Value], moments: &'a [Moment]) -> HashMap<&'a str, Option<Gave<'a>>> {
    let mut gave = HashMap::new();
    let mut is_cleared = false;
    for input in inputs {
        is_cleared |= input.get("microcompact").is_some();
        let result = input.get("result").or_else(|| input.get("deny"));
        let Some((result, call)) = result.and_then(|result| Some((result, result.get("call")?.as_str()?))) else {
            continue;
        };
        let given = result.get("content").map(|content| (content, is_true(result, "is_error")));
        gave.entry(call).and_modify(|gave| *gave = None).or_insert(given);
    }
    let mut made = HashSet::new();
    for moment in moments {
        let Moment::Yielded(event) = moment else { continue };
        for call in calls(&event.value).filter(|call| !made.insert(*call)) {
            gave.remove(call);
        }
    }
    if is_cleared {
        // Which results are cleared depends on the list.
        gave.clear();
    }
    gave
}

/// Judges that the results of a request are what the tools gave; gives how many there are.
fn judge_results(
    turns: &[Value],
    gave: &HashMap<&str, Option<Gave<'_>>>,
    add: &mut impl FnMut(&'static str, Sentence, Sentence),
) -> usize {
    let mut judged = 0;
    for block in turns.iter().flat_map(|turn| list(turn, "content")) {
        let Some(call) = result_of(block) else { continue };
        let Some((content, is_error)) = gave.get(call).copied().flatten() else { continue };
        judged += 1;
        let wanted = as_sent(&json!({"type": "tool_result", "tool_use_id": call, "content": content}));
        if is_true(block, "is_error") != is_error {
            let found = sentence!("the result of {call:?} is sent with another `is_error`", call);
            let expected = if is_error { "that the tool failed" } else { "that the tool did not fail" };
            add("other-error", found, expected.into());
        }
        if words(wanted.get("content")) != words(as_sent(block).get("content")) {
            let found = sentence!("the result of {call:?} is sent as {block}", call, block = in_short(block));
            add("changed", found, sentence!("what the tool gave: {content}", content = in_short(content)));
        }
    }
    judged
}

/// The content of a result as blocks; JSON text counts by its value.
fn words(content: Option<&Value>) -> Vec<Value> {
    let by_value = |said: &str| Plain::read(said).ok().map(|said| said.into_value()).filter(Value::is_object);
    match content {
        Some(Value::String(said)) if said.is_empty() => Vec::new(),
        Some(Value::String(said)) => {
            vec![by_value(said).unwrap_or_else(|| json!({"type": "text", "text": said}))]
        }
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => Vec::new(),
    }
}
