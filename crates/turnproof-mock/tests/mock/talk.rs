//! *Talks*: clients with one mistake each are named by its rule, and clients that do well are not.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnproof_mock::{Mock, OnIllegal, Script, Settings, faults};
use turnproof_rules::rules::Severity;

use super::client::post;

/// Thinking, a text and two calls; then a text; then others.
const SCRIPT: &str = r#"
[[step]]
blocks = [
  { type = "thinking", thinking = "I should look around." },
  { type = "text", text = "I look at both." },
  { type = "tool_use", use = "shell", text = "echo alpha" },
  { type = "tool_use", use = "shell", text = "echo beta" },
]
[[step]]
text = "Both are there."
[[step]]
text = "Anything else?"
"#;

/// A call with an id that the API does not take.
const ODD_ID: &str = r#"
[[step]]
blocks = [{ type = "tool_use", use = "shell", text = "echo alpha", id = "functions.shell:0" }]
[[step]]
text = "It is there."
"#;

/// The tokens run out within the input of a call.
const CUT: &str = r#"
[[step]]
stop = "max_tokens"
blocks = [
  { type = "text", text = "I look." },
  { type = "tool_use", use = "shell", written = '{"command": "ec' },
]
[[step]]
text = "It is there."
"#;

/// One text of some length, in every reply.
const TEXTS: &str = r#"
repeat = true
[[step]]
text = "The answer to the question is forty-two, and not less."
"#;

/// What was heard of a reply: blocks to their end, and half a one.
#[derive(Default)]
struct Heard {
    blocks: Vec<Value>,
    open: Option<Value>,
}

impl Heard {
    fn half(&self) -> Value {
        self.open.clone().expect("half a block")
    }
}

/// A client that keeps its turns.
struct Client<'a> {
    mock: &'a Mock,
    turns: Vec<Value>,
    tools: bool,
}

impl<'a> Client<'a> {
    fn new(mock: &'a Mock) -> Self {
        Self { mock, turns: vec![user("what is there?")], tools: true }
    }

    /// Asks, and keeps nothing.
    fn ask(&self) -> Heard {
        let tools = json!([{"name": "bash", "input_schema": {
            "type": "object", "required": ["command"], "properties": {"command": {"type": "string"}},
        }}]);
        let mut body = json!({
            "model": "claude-sonnet-4-5", "max_tokens": 4096, "stream": true, "messages": self.turns,
            "thinking": {"type": "enabled", "budget_tokens": 1024},
        });
        if self.tools {
            body["tools"] = tools;
        }
        heard(&post(self.mock, "/v1/messages", &body.to_string()).text())
    }

    fn says(&mut self, blocks: impl Into<Value>) {
        self.turns.push(json!({"role": "assistant", "content": blocks.into()}));
    }

    fn goes_on(&mut self, content: impl Into<Value>) {
        self.turns.push(json!({"role": "user", "content": content.into()}));
        self.ask();
    }

