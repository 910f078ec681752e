//! The *order* in which a UI shows messages: each call's story in one piece, the rest as it was.

use super::list::{Listed, Lists};
use super::plain::{output, shown};
use super::story::Stories;
use crate::rules::alike::{alike, difference};
use crate::rules::{Judge, OrderEvidence, Place, Rule, Severity, Verdict, Violation};

pub(super) const PERMUTATION: Rule = Rule {
    id: "ui/permutation",
    title: "reordering loses no message, repeats none and adds none",
    severity: Severity::Error,
    doc: "\
Reordering changes where messages stand and nothing else. Every message of the list comes out once, as it \
was; events that pass by (tombstones, summaries, stream events, starts of requests) are not messages and do not \
come out.

Messages get lost where groups are gathered by the id of the call: a second result for the same call overwrites \
the first, results and hooks of a call that is not in the list are gathered and never given out, a call whose id \
was seen before is taken for the same one. Each of these hides something that did happen from the one who \
must judge what the agent did.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1","message":{"role":"user","content":"#,
        r#"[{"type":"tool_result","tool_use_id":"toolu_1","content":"a"}]}}],"output":{"Ok":[]}}"#,
    )
    .as_bytes(),
    remedy: "Gather followers in lists, for calls that are in the list only, and give out everything else where \
it stood.",
    sources: &["spec 7"],
    judge: Judge::ReorderUi(permutation),
};

fn permutation(case: &OrderEvidence<'_>) -> Verdict {
    let lists = case.lists();
    let output = match &lists.output {
        Ok(output) => output,
        Err(why) => {
            let violation = Violation::new(PERMUTATION.id, Place::Whole, why, "a list of messages");
            return Verdict::Broken(vec![violation]);
        }
    };
    let mut violations = Vec::new();
    let mut left = counts(&lists.input, lists.numbers);
    for (index, listed) in (0..).zip(output) {
        if !take(&mut left, listed) {
            let place = Place::Message { index, block: None };
            let expected = "only the messages of the input, each once";
            violations.push(Violation::new(PERMUTATION.id, place, shown(Some(listed.message)), expected));
        }
    }
    for listed in &lists.input {
        if take(&mut left, listed) {
            let expected = format!("{}, which is in the input", shown(Some(listed.message)));
            violations.push(Violation::new(PERMUTATION.id, Place::Whole, "a message is missing", expected));
        }
    }
    match lists.input.is_empty() && output.is_empty() {
        true => Verdict::NotApplicable("there are no messages"),
        false => Verdict::from_violations(violations),
    }
}

/// How often each message is in a list, by its number.
fn counts(messages: &[Listed<'_>], numbers: usize) -> Vec<u32> {
    let mut counts = vec![0; numbers];
    for listed in messages {
        if let Some(count) = counts.get_mut(listed.number) {
            *count += 1;
        }
    }
    counts
}

/// Takes a message from those that are left, if it is among them.
fn take(left: &mut [u32], listed: &Listed<'_>) -> bool {
    let count = left.get_mut(listed.number).filter(|count| **count > 0);
    count.map(|count| *count -= 1).is_some()
}

/// The stories of the same messages before and after they were ordered.
#[derive(Debug)]
pub(super) struct BothStories<'a> {
    expected: Stories<'a>,
    found: Stories<'a>,
    output: Vec<Listed<'a>>,
}

impl<'a> BothStories<'a> {
    /// Reads both, if they are of the same messages.
    pub(super) fn read(lists: &Lists<'a>) -> Option<Self> {
        let output = lists.output.as_ref().ok()?;
        let is_same = counts(&lists.input, lists.numbers) == counts(output, lists.numbers);
        is_same.then(|| Self {
            expected: Stories::read(&lists.input),
            found: Stories::read(output),
            output: output.clone(),
        })
    }
}

/// The verdict of a rule on order where there are other messages.
const OTHER_MESSAGES: Verdict =
    Verdict::NotApplicable("the output does not hold the messages of the input, each once");

