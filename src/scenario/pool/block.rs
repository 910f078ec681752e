//! *Forms* of blocks: everything that a reader may meet in a list of content. `$` stands for an
//! id or a text, with its quotes.
//!
//! The first form of each list is the plainest. None has a known field of a wrong type: such a line
//! is no message.

/// The forms of one sort of block.
pub type Form = &'static [&'static str];

/// How many of [`CLIENT_CALLS`] the API takes as they are.
pub const PLAIN_CALLS: u8 = 6;

/// How many of [`CLIENT_RESULTS`] the API takes as they are.
pub const PLAIN_RESULTS: u8 = 5;

/// Calls of client tools, by id.
pub const CLIENT_CALLS: Form = &[
    r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"}}"#,
    r#"{"type":"tool_use","id":$,"name":"Read","input":{}}"#,
    r#"{"type":"tool_use","id":$,"name":"mcp__a__b","input":{"deep":{"list":[1,null,{"a":"b"}]}}}"#,
    r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"},"caller":{"type":"direct"}}"#,
    r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"},"cache_control":{"type":"ephemeral"}}"#,
    r#"{"type":"tool_use","id":$,"name":"Write","input":{"_private":1,"filePath":"/a","uuid":"u1"}}"#,
    // Inputs that the API does not take, or that no value can hold.
    r#"{"type":"tool_use","id":$,"name":"Bash","input":null}"#,
    r#"{"type":"tool_use","id":$,"name":"Bash","input":[1,"a"]}"#,
    r#"{"type":"tool_use","id":$,"name":"Bash","input":"ls"}"#,
    r#"{"type":"tool_use","id":$,"name":"Bash","input":7.50}"#,
    r#"{"type":"tool_use","id":$,"name":"Bash"}"#,
    r#"{"type":"tool_use","id":$,"name":"Bash","input":{"half \ud83d":"\ude00"}}"#,
    // The client's own members.
    r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"_meta":{"a":1},"uuid":"u1","isMeta":true}"#,
    // Parts missing.
    r#"{"type":"tool_use","id":null,"name":"Bash","input":{}}"#,
    r#"{"type":"tool_use","name":"Bash","input":{}}"#,
    r#"{"type":"tool_use","id":$,"name":null,"input":{}}"#,
    r#"{"type":"tool_use","id":$,"name":"","input":{}}"#,
    r#"{"type":"tool_use","id":$,"input":{}}"#,
];

/// Results of client tools, by the id of the call.
pub const CLIENT_RESULTS: Form = &[
    r#"{"type":"tool_result","tool_use_id":$,"content":"a","is_error":false}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":"failed","is_error":true}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"}]}"#,
    r#"{"type":"tool_result","tool_use_id":$}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}],"cache_control":{"type":"ephemeral"}}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":""}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":[]}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":null,"is_error":null}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":" \n"},{"type":"text","text":""},{"type":"text"}]}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":" "},{"type":"text","text":"b","_meta":{},"uuid":"u1"}]}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"tool_reference","tool_name":"T","toolName":"T"},{}]}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"half \ud83d"}]}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":"a","_meta":{"a":1},"isMeta":true,"timestamp":"t"}"#,
    r#"{"type":"tool_result","content":"nobody asked"}"#,
    r#"{"type":"tool_result","tool_use_id":null,"content":"nobody asked"}"#,
    r#"{"type":"tool_result","tool_use_id":$,"content":"NUL \u0000 inside"}"#,
];

/// How many of [`SERVER_CALLS`] have a name, an id and an input.
pub const PLAIN_SERVER_CALLS: u8 = 11;

/// Calls of server tools, by id; each of the first ones fits the result of the same index.
pub const SERVER_CALLS: Form = &[
    r#"{"type":"server_tool_use","id":$,"name":"web_search","input":{"query":"a"}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"web_fetch","input":{"url":"a"}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"code_execution","input":{}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"bash_code_execution","input":{}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"text_editor_code_execution","input":{}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"tool_search_tool_regex","input":{}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"advisor","input":{}}"#,
    r#"{"type":"mcp_tool_use","id":$,"name":"m","server_name":"s","input":{}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"tool_search_tool_bm25","input":{}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"tool_of_tomorrow","input":{}}"#,
    r#"{"type":"mcp_tool_use","id":$,"name":"m","input":["a"],"_meta":{}}"#,
    r#"{"type":"server_tool_use","id":$,"name":"web_search"}"#,
    r#"{"type":"server_tool_use","id":$,"name":"web_search","input":"a"}"#,
    r#"{"type":"server_tool_use","id":$,"name":null,"input":{}}"#,
    r#"{"type":"server_tool_use","id":null,"name":"web_search","input":{}}"#,
    r#"{"type":"mcp_tool_use","id":$,"input":{}}"#,
    r#"{"type":"mcp_tool_use","id":7,"name":"m"}"#,
];