    /// Asks, changes the blocks, and answers all calls.
    fn answers(&mut self, change: impl FnOnce(&mut Vec<Value>)) -> Vec<Value> {
        let mut blocks = self.ask().blocks;
        change(&mut blocks);
        let results = results(&blocks);
        self.says(blocks);
        results
    }
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn results(blocks: &[Value]) -> Vec<Value> {
    let calls = blocks.iter().filter(|block| block["type"] == "tool_use");
    calls.map(|call| json!({"type": "tool_result", "tool_use_id": call["id"], "content": "there"})).collect()
}

/// The blocks of a stream.
fn heard(stream: &str) -> Heard {
    let mut heard = Heard::default();
    let mut input = String::new();
    for data in stream.lines().filter_map(|line| line.strip_prefix("data:")) {
        let Ok(event) = serde_json::from_str::<Value>(data) else { break };
        match (event["type"].as_str(), &mut heard.open) {
            (Some("content_block_start"), open) => *open = Some(event["content_block"].clone()),
            (Some("content_block_delta"), Some(open)) => {
                for (name, value) in event["delta"].as_object().into_iter().flatten() {
                    let piece = value.as_str().unwrap_or_default();
                    match name.as_str() {
                        "partial_json" => input.push_str(piece),
                        "type" => {}
                        name => open[name] = format!("{}{piece}", open[name].as_str().unwrap_or_default()).into(),
                    }
                }
            }
            (Some("content_block_stop"), Some(open)) => {
                if let Ok(input) = serde_json::from_str::<Value>(&std::mem::take(&mut input)) {
                    open["input"] = input;
                }
                heard.blocks.extend(heard.open.take());
            }
            _ => {}
        }
    }
    heard
}

/// The rules `talk/*` that a client breaks so that it counts.
fn broken(script: &str, faulty: &str, client: &dyn Fn(&mut Client<'_>)) -> BTreeSet<&'static str> {
    let settings = Settings {
        script: Script::read(script).expect("a script"),
        faults: faults(faulty).expect("faults"),
        on_illegal: OnIllegal::Answer,
        ..Settings::default()
    };
    let (mock, exchanges) = super::started(settings);
    client(&mut Client::new(&mock));
    let at_end = mock.over(false);
    let found: Vec<_> = exchanges.try_iter().flat_map(|exchange| exchange.talk).chain(at_end).collect();
    let counts = |severity| matches!(severity, Severity::Error | Severity::Warning);
    found.iter().filter(|finding| counts(finding.severity())).map(|finding| finding.rule.id).collect()
}

/// A script, what fails, and what a client does.
type RightPlay = (&'static str, &'static str, fn(&mut Client<'_>));

type Play = (&'static str, &'static str, &'static str, fn(&mut Client<'_>));

/// Clients with one mistake: the rule that names it, the script, what fails, and what it does.
const WRONG: [Play; 29] = [
    ("talk/changed", SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks[0]["thinking"] = "I should look".into());
        one.goes_on(results);
    }),
    ("talk/changed", SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks[0]["signature"] = "b3RoZXJvdGhlcg==".into());
        one.goes_on(results);
    }),
    ("talk/changed", SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks[1]["text"] = "I look at one.".into());
        one.goes_on(results);
    }),
    ("talk/changed", SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks[2]["input"] = json!({"command": "echo"}));
        one.goes_on(results);
    }),
    ("talk/changed", SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks[2]["name"] = "shell".into());
        one.goes_on(results);
    }),
    ("talk/changed", TEXTS, "", |one| {
        one.answers(|blocks| blocks[0]["text"] = "The answer to the question".into());
        one.goes_on("go on");
    }),
    ("talk/lost", SCRIPT, "", |one| {
        let results = one.answers(|blocks| drop(blocks.pop()));
        one.goes_on(results);
    }),
    ("talk/lost", SCRIPT, "", |one| {
        let results = one.answers(|blocks| drop(blocks.remove(1)));
        one.goes_on(results);
    }),
    ("talk/lost", TEXTS, "", |one| {
        one.ask();
        one.goes_on("go on");
    }),
    ("talk/thinking-kept", SCRIPT, "", |one| {
        let results = one.answers(|blocks| drop(blocks.remove(0)));
        one.goes_on(results);
    }),
    ("talk/invented", SCRIPT, "", |one| {
        let call = json!({"type": "tool_use", "id": "toolu_made_up", "name": "bash", "input": {"command": "ls"}});
        let results = one.answers(|blocks| blocks.push(call));
        one.goes_on(results);
    }),
    ("talk/invented", TEXTS, "", |one| {
        let thinking = json!({"type": "thinking", "thinking": "Hm.", "signature": "bWFkZXVw"});
        one.answers(|blocks| blocks.insert(0, thinking));
        one.goes_on("go on");
    }),
    // The tokens ran out in another call than this one.
    ("talk/invented", CUT, "", |one| {
        let results = one.answers(|blocks| blocks[1]["id"] = "toolu_1".into());
        one.goes_on(results);
    }),
    ("talk/lost", CUT, "", |one| {
        let results = one.answers(|blocks| drop(blocks.remove(0)));
        one.goes_on(results);
    }),
    ("talk/order", SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks.swap(2, 3));
        one.goes_on(results);
    }),
    ("talk/order", SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks[1..].rotate_left(1));
        one.goes_on(results);
    }),
    ("talk/split", SCRIPT, "", |one| {
        let mut blocks = one.ask().blocks;
        let last = vec![blocks.pop().expect("a call")];
        let (first_results, last_results) = (results(&blocks), results(&last));
        one.says(blocks);
        one.turns.push(json!({"role": "user", "content": first_results}));
        one.says(last);
        one.goes_on(last_results);
    }),
    ("talk/result", SCRIPT, "", |one| {
        let mut results = one.answers(|_| {});
        results.pop();
        one.goes_on(results);
    }),
    ("talk/result", SCRIPT, "", |one| {
        let mut results = one.answers(|_| {});
        results.push(results[0].clone());
        one.goes_on(results);
    }),
    ("talk/result", SCRIPT, "", |one| {
        let mut results = one.answers(|_| {});
        results.push(json!({"type": "tool_result", "tool_use_id": "toolu_of_nobody", "content": "x"}));
        one.goes_on(results);
    }),
    ("talk/is-error", SCRIPT, "", |one| {
        let mut results = one.answers(|_| {});
        results[0]["is_error"] = true.into();
        one.turns.push(json!({"role": "user", "content": results}));
        one.answers(|_| {});
        one.turns[2]["content"][0]["is_error"] = false.into();
        one.goes_on("go on");
    }),
    ("talk/is-error", SCRIPT, "", |one| {
        let results = one.answers(|_| {});
        one.turns.push(json!({"role": "user", "content": results}));
        one.answers(|_| {});
        one.turns[2]["content"][0]["is_error"] = true.into();
        one.goes_on("go on");
    }),
    ("talk/retry-joined", TEXTS, "cut-event=5", |one| {
        let half = one.ask().half();
        one.answers(|blocks| blocks.insert(0, half));
        one.goes_on("go on");
    }),
    ("talk/retry-joined", TEXTS, "end-event=5", |one| {
        let half = one.ask().half();
        let half = half["text"].as_str().unwrap_or_default().to_owned();
        one.answers(|blocks| blocks[0]["text"] = format!("{half}{}", blocks[0]["text"].as_str().unwrap()).into());
        one.goes_on("go on");
    }),
    ("talk/half", TEXTS, "error-event=5", |one| {
        let half = one.ask().half();
        one.says(vec![half]);
        one.goes_on("go on");
    }),
    ("talk/half", TEXTS, "end-event=5", |one| {
        let half = one.ask().half();
        one.says(vec![half]);
        one.goes_on("go on");
    }),
    ("talk/empty-reply", TEXTS, "cut-event=1", |one| {
        one.ask();
        one.says(json!([]));
        one.goes_on("go on");
    }),
    ("talk/window", TEXTS, "", |one| {
        one.answers(|_| {});
        one.goes_on("go on");
        one.turns.remove(0);
        one.goes_on("and again");
    }),
    ("talk/retries", TEXTS, "429=5", |one| {
        one.ask();
        one.ask();
    }),
];