pub(super) const TOOL_STORY: Rule = Rule {
    id: "ui/tool-story",
    title: "a call is followed at once by its hooks before, its results and its hooks after",
    severity: Severity::Error,
    doc: "\
Tools run side by side, and what they give arrives as it comes: results of the second call before those of \
the first, hooks in between. People read one call at a time. So the first call with an id is followed at once by \
all hooks that ran before it, then by its results, then by the hooks that ran after it, each in the order of \
the list.

A call is an assistant message whose one block is a `tool_use`; a result is a user message whose one block is \
the `tool_result`; a hook is a `hook_…` attachment, a hook result or a hook's progress that names the call and \
the event PreToolUse, PostToolUse or PostToolUseFailure. All of them come to the call, also those that stand \
before it. If the story is torn, the UI shows a finished tool as still running.",
    example: concat!(
        r#"{"messages":["#,
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash"}]}},"#,
        r#"{"type":"system","content":"a"},"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}}],"#,
        r#""output":{"Ok":["#,
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash"}]}},"#,
        r#"{"type":"system","content":"a"},"#,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}}]}}"#,
    )
    .as_bytes(),
    remedy: "Gather hooks and results by the id of the call in a first pass; in the second, write them out after \
the first call with that id and leave them out where they stood.",
    sources: &["spec 7"],
    judge: Judge::ReorderUi(tool_story),
};

fn tool_story(case: &OrderEvidence<'_>) -> Verdict {
    let Some(BothStories { expected, found, output }) = case.stories() else { return OTHER_MESSAGES };
    let mut violations = Vec::new();
    // In the order of the input, so that reports are the same each time.
    let mut stories: Vec<_> = expected.followers.iter().collect();
    stories.sort_by_key(|(id, _)| expected.calls.get(*id).copied());
    for (id, followers) in stories {
        let Some(&call) = found.calls.get(id) else { continue };
        let after = output.get(call + 1..).unwrap_or_default();
        let same = after.iter().zip(followers).take_while(|(found, expected)| found == expected).count();
        if let Some(missing) = followers.get(same) {
            violations.push(Violation::new(
                TOOL_STORY.id,
                Place::Message { index: (call + 1 + same) as u32, block: None },
                format!("in the story of {id:?}: {}", shown(after.get(same).map(|listed| listed.message))),
                shown(Some(missing.message)),
            ));
        }
    }
    match expected.followers.is_empty() {
        true => Verdict::NotApplicable("no call has a result or a hook"),
        false => Verdict::from_violations(violations),
    }
}

pub(super) const OTHERS_IN_ORDER: Rule = Rule {
    id: "ui/others-in-order",
    title: "reordering moves results and hooks to their calls, and nothing else",
    severity: Severity::Error,
    doc: "\
Only what belongs to a call of the list moves, and it moves to the first call with its id. All other messages \
keep their order: prompts, replies, the calls themselves, notices, attachments, a repeated call with an id that \
was seen before, and results and hooks whose call is not in the list.

The order is what a conversation means. A prompt that slips behind the reply to it, or an orphaned result that \
is carried to the end of the list, tells another story than the one that happened.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1"},{"type":"system","uuid":"u2"}],"#,
        r#""output":{"Ok":[{"type":"system","uuid":"u2"},{"type":"user","uuid":"u1"}]}}"#,
    )
    .as_bytes(),
    remedy: "Write out everything but the followers of calls in the order of the list; sort nothing, by time or \
otherwise.",
    sources: &["spec 7"],
    judge: Judge::ReorderUi(others_in_order),
};

fn others_in_order(case: &OrderEvidence<'_>) -> Verdict {
    let Some(BothStories { expected, found, output }) = case.stories() else { return OTHER_MESSAGES };
    let (expected, found) = (&expected.others, &found.others);
    match difference(expected, found, Listed::eq) {
        None if expected.len() < 2 => Verdict::NotApplicable("fewer than two messages stay"),
        None => Verdict::Holds,
        Some(at) => {
            let listed = found.get(at);
            let place = output.iter().position(|other| Some(other) == listed);
            let index = place.unwrap_or(at) as u32;
            Verdict::Broken(vec![Violation::new(
                OTHERS_IN_ORDER.id,
                Place::Message { index, block: None },
                format!("among those that stay: {}", shown(listed.map(|listed| listed.message))),
                shown(expected.get(at).map(|listed| listed.message)),
            )])
        }
    }
}

