//! Labels of *calls*: who answers them, when, and what runs around them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use turnproof::message::SERVER_TOOL_RESULTS;

use super::labels::{Labels, blocks, kind};

fn is_legal(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

impl Labels<'_> {
    /// Calls, their results and hooks, by place: message and block.
    pub fn calls(&mut self) {
        let mut calls: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut results: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut call_order = Vec::new();
        let mut result_order = Vec::new();
        for (at, message) in self.messages.iter().enumerate() {
            for block in blocks(message) {
                if let ("assistant", "tool_use", Some(id)) = (kind(message), kind(block), block["id"].as_str()) {
                    calls.entry(id).or_default().push(at);
                    call_order.push(id);
                }
                let called = block["tool_use_id"].as_str();
                if let ("user", "tool_result", Some(id)) = (kind(message), kind(block), called) {
                    results.entry(id).or_default().push(at);
                    result_order.push(id);
                }
            }
        }
        for (id, places) in &calls {
            let answers = results.get(id).map_or(&[][..], Vec::as_slice);
            let after: Vec<usize> = answers.iter().copied().filter(|&at| at > places[0]).collect();
            self.put(places.len() > 1, "call repeated");
            self.put(!after.is_empty(), "call answered");
            self.put(after.is_empty(), "call unanswered");
            self.put(answers.iter().any(|&at| at < places[0]), "result before its call");
            self.put(after.len() > 1, "result twice");
            self.put(!is_legal(id), "illegal call id");
            self.put(!is_legal(id) && !after.is_empty(), "illegal call id that is answered");
            self.put(id.is_empty(), "empty call id");
            if let Some(first) = after.first() {
                let between = &self.messages[places[0] + 1..*first];
                let late = between.iter().position(|message| kind(message) == "user");
                let late = late.is_some_and(|at| between[at..].iter().any(|m| kind(m) == "assistant"));
                self.put(late, "result late");
            }
        }
        self.put(results.keys().any(|id| !calls.contains_key(id)), "result of no call");
        let answered: Vec<&&str> = result_order.iter().filter(|id| calls.contains_key(**id)).collect();
        let place = |id: &str| call_order.iter().position(|call| *call == id);
        let other_order = answered.windows(2).any(|pair| place(pair[0]) > place(pair[1]));
        self.put(other_order, "results in another order");
        let parallel = self.messages.iter().any(|message| {
            let ids = blocks(message).iter().filter_map(|block| block["tool_use_id"].as_str());
            ids.filter(|id| calls.contains_key(id)).collect::<BTreeSet<_>>().len() > 1
        });
        self.put(parallel, "results in parallel");
        self.hooks(&calls);
    }

    fn hooks(&mut self, calls: &BTreeMap<&str, Vec<usize>>) {
        for (at, message) in self.messages.iter().enumerate() {
            let body = if kind(message) == "attachment" { &message["attachment"] } else { message };
            let is_event = body["hookEvent"].is_string() || body["data"]["hookEvent"].is_string();
            let places = body["toolUseID"].as_str().and_then(|id| calls.get(id));
            if let (true, Some(places)) = (is_event, places) {
                self.put(at < places[0], "hook before its call");
                self.put(at > places[0], "hook after its call");
            }
        }
    }

    pub fn server_calls(&mut self, message: &Value) {
        let mut client_calls = 0;
        for (at, block) in blocks(message).iter().enumerate() {
            client_calls += u32::from(kind(block) == "tool_use");
            if !matches!(kind(block), "server_tool_use" | "mcp_tool_use") {
                continue;
            }
            self.put(client_calls > 0, "server call after a client call");
            if let Some(name) = block["name"].as_str().filter(|_| kind(block) == "server_tool_use") {
                self.put(true, &format!("server name {name}"));
            }
            let is_result = |other: &&Value| {
                SERVER_TOOL_RESULTS.contains(&kind(other))
                    && other["tool_use_id"].is_string()
                    && other["tool_use_id"] == block["id"]
            };
            let fits = |other: &Value| match (kind(block), block["name"].as_str()) {
                ("mcp_tool_use", _) => kind(other) == "mcp_tool_result",
                (_, Some("tool_search_tool_regex" | "tool_search_tool_bm25")) => {
                    kind(other) == "tool_search_tool_result"
                }
                (_, Some("tool_of_tomorrow")) => kind(other) != "mcp_tool_result",
                (_, name) => kind(other).strip_suffix("_tool_result") == name,
            };
            for result in blocks(message)[at..].iter().filter(is_result) {
                self.put(fits(result), "server call answered in its line");
                self.put(!fits(result), "server call with an unfit result");
            }
        }
    }
}
