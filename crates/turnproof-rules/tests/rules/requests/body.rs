//! *Bodies* that a host refuses for what they have beside turns.

use serde_json::{Value, json};
use turnproof_rules::operation::Host;

use super::illegal::{ALL, Case, case};
use super::{assistant, body, call, reported, request, result, tool, turns, user};

/// Each body is a short conversation with these members.
fn bodies(rule: &'static str, bodies: &[(&'static str, Value, &'static str)]) -> Vec<Case> {
    let whole = |members: &Value| {
        let mut members = members.clone();
        members["messages"] = json!([user("a".into())]);
        body(members)
    };
    bodies.iter().map(|(name, members, error)| case(name, whole(members), &[(ALL, rule, error)])).collect()
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = tools();
    cases.extend(schemas());
    cases.extend(choices());
    cases.extend(thinking());
    cases.extend(context());
    cases.extend(system());
    cases.extend(output());
    cases.extend(sampling());
    cases.extend(members());
    cases
}

fn tools() -> Vec<Case> {
    let with = |tool: Value| json!({"tools": [tool]});
    bodies(
        "body/tools",
        &[
            ("tools that are no list", json!({"tools": {}}), "tools: Input should be a valid list"),
            ("a tool that is a text", with(json!("a")), "tools.0: Input should be an object"),
            ("a tool without a schema", with(json!({"name": "Read"})), "tools.0.custom.input_schema: Field required"),
            (
                "a description that is a list",
                with(json!({"name": "Read", "input_schema": {"type": "object"}, "description": []})),
                "tools.0.custom.description: Input should be a valid string",
            ),
            (
                "strict as a text",
                with(json!({"name": "Read", "input_schema": {"type": "object"}, "strict": "yes"})),
                "tools.0.custom.strict: Input should be a valid boolean",
            ),
            ("two tools of one name", json!({"tools": [tool("a"), tool("a")]}), "tools: Tool names must be unique."),
            (
                "a screen without its height",
                with(json!({"type": "computer_20250124", "name": "computer", "display_width_px": 1})),
                "tools.0.computer_20250124.display_height_px: Field required",
            ),
            (
                "a search under another name",
                with(json!({"type": "web_search_20250305", "name": "search"})),
                "tools.0.web_search_20250305.name: Input should be 'web_search'",
            ),
            (
                "a tool of a type that nobody knows",
                with(json!({"type": "dance_20250101", "name": "dance"})),
                "tools.0: Input tag 'dance_20250101' found using 'type' does not match any of the expected tags",
            ),
        ],
    )
}

fn schemas() -> Vec<Case> {
    let with = |schema: Value| json!({"tools": [{"name": "Read", "input_schema": schema}]});
    bodies(
        "body/tool-schemas",
        &[
            (
                "a schema that is a list",
                with(json!([])),
                "tools.0.custom.input_schema: Input does not match the expected shape.",
            ),
            ("a schema without a type", with(json!({})), "tools.0.custom.input_schema.type: Field required"),
            (
                "a schema of a text",
                with(json!({"type": "string"})),
                "tools.0.custom.input_schema.type: Input should be 'object'",
            ),
        ],
    )
}

fn choices() -> Vec<Case> {
    let with = |choice: Value| json!({"tools": [tool("Read")], "tool_choice": choice});
    bodies(
        "body/tool-choice",
        &[
            ("a choice that is a text", with(json!("auto")), "tool_choice: Input should be an object"),
            (
                "a choice of an unknown type",
                with(json!({"type": "some"})),
                "tool_choice: Input tag 'some' found using 'type' does not match any of the expected tags: 'auto', 'any', \
                 'tool', 'none'",
            ),
            (
                "a choice without tools",
                json!({"tool_choice": {"type": "auto"}}),
                "tool_choice: tool_choice may only be specified while providing tools.",
            ),
            ("a choice without a name", with(json!({"type": "tool"})), "tool_choice.tool.name: Field required"),
            (
                "a choice of a tool that is not there",
                with(json!({"type": "tool", "name": "Write"})),
                "tool_choice: Tool 'Write' not found in provided tools",
            ),
            (
                "a forced call while thinking",
                json!({"tools": [tool("Read")], "tool_choice": {"type": "any"},
                    "thinking": {"type": "enabled", "budget_tokens": 1024}}),
                "Thinking may not be enabled when tool_choice forces tool use.",
            ),
        ],
    )
}

