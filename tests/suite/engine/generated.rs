//! Generated conversations: each is played to its end and judged by a law. A conversation that breaks a law is shrunk
//! before it is shown.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use turnproof_reference::engine::{Engine, Input, Options, Step};
use turnproof_reference::message::{Content, Event, FixedContext, Message};
use turnproof_suite::scenario::{Profile, Scenario, simpler};

/// Says how a conversation breaks a law, if it does.
type Law = fn(&Scenario) -> Result<(), String>;

/// How many conversations are played; more when the environment asks for them.
fn cases() -> u64 {
    std::env::var("TURNPROOF_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(600)
}

/// Judges many conversations by a law.
fn hold(law: Law) {
    for case in 0..cases() {
        let mut scenario = Scenario::from_seed(41, case, Profile::Causal);
        let Err(mut why) = law(&scenario) else { continue };
        while let Some((smaller, reason)) =
            simpler(&scenario).find_map(|smaller| law(&smaller).err().map(|why| (smaller, why)))
        {
            (scenario, why) = (smaller, reason);
        }
        panic!("case {case}: {:?}\n{why}", scenario.actions());
    }
}

/// Plays a conversation step by step and shows the engine after each step.
fn played(
    scenario: &Scenario,
    mut look: impl FnMut(&Engine, &Input, &Step) -> Result<(), String>,
) -> Result<(), String> {
    let mut engine = Engine::with_options(FixedContext::new(7), Options::default());
    for input in turnproof_suite::scenario::Case::of(scenario).inputs() {
        let step = engine.step(input);
        look(&engine, input, &step)?;
    }
    Ok(())
}

#[test]
fn at_each_request_every_call_has_exactly_one_result() {
    hold(|scenario| {
        played(scenario, |engine, _, step| {
            if step.request.is_none() {
                return Ok(());
            }
            let mut results: HashMap<&str, u32> = HashMap::new();
            let messages = || engine.messages().iter().filter_map(message);
            for result in messages().flat_map(Message::tool_results) {
                *results.entry(result.tool_use_id.as_str().unwrap_or_default()).or_default() += 1;
            }
            // Several replies may have a call with one id; one that its reply says again is the same call.
            let mut calls: HashMap<&str, u32> = HashMap::new();
            let mut said = HashSet::new();
            for message in messages() {
                for call in message.tool_uses().filter_map(|call| call.id.as_str()) {
                    let reply = match message {
                        Message::Assistant(line) => line.reply_id(),
                        _ => None,
                    };
                    if said.insert((reply, call)) {
                        *calls.entry(call).or_default() += 1;
                    }
                }
            }
            if results == calls { Ok(()) } else { Err(format!("calls {calls:?} and results {results:?}")) }
        })
    });
}

#[test]
fn each_request_says_all_that_was_typed_and_remains() {
    hold(|scenario| {
        played(scenario, |engine, _, step| {
            let Some(turns) = &step.request else { return Ok(()) };
            let shown: Value = serde_json::from_str(turns).unwrap_or_else(|_| Value::from(turns.as_str()));
            let shown = shown.to_string();
            for message in engine.messages().iter().filter_map(message).filter(|message| !message.is_virtual()) {
                let Message::User(user) = message else { continue };
                let Some(Content::Text(text)) = user.content() else { continue };
                let quoted = Value::from(text.as_str()).to_string();
                let says_something = text.chars().any(char::is_alphanumeric);
                if says_something && !shown.contains(&quoted[1..quoted.len() - 1]) {
                    return Err(format!("{text:?} is not in {shown}"));
                }
            }
            Ok(())
        })
    });
}

#[test]
fn the_log_shows_what_the_next_request_is_made_of() {
    hold(|scenario| {
        let mut is_plain = true;
        played(scenario, |engine, input, _| {
            is_plain &= !matches!(
                input,
                Input::Compact(_) | Input::Microcompact(_) | Input::Crash(_) | Input::Resume | Input::Fork(_)
            );
            if !is_plain {
                return Ok(());
            }
            let live: Vec<String> = engine.log().live().iter().filter_map(|live| uuid(live)).collect();
            let list: Vec<String> = engine.messages().iter().filter_map(message).filter_map(uuid).collect();
            let places = engine.log().events().filter(|event| message(event).is_some()).count();
            match live == list && engine.log().slots().len() == places {
                true => Ok(()),
                false => Err(format!("live {live:#?}\nlist {list:#?}\n{places} places")),
            }
        })
    });
}

#[test]
fn a_resume_after_a_crash_gives_what_was_live_and_on_disk() {
    hold(|scenario| {
        let mut wanted: Vec<String> = Vec::new();
        let mut live: Vec<String> = Vec::new();
        let mut speakers: Vec<String> = Vec::new();
        let (mut is_compacted, mut said) = (false, Vec::new());
        played(scenario, |engine, input, step| {
            let refused = step.refused.is_some();
            is_compacted |= matches!(input, Input::Compact(_));
            match input {
                Input::Crash(_) if !refused => {
                    wanted = on_disk(&live, engine.transcript());
                    said = on_disk(&speakers, engine.transcript());
                }
                Input::Resume if !refused && !wanted.is_empty() => {
                    let made: Vec<String> = step.events.iter().filter_map(message).filter_map(uuid).collect();
                    let mut found = written(engine);
                    found.retain(|uuid| !made.contains(uuid));
                    let order = (wanted.clone(), found.clone());
                    wanted.sort();
                    found.sort();
                    let has_all = match is_compacted {
                        // A boundary that is not on disk with its summary undoes its compaction.
                        true => said.iter().all(|uuid| found.contains(uuid)),
                        false => found == wanted,
                    };
                    // Notices alone are no conversation.
                    if !said.is_empty() && !has_all {
                        let file = String::from_utf8_lossy(engine.transcript());
                        return Err(format!("(wanted, found) {order:#?}\n{file}"));
                    }
                    wanted.clear();
                }
                _ => {}
            }
            live = written(engine);
            speakers = spoken(engine);
            Ok(())
        })
    });
}

/// The uuids of those of them that a user or the model said.
fn spoken(engine: &Engine) -> Vec<String> {
    let speaks = |message: &&Message| matches!(message, Message::User(_) | Message::Assistant(_));
    let messages = engine.messages().iter().filter_map(message);
    messages.filter(|message| !message.is_virtual()).filter(speaks).filter_map(uuid).collect()
}

/// The uuids of the conversation's messages that belong on disk.
fn written(engine: &Engine) -> Vec<String> {
    let messages = engine.messages().iter().filter_map(message);
    messages.filter(|message| message.is_chain_participant() && !message.is_virtual()).filter_map(uuid).collect()
}

/// Those whose whole line is in the file.
fn on_disk(uuids: &[String], file: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(file);
    let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
    uuids.iter().filter(|uuid| whole.contains(&format!("\"uuid\":\"{uuid}\""))).cloned().collect()
}

fn message(event: &Event) -> Option<&Message> {
    match event {
        Event::Message(message) => Some(message),
        _ => None,
    }
}

fn uuid(message: &Message) -> Option<String> {
    message.uuid().map(str::to_owned)
}