/// Results of server tools, by the id of the call.
pub const SERVER_RESULTS: Form = &[
    r#"{"type":"web_search_tool_result","tool_use_id":$,"content":[]}"#,
    r#"{"type":"web_fetch_tool_result","tool_use_id":$,"content":{"type":"web_fetch_result","url":"a"}}"#,
    r#"{"type":"code_execution_tool_result","tool_use_id":$,"content":{"stdout":"a"}}"#,
    r#"{"type":"bash_code_execution_tool_result","tool_use_id":$,"content":{}}"#,
    r#"{"type":"text_editor_code_execution_tool_result","tool_use_id":$,"content":{}}"#,
    r#"{"type":"tool_search_tool_result","tool_use_id":$,"content":{}}"#,
    r#"{"type":"advisor_tool_result","tool_use_id":$,"content":"a"}"#,
    r#"{"type":"mcp_tool_result","tool_use_id":$,"is_error":false,"content":[{"type":"text","text":"a"}]}"#,
    r#"{"type":"web_search_tool_result","content":[]}"#,
    r#"{"type":"web_fetch_tool_result","tool_use_id":null}"#,
    r#"{"type":"mcp_tool_result","tool_use_id":$,"content":null,"uuid":"u1"}"#,
];

/// Texts, by the text.
pub const TEXTS: Form = &[
    r#"{"type":"text","text":$,"citations":null}"#,
    r#"{"type":"text","text":$,"cache_control":{"type":"ephemeral"}}"#,
    r#"{"type":"text","text":$,"_meta":{"a":1},"uuid":"u1"}"#,
    r#"{"type":"text","text":$,"isMeta":true,"timestamp":"t","origin":{"kind":"human"},"cwd":"/","slug":"a-b"}"#,
    r#"{"type":"text","text":null}"#,
    r#"{"type":"text"}"#,
    r#"{"text":$}"#,
];

/// Thinking, by its text.
pub const THINKING: Form = &[
    r#"{"type":"thinking","thinking":$}"#,
    r#"{"type":"thinking","thinking":$,"signature":""}"#,
    r#"{"type":"thinking","thinking":$,"signature":null}"#,
    r#"{"type":"thinking","thinking":"","signature":"sig"}"#,
    r#"{"type":"thinking","signature":"sig"}"#,
    r#"{"type":"thinking","thinking":null,"signature":"sig"}"#,
    r#"{"type":"redacted_thinking"}"#,
    r#"{"type":"redacted_thinking","data":""}"#,
    r#"{"type":"redacted_thinking","data":null}"#,
];

/// Images and documents that lack something, or have more.
pub const MEDIA: Form = &[
    r#"{"type":"image","source":{"type":"url","url":"https://a/b.png"},"cache_control":{"type":"ephemeral"}}"#,
    r#"{"type":"image"}"#,
    r#"{"type":"image","source":null}"#,
    r#"{"type":"image","source":{"type":"base64","media_type":"image/svg+xml","data":"PHN2Zy8+"}}"#,
    r#"{"type":"image","source":{"type":"base64","data":"iVBORw0KGgo="}}"#,
    r#"{"type":"document","source":{"type":"base64","media_type":"text/html","data":"PGEvPg=="}}"#,
    r#"{"type":"document"}"#,
    r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"context":null,"_name":"a"}"#,
];

/// Blocks that are nothing known.
pub const STRANGE: Form = &[
    r#"{"type":"block_of_tomorrow"}"#,
    "{}",
    r#"{"type":null}"#,
    r#"{"type":"","text":"a"}"#,
    r#"{"type":"search_result","source":"a","title":"a","content":[{"type":"text","text":"a"}]}"#,
    r#"{"type":"container_upload","file_id":"f"}"#,
    r#"{"type":"TEXT","text":"a","camelCase":1}"#,
];
