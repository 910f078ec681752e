//! The *order* in which a UI shows messages: each call's story in one piece, the rest as it was.

use super::list::{Listed, Lists};
use super::plain::{output, shown};
use super::story::Stories;
use crate::rules::alike::{alike, difference};
use crate::rules::{Judge, OrderEvidence, Place, RuleEntry, Verdict, Violation};

pub(super) const PERMUTATION: RuleEntry = rule!("ui/permutation", Error, Judge::ReorderUi(permutation));

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
const OTHER_MESSAGES: Verdict = Verdict::NotApplicable("the output does not hold the messages of the input, each once");

pub(super) const TOOL_STORY: RuleEntry = rule!("ui/tool-story", Error, Judge::ReorderUi(tool_story));

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

pub(super) const OTHERS_IN_ORDER: RuleEntry = rule!("ui/others-in-order", Error, Judge::ReorderUi(others_in_order));

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

pub(super) const REORDER_IDEMPOTENT: RuleEntry =
    rule!("ui/reorder-idempotent", Error, Judge::ReorderUi(reorder_idempotent));

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

pub(super) const REORDER_DETERMINISTIC: RuleEntry =
    rule!("ui/reorder-deterministic", Error, Judge::ReorderUi(reorder_deterministic));

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
