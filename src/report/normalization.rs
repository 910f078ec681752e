//! A *normalization page* shows how messages became a request: the input, what each stage did, and the turns.

use std::collections::HashMap;

use turnproof_reference::message::Event;
use turnproof_reference::normalize::api::{Effect, Part, StageNote, Trace, Turn};

use super::outline;
use super::table::table_within;

/// The whole page: the input as a table, the effect of each stage, the turns.
pub fn page(messages: &[Event], turns: &[Turn<'_>], trace: &Trace) -> String {
    let mut page = String::from("messages\n");
    for (at, message) in messages.iter().enumerate() {
        page.push_str(&format!("  {at}  {}\n", outline::message(message)));
    }
    page.push_str("\nstages\n");
    // A stage that did nothing is left out, so that a new stage changes few pages.
    for step in trace.steps.iter().filter(|step| !step.notes.is_empty() || step.before != step.after) {
        page.push_str(&format!("  {}: {} to {}\n", step.stage, step.before, step.after));
        for note in &step.notes {
            let message = note.message.map_or("-".to_owned(), |at| at.to_string());
            page.push_str(&format!("    {message}  {}\n", told(note)));
        }
    }
    page.push_str("\nrequest\n");
    page.push_str(&numbered(turns));
    page
}

/// The turns, numbered as in errors of the API.
pub fn numbered(turns: &[Turn<'_>]) -> String {
    if turns.is_empty() {
        return "  nothing to send\n".to_owned();
    }
    let mut text = String::new();
    for (index, turn) in turns.iter().enumerate() {
        text.push_str(&format!("  {index}  {}\n", turn.role.name()));
        for part in &turn.content {
            text.push_str(&format!("       {}\n", outline::block(&part.to_block())));
        }
    }
    text
}

/// Message by message: what it is, which stage did what to it, and the turn that it went into.
/// For a screen of so many columns.
pub fn by_message(messages: &[Event], turns: &[Turn<'_>], trace: &Trace, columns: Option<usize>) -> String {
    let mut happened: HashMap<Option<u32>, Vec<String>> = HashMap::new();
    for step in &trace.steps {
        for note in &step.notes {
            happened.entry(note.message).or_default().push(format!("{}: {}", step.stage, told(note)));
        }
    }
    let turn_of = turns_of(turns);
    let places = (0..messages.len()).map(|at| Some(at as u32));
    let elsewhere = happened.contains_key(&None).then_some(None);
    let row = |place: Option<u32>| {
        let number = place.map_or("-".to_owned(), |at| at.to_string());
        let shown = place.map(|at| cut(&outline::message(&messages[at as usize]))).unwrap_or_default();
        let turn = place.and_then(|at| turn_of.get(&at)).cloned().unwrap_or_default();
        [number, shown, turn, happened.get(&place).map_or(String::new(), |notes| notes.join("; "))]
    };
    table_within(columns, [">message", "", "turn", "what happened"], places.chain(elsewhere).map(row))
}

/// For each message the turns that hold a block of it.
fn turns_of(turns: &[Turn<'_>]) -> HashMap<u32, String> {
    let mut turn_of: HashMap<u32, Vec<usize>> = HashMap::new();
    for (index, turn) in turns.iter().enumerate() {
        for source in turn.content.iter().filter_map(|part: &Part<'_>| part.source) {
            let turns = turn_of.entry(source).or_default();
            if turns.last() != Some(&index) {
                turns.push(index);
            }
        }
    }
    let shown = |turns: Vec<usize>| turns.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    turn_of.into_iter().map(|(message, turns)| (message, shown(turns))).collect()
}

pub(super) fn told(note: &StageNote) -> String {
    match note.effect {
        Effect::Dropped => format!("dropped ({})", note.why),
        Effect::Moved => format!("moved {}", note.why),
        Effect::Changed => format!("changed ({})", note.why),
        Effect::Merged { into } => format!("joined to {into} ({})", note.why),
        Effect::Made => format!("made: {}", note.why),
    }
}

fn cut(text: &str) -> String {
    const WIDEST: usize = 72;
    match text.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