fn thinking() -> Vec<Case> {
    let with = |thinking: Value| json!({"thinking": thinking});
    bodies(
        "body/thinking",
        &[
            ("thinking that is a flag", with(json!(true)), "thinking: Input should be an object"),
            (
                "thinking of an unknown type",
                with(json!({"type": "deep"})),
                "thinking: Input tag 'deep' found using 'type' does not match any of the expected tags",
            ),
            ("no budget", with(json!({"type": "enabled"})), "thinking.enabled.budget_tokens: Field required"),
            (
                "a budget that is a text",
                with(json!({"type": "enabled", "budget_tokens": "2000"})),
                "thinking.enabled.budget_tokens: Input should be a valid integer",
            ),
            (
                "a budget that is too small",
                with(json!({"type": "enabled", "budget_tokens": 1023})),
                "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024",
            ),
            (
                "a budget as large as the reply",
                with(json!({"type": "enabled", "budget_tokens": 2048})),
                "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at \
                 https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size",
            ),
            (
                "a low temperature with thinking",
                json!({"thinking": {"type": "enabled", "budget_tokens": 1024}, "temperature": 0}),
                "`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation at \
                 https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
            ),
            (
                "a binding that is a text",
                with(json!({"type": "adaptive", "block_binding": "a"})),
                "thinking.block_binding: Input should be an object",
            ),
        ],
    )
}

fn context() -> Vec<Case> {
    let with = |edit: &str| json!({"context_management": {"edits": [{"type": edit}]}});
    bodies(
        "body/context-management",
        &[
            (
                "edits that are a list",
                json!({"context_management": []}),
                "context_management: Input should be an object",
            ),
            (
                "an edit that nobody knows",
                with("shorten_20250101"),
                "context_management.edits: Input tag 'shorten_20250101' found using 'type' does not match any of the \
                 expected tags",
            ),
            (
                "thinking is cleared that is not on",
                with("clear_thinking_20251015"),
                "clear_thinking_20251015 strategy requires thinking to be enabled",
            ),
        ],
    )
}

fn system() -> Vec<Case> {
    let with = |block: Value| json!({"system": [block]});
    bodies(
        "body/system",
        &[
            ("a system that is a number", json!({"system": 1}), "system: Input should be a valid list"),
            ("a system with an image", with(json!({"type": "image"})), "system.0.type: Input should be 'text'"),
            ("a system without its text", with(json!({"type": "text"})), "system.0.text: Field required"),
            (
                "an empty text in the system",
                with(json!({"type": "text", "text": ""})),
                "system: text content blocks must be non-empty",
            ),
        ],
    )
}

fn output() -> Vec<Case> {
    let config = |config: Value| json!({"output_config": config});
    bodies(
        "body/output",
        &[
            ("an output that is a text", config(json!("low")), "output_config: Input should be an object"),
            (
                "an effort that nobody knows",
                config(json!({"effort": "some"})),
                "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
            ),
            (
                "a format of another type",
                config(json!({"format": {"type": "xml"}})),
                "output_config.format.type: Input should be 'json_schema'",
            ),
            (
                "a format without its schema",
                json!({"output_format": {"type": "json_schema"}}),
                "output_format.schema: Field required",
            ),
        ],
    )
}

fn sampling() -> Vec<Case> {
    bodies(
        "body/sampling",
        &[
            (
                "a temperature that is a text",
                json!({"temperature": "0"}),
                "temperature: Input should be a valid number",
            ),
            ("a temperature above one", json!({"temperature": 1.1}), "temperature: range: 0..1"),
            ("a top_p below zero", json!({"top_p": -0.1}), "top_p: range: 0..1"),
            (
                "temperature and top_p",
                json!({"temperature": 1, "top_p": 1}),
                "`temperature` and `top_p` cannot both be specified for this model. Please use only one.",
            ),
            ("a top_k that is no whole number", json!({"top_k": 0.5}), "top_k: Input should be a valid integer"),
            ("a stop that is no list", json!({"stop_sequences": "a"}), "stop_sequences: Input should be a valid list"),
            (
                "a stop that is a number",
                json!({"stop_sequences": ["a", 1]}),
                "stop_sequences.1: Input should be a valid string",
            ),
            (
                "a stop of white space",
                json!({"stop_sequences": ["\n"]}),
                "stop_sequences: each stop sequence must contain non-whitespace",
            ),
        ],
    )
}

fn members() -> Vec<Case> {
    bodies(
        "body/members",
        &[
            ("stream as a text", json!({"stream": "yes"}), "stream: Input should be a valid boolean"),
            ("metadata as a text", json!({"metadata": "a"}), "metadata: Input should be an object"),
            ("a container that is a list", json!({"container": []}), "container: Input should be a valid string"),
            ("a member that nobody knows", json!({"seed": 1}), "seed: Extra inputs are not permitted"),
        ],
    )
}

