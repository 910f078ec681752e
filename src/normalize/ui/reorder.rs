//! *Reordering* puts each tool's story in one piece: the call, its pre-hooks, its results, its
//! post-hooks.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::message::Message;

use super::story::{Moment, Part};

/// The same messages, each tool's story in one piece (SPEC.md section 7).
///
/// A *call* is an assistant message whose one block is a `tool_use` with an id; a *result* is a
/// user message whose one block is a `tool_result` with an id; a *hook* of a call is an attachment
/// `hook_…`, a hook result or progress of type `hook_progress` that names the call and the event
/// `PreToolUse`, `PostToolUse` or `PostToolUseFailure`. The first call with an id is followed by
/// all its pre-hooks, results and post-hooks, each in list order, wherever they stood.
///
/// A repeated call keeps its place. Results and hooks without a call stay where they are, and so
/// does the order of everything else. Linear in the number of messages, which are moved, never
/// copied.
///
/// ```
/// use turnproof::message::Message;
/// use turnproof::normalize::ui::reorder_for_ui;
///
/// let list: Vec<Message> = serde_json::from_str(r#"[
///     {"type":"assistant","uuid":"a","message":{"content":[{"type":"tool_use","id":"toolu_1"}]}},
///     {"type":"assistant","uuid":"b","message":{"content":[{"type":"tool_use","id":"toolu_2"}]}},
///     {"type":"user","uuid":"c","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}}
/// ]"#)?;
/// let shown = reorder_for_ui(list);
/// let ids: Vec<_> = shown.iter().filter_map(|message| message.uuid()).collect();
/// assert_eq!(ids, ["a", "c", "b"]);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn reorder_for_ui(messages: Vec<Message>) -> Vec<Message> {
    let Stories { stories, places } = Stories::of(&messages);
    let mut waiting: Vec<Option<Message>> = messages.into_iter().map(Some).collect();
    let mut take = |index: usize| waiting.get_mut(index).and_then(Option::take);
    let mut shown = Vec::with_capacity(places.len());
    for (index, place) in places.into_iter().enumerate() {
        let story = place.and_then(|story| stories.get(story));
        match story {
            Some(story) if story.call == Some(index) => {
                let parts = [&story.before, &story.results, &story.after].into_iter().flatten();
                shown.extend([index].iter().chain(parts).filter_map(|&part| take(part)));
            }
            // Comes, or came, with its call.
            Some(story) if story.call.is_some() => {}
            _ => shown.extend(take(index)),
        }
    }
    shown
}

/// The story of one call, as indexes into the list.
#[derive(Default)]
struct Story {
    /// The first call; `None` when the list has only its followers.
    call: Option<usize>,
    before: Vec<usize>,
    results: Vec<usize>,
    after: Vec<usize>,
}

/// All stories of a list.
struct Stories {
    stories: Vec<Story>,
    /// For each message the story that it is a part of; a repeated call is a part of none.
    places: Vec<Option<usize>>,
}

impl Stories {
    fn of(messages: &[Message]) -> Self {
        let mut numbers = HashMap::new();
        let mut stories = Vec::new();
        let place = |(index, message)| note(index, message, &mut numbers, &mut stories);
        let places = messages.iter().enumerate().map(place).collect();
        Self { stories, places }
    }
}

/// Writes a message into its story; gives the story's number.
fn note<'m>(
    index: usize,
    message: &'m Message,
    numbers: &mut HashMap<Cow<'m, str>, usize>,
    stories: &mut Vec<Story>,
) -> Option<usize> {
    let part = Part::of(message)?;
    let id = match &part {
        Part::Call(call) => call.id.into(),
        Part::Result(id) => (*id).into(),
        Part::Hook(_, id) => id.clone(),
    };
    let number = *numbers.entry(id).or_insert_with(|| {
        stories.push(Story::default());
        stories.len() - 1
    });
    let story = stories.get_mut(number)?;
    match part {
        Part::Call(_) if story.call.is_some() => return None,
        Part::Call(_) => story.call = Some(index),
        Part::Hook(Moment::Before, _) => story.before.push(index),
        Part::Result(_) => story.results.push(index),
        Part::Hook(Moment::After, _) => story.after.push(index),
    }
    Some(number)
}
