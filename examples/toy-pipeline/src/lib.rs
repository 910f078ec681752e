//! A small pipeline: reads a session, and makes a request of it.
//!
//! It keeps what users and assistants said, joins neighbours of the same role, and keeps calls and results
//! together. It knows nothing of turnproof; how it is judged stands in `tests/`.

use std::collections::{HashMap, HashSet};

use serde_json::{Value, json};

/// The pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Pipeline {
    /// Whether the results of calls go in front of what else the user says. The API wants that; without it the
    /// pipeline is wrong.
    pub hoists_results: bool,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self { hoists_results: true }
    }
}

/// The messages of a session: every line that is a JSON object.
pub fn read(session: &str) -> Vec<Value> {
    let values = session.lines().filter_map(|line| serde_json::from_str(line).ok());
    values.filter(Value::is_object).collect()
}

/// A block, and who says it.
struct Said {
    role: &'static str,
    block: Value,
}

impl Pipeline {
    /// The turns of a request.
    pub fn request(self, messages: &[Value]) -> Vec<Value> {
        let mut said: Vec<Said> = messages.iter().flat_map(blocks).collect();
        let mut results = take_results(&mut said);
        let mut called = HashSet::new();
        said.retain(|said| match call_id(&said.block) {
            Some(id) => called.insert(id.to_owned()),
            None => said.block["type"] != "tool_use",
        });

        let mut turns: Vec<Turn> = Vec::new();
        for said in said {
            match turns.last_mut() {
                Some(turn) if turn.role == said.role => turn.content.push(said.block),
                _ => turns.push(Turn { role: said.role, content: vec![said.block] }),
            }
        }
        if turns.first().is_some_and(|turn| turn.role == "assistant") {
            turns.insert(0, Turn { role: "user", content: vec![text("(the session goes on)")] });
        }
        self.answer(turns, &mut results).into_iter().map(Turn::into_value).collect()
    }

    /// Gives each turn with calls a next one that holds their results.
    fn answer(self, turns: Vec<Turn>, results: &mut HashMap<String, Value>) -> Vec<Turn> {
        let mut answered: Vec<Turn> = Vec::new();
        let mut waiting: Vec<Value> = Vec::new();
        for mut turn in turns {
            if turn.role == "user" {
                let first = std::mem::take(&mut waiting);
                match self.hoists_results {
                    true => drop(turn.content.splice(0..0, first)),
                    false => turn.content.extend(first),
                }
            }
            for id in turn.content.iter().filter_map(call_id) {
                waiting.push(results.remove(id).unwrap_or_else(|| interrupted(id)));
            }
            answered.push(turn);
        }
        if !waiting.is_empty() {
            answered.push(Turn { role: "user", content: waiting });
        }
        answered
    }
}

struct Turn {
    role: &'static str,
    content: Vec<Value>,
}

impl Turn {
    fn into_value(self) -> Value {
        json!({"role": self.role, "content": self.content})
    }
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

/// The result of a call that has none.
fn interrupted(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "interrupted", "is_error": true})
}

/// What a message says, block by block; nothing if it is neither a user's nor an assistant's.
fn blocks(message: &Value) -> Vec<Said> {
    let role = match message["type"].as_str() {
        Some("user") => "user",
        Some("assistant") => "assistant",
        _ => return Vec::new(),
    };
    let blocks = match &message["message"]["content"] {
        Value::String(said) if !said.trim().is_empty() => vec![text(said)],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    };
    let says = |block: &Value| match block["type"].as_str() {
        Some("text") => block["text"].as_str().is_some_and(|text| !text.trim().is_empty()),
        Some("tool_use") => role == "assistant",
        Some("tool_result") => role == "user",
        _ => false,
    };
    blocks.into_iter().filter(says).map(|block| Said { role, block }).collect()
}

/// Takes out all results; the first one of each call counts.
fn take_results(said: &mut Vec<Said>) -> HashMap<String, Value> {
    let mut results = HashMap::new();
    for said in said.extract_if(.., |said| said.block["type"] == "tool_result") {
        if let Some(id) = said.block["tool_use_id"].as_str().map(str::to_owned) {
            results.entry(id).or_insert(said.block);
        }
    }
    results
}

/// The id of a call.
fn call_id(block: &Value) -> Option<&str> {
    block["id"].as_str().filter(|_| block["type"] == "tool_use")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test that the author thought of: it passes with and without the mistake.
    #[test]
    fn a_call_is_answered() {
        let session = concat!(
            r#"{"type":"user","message":{"content":"list the files"}}"#,
            "\n",
            r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"ls","input":{}}]}}"#,
            "\n",
            r#"{"type":"progress","data":{}}"#,
            "\n",
            r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"a b"}]}}"#,
        );
        for hoists_results in [true, false] {
            let turns = Pipeline { hoists_results }.request(&read(session));
            let roles: Vec<_> = turns.iter().map(|turn| turn["role"].as_str().unwrap()).collect();
            assert_eq!(roles, ["user", "assistant", "user"]);
            assert_eq!(turns[2]["content"][0]["content"], "a b");
        }
    }
}
