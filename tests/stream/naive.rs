//! A *naive* accumulator over plain values, slow and as simple as the definition.

use super::*;

/// What the definition makes of events.
#[derive(Default)]
pub(crate) struct Naive {
    pub message: Option<Value>,
    pub errors: Vec<&'static str>,
    /// The messages shown, late fields set.
    pub lines: Vec<Value>,
    begun: Value,
    is_open: bool,
    /// The JSON text of the open block's input. `None` when no block is open.
    collected: Option<String>,
}

impl Naive {
    pub(crate) fn apply(&mut self, event: &Value) {
        if let Err(name) = self.try_apply(event) {
            self.errors.push(name);
        }
    }

    fn content(&mut self) -> &mut Vec<Value> {
        self.message.as_mut().unwrap()["content"].as_array_mut().unwrap()
    }

    fn try_apply(&mut self, event: &Value) -> Result<(), &'static str> {
        check(event)?;
        let name = event["type"].as_str().unwrap_or_default();
        match name {
            "error" => {
                self.is_open = false;
                return Err("api-error");
            }
            "message_start" if self.is_open => return Err("second-message-start"),
            "message_start" if self.errors.contains(&"api-error") => return Err("after-message-stop"),
            "message_start" => {
                self.start(event["message"].clone());
                return Ok(());
            }
            "content_block_start" | "content_block_delta" | "content_block_stop" | "message_delta" | "message_stop" => {
            }
            _ => return Ok(()),
        }
        if !self.is_open {
            // A stream that failed before its start has also ended.
            let has_ended = self.message.is_some() || self.errors.contains(&"api-error");
            return Err(if has_ended { "after-message-stop" } else { "before-message-start" });
        }
        match name {
            "content_block_start" => self.start_block(event),
            "content_block_delta" => {
                self.find(event)?;
                self.grow(&event["delta"]);
                Ok(())
            }
            "content_block_stop" => {
                self.find(event)?;
                self.stop()
            }
            "message_delta" => {
                let stopped = self.stop();
                self.late(event);
                stopped
            }
            _ => {
                let stopped = self.stop();
                self.is_open = false;
                stopped
            }
        }
    }

    fn start(&mut self, mut message: Value) {
        let blocks = message["content"].as_array().cloned().unwrap_or_default();
        message["content"] = Value::Array(blocks.clone());
        (self.is_open, self.collected, self.begun) = (true, None, message.clone());
        self.lines.clear();
        self.message = Some(message);
        blocks.into_iter().for_each(|block| self.show(block));
    }

    fn show(&mut self, block: Value) {
        let mut line = self.begun.clone();
        line["content"] = json!([block]);
        line["stop_reason"] = Value::Null;
        line["stop_sequence"] = Value::Null;
        let model = self.message.as_ref().unwrap().get("model").cloned();
        if let Some(model) = model {
            line["model"] = model;
        }
        self.lines.push(line);
    }

    fn start_block(&mut self, event: &Value) -> Result<(), &'static str> {
        if event["index"].as_f64() != Some(self.content().len() as f64) {
            return Err("wrong-block-index");
        }
        let was_open = self.collected.is_some();
        let _ = self.stop();
        let block = event["content_block"].clone();
        if block["type"] == "fallback" && block["to"]["model"].is_string() {
            self.message.as_mut().unwrap()["model"] = block["to"]["model"].clone();
        }
        self.content().push(block);
        self.collected = Some(String::new());
        if was_open { Err("block-still-open") } else { Ok(()) }
    }

    fn find(&mut self, event: &Value) -> Result<(), &'static str> {
        let blocks = self.content().len();
        match (0..blocks).find(|at| event["index"].as_f64() == Some(*at as f64)) {
            None => Err("no-such-block"),
            Some(at) if at + 1 == blocks && self.collected.is_some() => Ok(()),
            Some(_) => Err("block-stopped"),
        }
    }

    fn grow(&mut self, delta: &Value) {
        if delta["type"] == "input_json_delta" {
            let piece = delta["partial_json"].as_str().unwrap().to_owned();
            self.collected.as_mut().unwrap().push_str(&piece);
            return;
        }
        let block = self.content().last_mut().unwrap();
        let append = |block: &mut Value, member: &str| {
            block[member] =
                format!("{}{}", block[member].as_str().unwrap_or_default(), delta[member].as_str().unwrap()).into();
        };
        match (delta["type"].as_str().unwrap_or_default(), block["type"].as_str().unwrap_or_default()) {
            ("text_delta", "text") => append(block, "text"),
            ("thinking_delta", "thinking") => append(block, "thinking"),
            ("signature_delta", "thinking") => block["signature"] = delta["signature"].clone(),
            ("citations_delta", "text") => {
                let mut cited = block["citations"].as_array().cloned().unwrap_or_default();
                cited.push(delta["citation"].clone());
                block["citations"] = cited.into();
            }
            ("compaction_delta", "compaction") => {
                for member in ["content", "encrypted_content"] {
                    if let Some(value) = delta.get(member) {
                        block[member] = value.clone();
                    }
                }
            }
            _ => {}
        }
    }

    fn stop(&mut self) -> Result<(), &'static str> {
        let Some(collected) = self.collected.take() else { return Ok(()) };
        let block = self.content().last_mut().unwrap();
        let mut stopped = Ok(());
        if block["type"].as_str().is_some_and(|name| name.ends_with("tool_use")) {
            let given = block["input"].as_object().filter(|members| !members.is_empty()).cloned();
            block["input"] = if collected.trim().is_empty() {
                Value::Object(given.unwrap_or_default())
            } else {
                serde_json::from_str(&collected).unwrap_or_else(|_| {
                    stopped = Err("bad-input-json");
                    collected.into()
                })
            };
        }
        let block = block.clone();
        self.show(block);
        stopped
    }

    fn late(&mut self, event: &Value) {
        let message = self.message.as_mut().unwrap();
        let delta = event["delta"].as_object().unwrap();
        set_stop(message, &event["delta"]);
        let is_stop = |name: &str| name.starts_with("stop_r") || name.starts_with("stop_s");
        for (name, value) in delta.iter().filter(|(name, value)| !is_stop(name) && !value.is_null()) {
            message[name] = value.clone();
        }
        let totals = event["usage"].as_object();
        if totals.is_some() && !message["usage"].is_object() {
            message["usage"] = json!({});
        }
        for (name, value) in totals.into_iter().flatten().filter(|(_, value)| value.is_number()) {
            message["usage"][name] = value.clone();
        }
        let message = message.clone();
        if let Some(line) = self.lines.last_mut() {
            set_stop(line, &event["delta"]);
            if totals.is_some() {
                line["usage"] = message["usage"].clone();
            }
            for (name, value) in delta.iter().filter(|(name, value)| !name.starts_with("stop_r") && !value.is_null()) {
                if name != "stop_sequence" {
                    line[name] = value.clone();
                }
            }
        }
    }
}