#[test]
fn a_client_with_one_mistake_is_named_by_its_rule() {
    for (number, (rule, script, faulty, client)) in WRONG.iter().enumerate() {
        let found = broken(script, faulty, client);
        assert!(found.contains(rule), "client {number}: {rule} is not in {found:?}");
    }
}

#[test]
fn a_program_that_fails_behind_an_unknown_event_is_named_and_one_that_does_not_fail_is_not() {
    for (faulty, failed, named) in [
        ("unknown-event", true, true),
        ("unknown-delta", true, true),
        ("unknown-event", false, false),
        ("", true, false),
    ] {
        let settings = Settings { faults: faults(faulty).expect("faults"), ..Settings::default() };
        let (mock, _exchanges) = super::started(settings);
        Client::new(&mock).ask();
        let kinds: Vec<_> = mock.over(failed).iter().map(|found| (found.rule.id, found.violation.kind)).collect();
        assert_eq!(kinds.contains(&("talk/ends", "dies")), named, "{faulty} {failed}: {kinds:?}");
    }
}

#[test]
fn a_call_that_was_cut_off_and_comes_back_is_found() {
    // Its block begins with the thirteenth event or so; which one does not matter, but that half of it is heard.
    let found: Vec<_> = (10..30)
        .flat_map(|event| {
            broken(SCRIPT, &format!("end-event={event}"), &|one| {
                let heard = one.ask();
                let Some(mut call) = heard.open.filter(|open| open["type"] == "tool_use") else { return };
                call["input"] = json!({"command": "echo"});
                let mut blocks = heard.blocks;
                blocks.push(call);
                let results = results(&blocks);
                one.says(blocks);
                one.goes_on(results);
            })
        })
        .collect();
    assert!(found.contains(&"talk/cut-call"), "{found:?}");
}