pub(super) const REORDER_IDEMPOTENT: Rule = Rule {
    id: "ui/reorder-idempotent",
    title: "a list in the UI's order stays as it is when it is ordered again",
    severity: Severity::Error,
    doc: "\
A UI orders a list whenever it changes, and often what it orders has been ordered before: a part of the \
screen, a stored view, a list that was handed on. Ordering a list that is in order must change nothing.

Where it does, a story is put together from the wrong side: hooks are collected in reverse, a result that has \
been moved is taken for late and is moved once more, a group goes to the last call with an id the first time and \
to the first call the second time. On the screen rows jump at every drawing.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1"},{"type":"system","uuid":"u2"}],"#,
        r#""output":{"Ok":[{"type":"user","uuid":"u1"},{"type":"system","uuid":"u2"}]},"#,
        r#""reordered":{"Ok":[{"type":"system","uuid":"u2"},{"type":"user","uuid":"u1"}]}}"#,
    )
    .as_bytes(),
    remedy: "Keep the order of the list within hooks before, results and hooks after, and take the first call \
with an id always.",
    sources: &["spec 7"],
    judge: Judge::ReorderUi(reorder_idempotent),
};

fn reorder_idempotent(case: &OrderEvidence<'_>) -> Verdict {
    let (Ok(first), Some(again)) = (output(&case.output), &case.reordered) else {
        return Verdict::NotApplicable("the subject did not order its own output");
    };
    let violation = match output(again) {
        Err(why) => Violation::new(REORDER_IDEMPOTENT.id, Place::Whole, why, "the same list again"),
        Ok(second) => match difference(first, second, alike) {
            None if first.is_empty() => return Verdict::NotApplicable("there are no messages"),
            None => return Verdict::Holds,
            Some(at) => Violation::new(
                REORDER_IDEMPOTENT.id,
                Place::Message { index: at as u32, block: None },
                format!("ordered again: {}", shown(second.get(at))),
                format!("as before: {}", shown(first.get(at))),
            ),
        },
    };
    Verdict::Broken(vec![violation])
}

pub(super) const REORDER_DETERMINISTIC: Rule = Rule {
    id: "ui/reorder-deterministic",
    title: "the same messages are put in the same order each time",
    severity: Severity::Error,
    doc: "\
Asked a second time with the same messages, a UI is given the same order. What was ordered before, the order in \
which a map happens to give its keys, and clocks have no part in it.

A list is ordered at every key that is pressed. Where the stories of two calls change places each time, the \
screen flickers, what a person was about to read or click is elsewhere, and a report of it cannot be repeated.",
    example: concat!(
        r#"{"messages":[{"type":"user","uuid":"u1"},{"type":"system","uuid":"u2"}],"#,
        r#""output":{"Ok":[{"type":"user","uuid":"u1"},{"type":"system","uuid":"u2"}]},"#,
        r#""again":{"Ok":[{"type":"system","uuid":"u2"},{"type":"user","uuid":"u1"}]}}"#,
    )
    .as_bytes(),
    remedy: "Collect the parts of stories in lists, or in maps that keep the order of their keys.",
    sources: &["spec 7"],
    judge: Judge::ReorderUi(reorder_deterministic),
};

fn reorder_deterministic(case: &OrderEvidence<'_>) -> Verdict {
    let Some(again) = &case.again else { return Verdict::NotApplicable("the subject was asked once") };
    let violation = match (output(&case.output), output(again)) {
        (Err(_), Err(_)) => return Verdict::NotApplicable("there is no order"),
        (Ok(first), Ok(second)) => match difference(first, second, alike) {
            None if first.is_empty() => return Verdict::NotApplicable("there are no messages"),
            None => return Verdict::Holds,
            Some(at) => Violation::new(
                REORDER_DETERMINISTIC.id,
                Place::Message { index: at as u32, block: None },
                format!("asked again: {}", shown(second.get(at))),
                format!("as before: {}", shown(first.get(at))),
            ),
        },
        _ => Violation::new(
            REORDER_DETERMINISTIC.id,
            Place::Whole,
            "there is an order one time and none the other",
            "the same",
        ),
    };
    Verdict::Broken(vec![violation])
}