/// What the rule on strict tools says of tools with these schemas.
fn strict(schemas: Vec<Value>) -> Vec<String> {
    let tools = schemas.into_iter().enumerate();
    let tools: Vec<Value> = tools
        .map(|(index, schema)| json!({"name": format!("t{index}"), "input_schema": schema, "strict": true}))
        .collect();
    let request = request(body(json!({"tools": tools, "messages": [user("a".into())]})));
    assert_eq!(reported(&request, Host::BedrockConverse), []);
    let reported = reported(&request, Host::Anthropic);
    assert!(reported.iter().all(|(rule, _)| *rule == "body/strict-tools"), "{reported:?}");
    reported.into_iter().map(|(_, error)| error.unwrap()).collect()
}

/// A schema with so many members of this schema.
fn members_of(count: usize, schema: &Value, are_required: bool) -> Value {
    let named: serde_json::Map<String, Value> = (0..count).map(|at| (format!("m{at}"), schema.clone())).collect();
    let required: Vec<String> = named.keys().filter(|_| are_required).cloned().collect();
    json!({"type": "object", "required": required, "properties": named})
}

#[test]
fn strict_tools_are_judged_at_the_recorded_borders() {
    let one = json!({"type": "object"});
    assert_eq!(strict(vec![one.clone(); 20]), Vec::<String>::new());
    assert_eq!(
        strict(vec![one; 21]),
        ["Too many strict tools (21). The maximum number of strict tools supported is 20. Try reducing the number of \
          tools marked as strict."]
    );
    let optional = |count: usize| members_of(count, &json!({"type": "string"}), false);
    assert_eq!(strict(vec![optional(12), optional(12)]), Vec::<String>::new());
    assert_eq!(
        strict(vec![optional(12), optional(13)]),
        [
            "Schemas contains too many optional parameters (25), which would make grammar compilation inefficient. Reduce \
          the number of optional parameters in your tool schemas (limit: 24)."
        ]
    );
    let union = json!({"type": ["string", "null"]});
    assert_eq!(strict(vec![members_of(15, &union, true)]), Vec::<String>::new());
    assert_eq!(
        strict(vec![members_of(16, &union, true)]),
        ["Schema is too complex for compilation. Try reducing the number of tools or simplifying tool schemas."]
    );
}

#[test]
fn what_a_strict_schema_may_not_say_is_reported() {
    let tree = json!({"type": "object", "$defs": {"Node": {"type": "object", "required": ["next"], "properties":
        {"next": {"$ref": "#/$defs/Node"}}}}});
    assert_eq!(
        strict(vec![tree]),
        ["tools.0.custom: Invalid schema: Circular reference detected in schema definitions: Node -> Node. \
          Self-referencing or mutually-referencing definitions are not supported."]
    );
    assert_eq!(
        strict(vec![members_of(1, &json!(true), true)]),
        ["tools.0.custom: For 'object' type, property 'properties' is not supported"]
    );
    assert_eq!(
        strict(vec![members_of(1, &json!({"type": "array", "maxItems": 3}), true)]),
        ["tools.0.custom: For 'array' type, property 'maxItems' is not supported"]
    );
}

#[test]
fn converse_wants_the_tools_that_are_used() {
    let messages = turns(json!(["a", [call("a")], [result("a")]]));
    let bare = request(body(json!({"tools": null, "messages": messages})));
    let error = "The toolConfig field must be defined when using toolUse and toolResult content blocks.";
    for host in [Host::Portable, Host::BedrockConverse] {
        assert_eq!(reported(&bare, host), [("body/tools-defined", Some(error.to_owned()))]);
    }
    for host in [Host::Anthropic, Host::BedrockInvoke, Host::Vertex] {
        assert_eq!(reported(&bare, host), []);
    }
}

#[test]
fn a_body_with_many_members_is_legal() {
    let whole = request(json!({
        "model": "claude-sonnet-4-5", "max_tokens": 4096, "stream": true, "metadata": {"user_id": "a"},
        "system": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}],
        "tools": [
            {"type": "custom", "name": "Read", "input_schema": {"type": "object"}, "description": "a", "strict": false},
            {"type": "bash_20250124", "name": "bash"},
            {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 1},
        ],
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": true},
        "thinking": {"type": "enabled", "budget_tokens": 1024},
        "context_management": {"edits": [{"type": "clear_thinking_20251015"}, {"type": "clear_tool_uses_20250919"}]},
        "output_config": {"effort": "high", "format": {"type": "json_schema", "schema": {"type": "object"}}},
        "temperature": 1, "stop_sequences": ["a b"], "service_tier": "auto",
        "messages": [user("a".into()), assistant("b".into()), user("c".into())],
    }));
    assert_eq!(reported(&whole, Host::Anthropic), []);
}
