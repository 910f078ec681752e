//! *Samples*: a conversation in each shape, with something for every operator.

use turnproof_suite::fuzzing::mutate::Shape;

const TRANSCRIPT: &str = concat!(
    r#"{"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s1","message":{"role":"user","content":"h\u00e9llo é"}}"#,
    "\n",
    r#"{"type":"assistant","uuid":"a1","parentUuid":"u1","requestId":"req_1","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2}}}"#,
    "\n",
    r#"{"type":"user","uuid":"r1","parentUuid":"a1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":[{"type":"text","text":"a"}],"is_error":false}]},"sourceToolAssistantUUID":"a1"}"#,
    "\n",
    r#"{"type":"system","subtype":"compact_boundary","uuid":"b1","logicalParentUuid":"r1","content":"Compacted","compactMetadata":{"preTokens":9,"preservedMessages":{"anchorUuid":"b1","uuids":["a1","r1"]}}}"#,
    "\n",
);

const STREAM: &str = concat!(
    "event: message_start\n",
    r#"data: {"type":"message_start","message":{"id":"msg_1","role":"assistant","content":[{"type":"text","text":"é"}],"usage":{"input_tokens":1}}}"#,
    "\n\nevent: content_block_start\n",
    r#"data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"toolu_1","name":"Bash","input":{},"is_new":true,"content":"a"}}"#,
    "\n\nevent: content_block_delta\n",
    r#"data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"command\":"}}"#,
    "\n\nevent: content_block_delta\n",
    r#"data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"ls\"}"}}"#,
    "\n\nevent: content_block_stop\n",
    r#"data: {"type":"content_block_stop","index":1,"content":[{"type":"text","text":"a"}]}"#,
    "\n\nevent: message_delta\n",
    r#"data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#,
    "\n\n",
);

const REQUEST: &str = r#"{
  "model": "m",
  "messages": [
    {"role": "user", "content": "héllo"},
    {"role": "assistant", "content": [
      {"type": "text", "text": "I look."},
      {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls", "limit": 5}}
    ]},
    {"role": "user", "content": [
      {"type": "tool_result", "tool_use_id": "toolu_2", "is_error": false, "content": [{"type": "text", "text": "a"}]}
    ]}
  ]
}
"#;

/// The sample of a shape.
pub(super) const fn sample(shape: Shape) -> &'static str {
    match shape {
        Shape::Transcript => TRANSCRIPT,
        Shape::Stream => STREAM,
        Shape::Request => REQUEST,
    }
}