#[test]
fn a_client_that_gives_up_at_once_or_never_is_found() {
    assert!(broken(TEXTS, "529", &|one| drop(one.ask())).contains("talk/retries"));
    let never = "repeat = true\n[[step]]\nerror = { status = 529 }\n";
    let found = |times: usize| broken(never, "", &|one| (0..times).for_each(|_| drop(one.ask())));
    assert!(!found(12).contains("talk/retries"));
    assert!(found(13).contains("talk/retries"));
}

/// Clients that do well, in ways of their own.
const RIGHT: [RightPlay; 18] = [
    (SCRIPT, "", |one| {
        let results = one.answers(|_| {});
        one.turns.push(json!({"role": "user", "content": results}));
        one.answers(|_| {});
        one.goes_on("go on");
    }),
    // Results in another order, and words behind them.
    (SCRIPT, "", |one| {
        let mut results = one.answers(|_| {});
        results.reverse();
        results.push(text("and now?"));
        one.goes_on(results);
    }),
    // Members in another order, and a cache point.
    (SCRIPT, "", |one| {
        let results = one.answers(|blocks| blocks[3]["cache_control"] = json!({"type": "ephemeral"}));
        one.goes_on(results);
    }),
    // The text is trimmed, or in two blocks.
    (SCRIPT, "", |one| {
        let results = one.answers(|blocks| {
            blocks[1] = text("I look");
            blocks.insert(2, text(" at both."));
        });
        one.goes_on(results);
    }),
    // A text alone as a string.
    (TEXTS, "", |one| {
        let said = one.ask().blocks[0]["text"].clone();
        one.says(said);
        one.goes_on("go on");
    }),
    // A retry after a cut, and what was heard of the first try is gone.
    (TEXTS, "cut-event=5", |one| {
        one.ask();
        one.answers(|_| {});
        one.goes_on("go on");
    }),
    (SCRIPT, "error-event=9", |one| {
        one.ask();
        let results = one.answers(|_| {});
        one.goes_on(results);
    }),
    // A few retries.
    (TEXTS, "529,500", |one| {
        one.ask();
        one.answers(|_| {});
        one.goes_on("go on");
        one.ask();
    }),
    // What had ended before a cut is kept.
    (SCRIPT, "end-event=19", |one| {
        let blocks = one.ask().blocks;
        let results = results(&blocks);
        one.says(blocks);
        one.goes_on(if results.is_empty() { json!("go on") } else { results.into() });
    }),
    // An id that the API does not take becomes one that it takes.
    (ODD_ID, "", |one| {
        let results = one.answers(|blocks| blocks[0]["id"] = "toolu_1".into());
        one.goes_on(results);
    }),
    // The last call before the tokens ran out comes back as far as it came, without an input, renamed, or not at all.
    (CUT, "", |one| {
        let results = one.answers(|blocks| blocks[1]["input"] = json!({"command": "ec"}));
        one.goes_on(results);
    }),
    (CUT, "", |one| {
        let results = one.answers(|_| {});
        one.goes_on(results);
    }),
    (CUT, "", |one| {
        let results = one.answers(|blocks| blocks[1]["name"] = "invalid".into());
        one.goes_on(results);
    }),
    (CUT, "", |one| {
        one.answers(|blocks| blocks.truncate(1));
        one.goes_on("go on");
    }),
    // A title in between.
    (SCRIPT, "", |one| {
        let results = one.answers(|_| {});
        let side = Client { mock: one.mock, turns: vec![user("what is there?")], tools: false };
        side.ask();
        one.goes_on(results);
    }),
    // A compaction.
    (TEXTS, "", |one| {
        one.answers(|_| {});
        one.turns.push(user("go on"));
        one.answers(|_| {});
        one.turns = vec![user("Summary: it is forty-two.")];
        one.answers(|_| {});
        one.goes_on("go on");
    }),
    // The prompt is taken back and said otherwise.
    (TEXTS, "", |one| {
        one.answers(|_| {});
        one.turns.push(user("go on"));
        one.ask();
        one.turns.pop();
        one.turns.push(user("stop there"));
        one.answers(|_| {});
        one.goes_on("go on");
    }),
    // The same words again and again.
    (TEXTS, "crlf+split+pings", |one| {
        for _ in 0..4 {
            one.answers(|_| {});
            one.turns.push(user("go on"));
        }
        one.ask();
    }),
];

#[test]
fn a_client_that_does_well_is_never_named() {
    for (number, (script, faulty, client)) in RIGHT.iter().enumerate() {
        let found = broken(script, faulty, client);
        assert!(found.is_empty(), "client {number}: {found:?}");
    }
}