/// Sets why a message stopped: a text each time, null where nothing is or, for the sequence, beside a new reason.
fn set_stop(message: &mut Value, delta: &Value) {
    let has_reason = delta["stop_reason"].is_string();
    for name in ["stop_reason", "stop_sequence"] {
        let Some(value) = delta.get(name) else { continue };
        if value.is_string() || value.is_null() && (has_reason || message.get(name).is_none()) {
            message[name] = value.clone();
        }
    }
}

/// Whether an event has what its type needs.
fn check(event: &Value) -> Result<(), &'static str> {
    let is_text = |value: &Value| value.is_string();
    let delta = &event["delta"];
    let has = |member: &str| {
        delta["type"] != format!("{}_delta", member.trim_start_matches("partial_")) || is_text(&delta[member])
    };
    let good = event.is_object()
        && match event["type"].as_str().unwrap_or_default() {
            "message_start" => event["message"].is_object(),
            "content_block_start" => event["index"].is_number() && event["content_block"].is_object(),
            "content_block_delta" => {
                let input = delta["type"] != "input_json_delta" || is_text(&delta["partial_json"]);
                event["index"].is_number()
                    && delta.is_object()
                    && has("text")
                    && has("thinking")
                    && has("signature")
                    && input
            }
            "content_block_stop" => event["index"].is_number(),
            "message_delta" => delta.is_object(),
            _ => true,
        };
    if good { Ok(()) } else { Err("bad-event") }
}
