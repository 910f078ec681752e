//! *Forms* of blocks: what readers may meet in a list of content, each with its labels. `$` stands for an id or a text,
//! with its quotes. The last forms of each sort have known fields of a wrong type, or members that the API does not take.

use crate::scenario::forms;

/// How many forms of calls the API takes as they are.
pub(in crate::scenario) const PLAIN_CALLS: u8 = 6;

/// How many forms of results the API takes as they are.
pub(in crate::scenario) const PLAIN_RESULTS: u8 = 5;

/// How many forms of server calls have a name, an id and an input, after the plainest.
pub(in crate::scenario) const PLAIN_SERVER_CALLS: u8 = 11;

forms! {
    /// Text blocks, by the text.
    TextForm in "block" {
        Plain ["text"] r#"{"type":"text","text":$}"#
        NullCitations ["text"] r#"{"type":"text","text":$,"citations":null}"#
        CacheControl ["text" "with-cache-control"] r#"{"type":"text","text":$,"cache_control":{"type":"ephemeral"}}"#
        ClientMembers ["text" "with-members-of-the-client"] r#"{"type":"text","text":$,"_meta":{"a":1},"uuid":"u1"}"#
        ManyClientMembers ["text" "with-members-of-the-client"] r#"{"type":"text","text":$,"isMeta":true,"timestamp":"t","origin":{"kind":"human"},"cwd":"/","slug":"a-b"}"#
        NullText ["text" "text-without-text"] r#"{"type":"text","text":null}"#
        WithoutText ["text" "text-without-text"] r#"{"type":"text"}"#
        WithoutType ["without-a-type"] r#"{"text":$}"#
        NumberText ["text" "text-without-text" "misfit"] r#"{"type":"text","text":7}"#
        // Members of other types, and of objects that the API gives.
        ForeignMembers ["text" "with-members-of-another-type"] r#"{"type":"text","text":$,"id":"msg_1","is_error":false,"usage":null}"#
        OddCitations ["text" "with-a-member-of-a-wrong-type" "with-cache-control"] r#"{"type":"text","text":$,"citations":[{"type":"page_location","cited_text":"a"},{"type":"search_result_location","cited_text":"a","start_block_index":0,"end_block_index":1,"search_result_index":0,"source":"b","title":null,"file_id":null}],"cache_control":"ephemeral"}"#
        // A mark that says how long it holds.
        LongCache ["text" "with-cache-control" "cached-for-an-hour"] r#"{"type":"text","text":$,"cache_control":{"type":"ephemeral","ttl":"1h"}}"#
    }
}

forms! {
    /// Calls of client tools, by id.
    CallForm in "block" {
        Bash ["tool-use"] r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"}}"#
        Read ["tool-use"] r#"{"type":"tool_use","id":$,"name":"Read","input":{}}"#
        Mcp ["tool-use"] r#"{"type":"tool_use","id":$,"name":"mcp__a__b","input":{"deep":{"list":[1,null,{"a":"b"}]}}}"#
        DirectCaller ["tool-use"] r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"},"caller":{"type":"direct"}}"#
        CacheControl ["tool-use" "with-cache-control"] r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"},"cache_control":{"type":"ephemeral"}}"#
        PrivateInput ["tool-use"] r#"{"type":"tool_use","id":$,"name":"Write","input":{"_private":1,"filePath":"/a","uuid":"u1"}}"#
        // Inputs that the API does not take, or that no value can hold.
        NullInput ["tool-use" "input-no-object"] r#"{"type":"tool_use","id":$,"name":"Bash","input":null}"#
        ListInput ["tool-use" "input-no-object"] r#"{"type":"tool_use","id":$,"name":"Bash","input":[1,"a"]}"#
        TextInput ["tool-use" "input-no-object"] r#"{"type":"tool_use","id":$,"name":"Bash","input":"ls"}"#
        NumberInput ["tool-use" "input-no-object"] r#"{"type":"tool_use","id":$,"name":"Bash","input":7.50}"#
        WithoutInput ["tool-use" "input-missing"] r#"{"type":"tool_use","id":$,"name":"Bash"}"#
        HalfAPairInput ["tool-use" "input-with-half-a-pair"] r#"{"type":"tool_use","id":$,"name":"Bash","input":{"half \ud83d":"\ude00"}}"#
        // The client's own members.
        ClientMembers ["tool-use" "with-members-of-the-client"] r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"_meta":{"a":1},"uuid":"u1","isMeta":true}"#
        // Parts missing.
        NullId ["tool-use" "call-without-id"] r#"{"type":"tool_use","id":null,"name":"Bash","input":{}}"#
        WithoutId ["tool-use" "call-without-id"] r#"{"type":"tool_use","name":"Bash","input":{}}"#
        NullName ["tool-use" "call-without-name"] r#"{"type":"tool_use","id":$,"name":null,"input":{}}"#
        EmptyName ["tool-use" "call-without-name"] r#"{"type":"tool_use","id":$,"name":"","input":{}}"#
        WithoutName ["tool-use" "call-without-name"] r#"{"type":"tool_use","id":$,"input":{}}"#
        // Known fields of a wrong type.
        NumberId ["tool-use" "call-without-id" "misfit"] r#"{"type":"tool_use","id":7,"name":"Bash","input":{}}"#
        ListName ["tool-use" "call-without-name" "misfit"] r#"{"type":"tool_use","id":$,"name":["Bash"],"input":{}}"#
        // Another tool that reads or searches.
        Grep ["tool-use"] r#"{"type":"tool_use","id":$,"name":"Grep","input":{"pattern":"a"}}"#
        // Members that the type does not have, and names that the API does not take.
        ForeignMembers ["tool-use" "with-members-of-another-type"] r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"text":"","content":[]}"#
        OddCaller ["tool-use" "with-a-member-of-a-wrong-type"] r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"caller":null,"toolset_name":7}"#
        IllegalName ["tool-use" "call-with-an-illegal-name"] r#"{"type":"tool_use","id":$,"name":"mcp server.tool ü","input":{}}"#
        LongName ["tool-use" "call-with-an-illegal-name"] r#"{"type":"tool_use","id":$,"name":"mcp__aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab","input":{}}"#
        // A name that is legal and long, and an input that is JSON as text.
        DashedName ["tool-use" "call-with-a-long-name"] r#"{"type":"tool_use","id":$,"name":"mcp__my-server__aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-get","input":{}}"#
        JsonInput ["tool-use" "input-of-json-text"] r#"{"type":"tool_use","id":$,"name":"Bash","input":"{\"command\":\"a\"}"}"#
        // Inputs that some languages take for none.
        EmptyTextInput ["tool-use" "input-no-object" "input-empty"] r#"{"type":"tool_use","id":$,"name":"Bash","input":""}"#
        EmptyListInput ["tool-use" "input-no-object" "input-empty"] r#"{"type":"tool_use","id":$,"name":"Bash","input":[]}"#
        // The other tools that read or search.
        Glob ["tool-use"] r#"{"type":"tool_use","id":$,"name":"Glob","input":{"pattern":"a"}}"#
        Ls ["tool-use"] r#"{"type":"tool_use","id":$,"name":"LS","input":{"path":"/"}}"#
        NotebookRead ["tool-use"] r#"{"type":"tool_use","id":$,"name":"NotebookRead","input":{"notebook_path":"a"}}"#
        WebFetch ["tool-use"] r#"{"type":"tool_use","id":$,"name":"WebFetch","input":{"url":"a"}}"#
        WebSearch ["tool-use"] r#"{"type":"tool_use","id":$,"name":"WebSearch","input":{"query":"a"}}"#
    }
}

forms! {
    /// Results of client tools, by the id of the call.
    ResultForm in "block" {
        Plain ["tool-result"] r#"{"type":"tool_result","tool_use_id":$,"content":"a","is_error":false}"#
        Failed ["tool-result" "result-with-error"] r#"{"type":"tool_result","tool_use_id":$,"content":"failed","is_error":true}"#
        OfBlocks ["tool-result"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"}]}"#
        WithoutContent ["tool-result" "result-without-content"] r#"{"type":"tool_result","tool_use_id":$}"#
        WithImage ["tool-result" "result-with-image" "with-cache-control"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}],"cache_control":{"type":"ephemeral"}}"#
        EmptyText ["tool-result" "result-of-nothing"] r#"{"type":"tool_result","tool_use_id":$,"content":""}"#
        EmptyList ["tool-result" "result-of-nothing"] r#"{"type":"tool_result","tool_use_id":$,"content":[]}"#
        NullContent ["tool-result" "result-without-content" "with-a-member-of-a-wrong-type"] r#"{"type":"tool_result","tool_use_id":$,"content":null,"is_error":null}"#
        BlankBlocks ["tool-result" "result-blank"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":" \n"},{"type":"text","text":""},{"type":"text"}]}"#
        HalfBlank ["tool-result" "result-blank"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":" "},{"type":"text","text":"b","_meta":{},"uuid":"u1"}]}"#
        ToolReference ["tool-result"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"tool_reference","tool_name":"T","toolName":"T"},{}]}"#
        HalfAPair ["tool-result" "result-with-half-a-pair"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"half \ud83d"}]}"#
        ClientMembers ["tool-result" "with-members-of-the-client"] r#"{"type":"tool_result","tool_use_id":$,"content":"a","_meta":{"a":1},"isMeta":true,"timestamp":"t"}"#
        WithoutId ["tool-result" "result-without-call-id"] r#"{"type":"tool_result","content":"nobody asked"}"#
        NullId ["tool-result" "result-without-call-id"] r#"{"type":"tool_result","tool_use_id":null,"content":"nobody asked"}"#
        ClientParts ["tool-result"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a","_meta":{"a":1},"uuid":"u1"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="},"timestamp":"t"}]}"#
        NulInside ["tool-result" "result-with-nul"] r#"{"type":"tool_result","tool_use_id":$,"content":"NUL \u0000 inside"}"#
        TextError ["tool-result" "misfit"] r#"{"type":"tool_result","tool_use_id":$,"content":"a","is_error":"no"}"#
        NumberError ["tool-result" "misfit"] r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"}],"is_error":1}"#
        NumberId ["tool-result" "result-without-call-id" "misfit"] r#"{"type":"tool_result","tool_use_id":7,"content":"nobody asked"}"#
        // Members that the type does not have, or that have another type.
        ForeignMembers ["tool-result" "with-members-of-another-type"] r#"{"type":"tool_result","tool_use_id":$,"content":"a","text":"a","caller":{"type":"direct"},"name":"Bash"}"#
        ObjectContent ["tool-result" "result-of-an-object"] r#"{"type":"tool_result","tool_use_id":$,"content":{ "b":[1.50,"\u00e9"],"a":"half \ud83d" }}"#
        NumberContent ["tool-result" "result-of-an-object" "result-with-error"] r#"{"type":"tool_result","tool_use_id":$,"content":7.50,"is_error":true}"#
        HalfMedia ["tool-result" "result-with-half-of-an-image" "with-members-of-another-type"] r#"{"type":"tool_result","tool_use_id":$,"content":["a",{"type":"image","source":{}},{"type":"image","source":{"type":"base64","media_type":"image/png"}},{"type":"document","source":{"type":"url"}},{"type":"block_of_tomorrow","novelty":{}},{"type":"text","text":"b","annotations":[]}]}"#
        // Content that sounds like a failure, and ends blank.
        SoundsFailed ["tool-result" "result-that-sounds-failed"] r#"{"type":"tool_result","tool_use_id":$,"content":"Error: exit code 1\n"}"#
        // Content that some languages take for none.
        FalseContent ["tool-result" "result-of-an-object" "result-falsy"] r#"{"type":"tool_result","tool_use_id":$,"content":false}"#
        ZeroContent ["tool-result" "result-of-an-object" "result-falsy"] r#"{"type":"tool_result","tool_use_id":$,"content":0}"#
        BlankText ["tool-result" "result-blank"] r#"{"type":"tool_result","tool_use_id":$,"content":" \n"}"#
    }
}

forms! {
    /// Calls of server tools, by id.
    ServerCallForm in "block" {
        Plain ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"web_search","input":{}}"#
        WebSearch ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"web_search","input":{"query":"a"}}"#
        WebFetch ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"web_fetch","input":{"url":"a"}}"#
        CodeExecution ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"code_execution","input":{}}"#
        BashCodeExecution ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"bash_code_execution","input":{}}"#
        TextEditor ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"text_editor_code_execution","input":{}}"#
        ToolSearchRegex ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"tool_search_tool_regex","input":{}}"#
        Advisor ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"advisor","input":{}}"#
        Mcp ["mcp-tool-use"] r#"{"type":"mcp_tool_use","id":$,"name":"m","server_name":"s","input":{}}"#
        ToolSearchBm25 ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"tool_search_tool_bm25","input":{}}"#
        OfTomorrow ["server-tool-use"] r#"{"type":"server_tool_use","id":$,"name":"tool_of_tomorrow","input":{}}"#
        McpListInput ["mcp-tool-use" "server-call-odd" "with-members-of-the-client"] r#"{"type":"mcp_tool_use","id":$,"name":"m","input":["a"],"_meta":{}}"#
        WithoutInput ["server-tool-use" "server-call-odd"] r#"{"type":"server_tool_use","id":$,"name":"web_search"}"#
        TextInput ["server-tool-use" "server-call-odd"] r#"{"type":"server_tool_use","id":$,"name":"web_search","input":"a"}"#
        NullName ["server-tool-use" "server-call-odd"] r#"{"type":"server_tool_use","id":$,"name":null,"input":{}}"#
        NullId ["server-tool-use" "server-call-odd"] r#"{"type":"server_tool_use","id":null,"name":"web_search","input":{}}"#
        McpWithoutName ["mcp-tool-use" "server-call-odd"] r#"{"type":"mcp_tool_use","id":$,"input":{}}"#
        McpNumberId ["mcp-tool-use" "server-call-odd"] r#"{"type":"mcp_tool_use","id":7,"name":"m"}"#
        NumberName ["server-tool-use" "server-call-odd" "misfit"] r#"{"type":"server_tool_use","id":$,"name":7,"input":{}}"#
        ForeignMembers ["server-tool-use" "with-members-of-another-type"] r#"{"type":"server_tool_use","id":$,"name":"web_search","input":{"query":"a"},"server_name":"s","text":""}"#
    }
}

forms! {
    /// Results of server tools, by the id of the call. `@` stands for the type at the place of the call's number.
    ServerResultForm in "block" {
        OfNumber [] r#"{"type":"@","tool_use_id":$,"content":{"type":"@_error","error_code":"unavailable"}}"#
        WebSearch ["web-search-tool-result"] r#"{"type":"web_search_tool_result","tool_use_id":$,"content":[{"type":"web_search_result","url":"a","title":"b","encrypted_content":"c","page_age":null}]}"#
        WebFetch ["web-fetch-tool-result"] r#"{"type":"web_fetch_tool_result","tool_use_id":$,"content":{"type":"web_fetch_result","url":"a","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}}}"#
        CodeExecution ["code-execution-tool-result"] r#"{"type":"code_execution_tool_result","tool_use_id":$,"content":{"type":"code_execution_result","stdout":"a","stderr":"","return_code":0,"content":[]}}"#
        BashCodeExecution ["bash-code-execution-tool-result"] r#"{"type":"bash_code_execution_tool_result","tool_use_id":$,"content":{"type":"bash_code_execution_result","stdout":"a","stderr":"","return_code":0,"content":[]}}"#
        TextEditor ["text-editor-code-execution-tool-result"] r#"{"type":"text_editor_code_execution_tool_result","tool_use_id":$,"content":{"type":"text_editor_code_execution_create_result","is_file_update":false}}"#
        ToolSearch ["tool-search-tool-result"] r#"{"type":"tool_search_tool_result","tool_use_id":$,"content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"T"}]}}"#
        Advisor ["advisor-tool-result"] r#"{"type":"advisor_tool_result","tool_use_id":$,"content":{"type":"advisor_result","text":"a"}}"#
        Mcp ["mcp-tool-result"] r#"{"type":"mcp_tool_result","tool_use_id":$,"is_error":false,"content":[{"type":"text","text":"a"}]}"#
        WithoutId ["web-search-tool-result" "server-result-without-call-id"] r#"{"type":"web_search_tool_result","content":[]}"#
        NullId ["web-fetch-tool-result" "server-result-without-call-id"] r#"{"type":"web_fetch_tool_result","tool_use_id":null}"#
        McpNullContent ["mcp-tool-result" "with-members-of-the-client"] r#"{"type":"mcp_tool_result","tool_use_id":$,"content":null,"uuid":"u1"}"#
        NumberId ["web-search-tool-result" "server-result-without-call-id" "misfit"] r#"{"type":"web_search_tool_result","tool_use_id":7,"content":[]}"#
        // Half-written content, and members that the type does not have.
        EmptyList ["server-result-half-written"] r#"{"type":"@","tool_use_id":$,"content":[]}"#
        HalfFetched ["web-fetch-tool-result" "server-result-half-written"] r#"{"type":"web_fetch_tool_result","tool_use_id":$,"content":{"type":"web_fetch_result","url":"a"}}"#
        HalfCode ["code-execution-tool-result" "server-result-half-written"] r#"{"type":"code_execution_tool_result","tool_use_id":$,"content":{"stdout":"a"}}"#
        HalfShell ["bash-code-execution-tool-result" "server-result-half-written"] r#"{"type":"bash_code_execution_tool_result","tool_use_id":$,"content":{}}"#
        TextAdvice ["advisor-tool-result" "server-result-half-written"] r#"{"type":"advisor_tool_result","tool_use_id":$,"content":"a"}"#
        Found ["web-search-tool-result" "with-members-of-another-type"] r#"{"type":"web_search_tool_result","tool_use_id":$,"is_error":false,"content":[{"type":"web_search_result","url":"a","title":"b","encrypted_content":"c","snippet":"d"},{"type":"web_search_result","url":"a"}]}"#
        McpObjectContent ["mcp-tool-result" "result-of-an-object"] r#"{"type":"mcp_tool_result","tool_use_id":$,"is_error":"no","content":{"a":1}}"#
        // Tools of servers that failed.
        SearchFailed ["web-search-tool-result" "server-result-of-a-failure"] r#"{"type":"web_search_tool_result","tool_use_id":$,"content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}"#
        FetchFailed ["web-fetch-tool-result" "server-result-of-a-failure"] r#"{"type":"web_fetch_tool_result","tool_use_id":$,"content":{"type":"web_fetch_tool_result_error","error_code":"url_not_accessible"}}"#
        CodeFailed ["code-execution-tool-result" "server-result-of-a-failure"] r#"{"type":"code_execution_tool_result","tool_use_id":$,"content":{"type":"code_execution_tool_result_error","error_code":"unavailable"}}"#
        ShellFailed ["bash-code-execution-tool-result" "server-result-of-a-failure"] r#"{"type":"bash_code_execution_tool_result","tool_use_id":$,"content":{"type":"bash_code_execution_tool_result_error","error_code":"output_file_too_large"}}"#
        ToolSearchFailed ["tool-search-tool-result" "server-result-of-a-failure"] r#"{"type":"tool_search_tool_result","tool_use_id":$,"content":{"type":"tool_search_tool_result_error","error_code":"unavailable"}}"#
        AdvisorFailed ["advisor-tool-result" "server-result-of-a-failure"] r#"{"type":"advisor_tool_result","tool_use_id":$,"content":{"type":"advisor_tool_result_error","error_code":"overloaded"}}"#
    }
}

forms! {
    /// Thinking, by its text.
    ThinkingForm in "block" {
        Signed ["thinking"] r#"{"type":"thinking","thinking":$,"signature":"sig"}"#
        Unsigned ["thinking" "thinking-unsigned"] r#"{"type":"thinking","thinking":$}"#
        EmptySignature ["thinking" "thinking-unsigned"] r#"{"type":"thinking","thinking":$,"signature":""}"#
        NullSignature ["thinking" "thinking-unsigned"] r#"{"type":"thinking","thinking":$,"signature":null}"#
        EmptyText ["thinking" "thinking-empty"] r#"{"type":"thinking","thinking":"","signature":"sig"}"#
        WithoutText ["thinking" "thinking-without-text"] r#"{"type":"thinking","signature":"sig"}"#
        NullText ["thinking" "thinking-without-text"] r#"{"type":"thinking","thinking":null,"signature":"sig"}"#
        RedactedWithoutData ["redacted-thinking" "redacted-without-data"] r#"{"type":"redacted_thinking"}"#
        RedactedEmpty ["redacted-thinking" "redacted-without-data"] r#"{"type":"redacted_thinking","data":""}"#
        RedactedNull ["redacted-thinking" "redacted-without-data"] r#"{"type":"redacted_thinking","data":null}"#
    }
}

forms! {
    /// Images and documents that lack something, or have more.
    MediaForm in "block" {
        ImageByUrl ["image" "with-cache-control"] r#"{"type":"image","source":{"type":"url","url":"https://a/b.png"},"cache_control":{"type":"ephemeral"}}"#
        ImageWithoutSource ["image" "media-without-source"] r#"{"type":"image"}"#
        ImageNullSource ["image" "media-without-source"] r#"{"type":"image","source":null}"#
        SvgImage ["image" "media-of-another-type"] r#"{"type":"image","source":{"type":"base64","media_type":"image/svg+xml","data":"PHN2Zy8+"}}"#
        ImageWithoutType ["image" "media-of-another-type"] r#"{"type":"image","source":{"type":"base64","data":"iVBORw0KGgo="}}"#
        HtmlDocument ["document" "media-of-another-type"] r#"{"type":"document","source":{"type":"base64","media_type":"text/html","data":"PGEvPg=="}}"#
        DocumentWithoutSource ["document" "media-without-source"] r#"{"type":"document"}"#
        TextDocument ["document" "with-members-of-the-client"] r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"context":null,"_name":"a"}"#
        NumberTitle ["document" "misfit"] r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="},"title":7,"context":["a"]}"#
        ImageTextSource ["image" "media-without-source" "misfit"] r#"{"type":"image","source":"a.png"}"#
        // Half-written sources, sources of other types, members that the type does not have.
        EmptySource ["image" "media-half-written"] r#"{"type":"image","source":{}}"#
        ImageWithoutData ["image" "media-half-written"] r#"{"type":"image","source":{"type":"base64","media_type":"image/png"}}"#
        SourceOfTomorrow ["image" "source-of-tomorrow"] r#"{"type":"image","source":{"type":"bucket","uri":"s3://a/b.png"}}"#
        ForeignMembers ["image" "with-members-of-another-type"] r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo=","filename":"a.png"},"title":"a","detail":"low"}"#
        DocumentOfBlocks ["document" "with-members-of-another-type"] r#"{"type":"document","title":"a","source":{"type":"content","content":[{"type":"text","text":"a","index":0},{"type":"image","source":{}}]}}"#
        // A type that is often misspelled, and the misspelling.
        Jpeg ["image" "media-of-jpeg"] r#"{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/4AAQSkY="}}"#
        Jpg ["image" "media-of-another-type"] r#"{"type":"image","source":{"type":"base64","media_type":"image/jpg","data":"/9j/4AAQSkY="}}"#
    }
}

forms! {
    /// Blocks that are nothing known.
    StrangeForm in "block" {
        OfTomorrow ["unknown"] r#"{"type":"block_of_tomorrow"}"#
        NoMembers ["without-a-type"] "{}"
        NullType ["without-a-type"] r#"{"type":null}"#
        EmptyType ["without-a-type"] r#"{"type":"","text":"a"}"#
        SearchResult ["unknown"] r#"{"type":"search_result","source":"a","title":"a","content":[{"type":"text","text":"a"}]}"#
        ContainerUpload ["unknown"] r#"{"type":"container_upload","file_id":"f"}"#
        UpperCase ["unknown" "with-members-of-the-client"] r#"{"type":"TEXT","text":"a","camelCase":1}"#
        NumberType ["without-a-type" "misfit"] r#"{"type":7,"text":"a"}"#
        Number ["no-object"] "7"
        Text ["no-object"] r#""a""#
        Null ["no-object"] "null"
        HalfUpload ["unknown" "block-half-written"] r#"{"type":"container_upload","file":"f"}"#
        HalfSearchResult ["unknown" "block-half-written"] r#"{"type":"search_result","source":"a","content":[{"type":"text","text":"a"}]}"#
        Compaction ["unknown" "with-members-of-another-type"] r#"{"type":"compaction","content":"a","summary":"a","signature":7}"#
        Fallback ["unknown"] r#"{"type":"fallback","from":{"model":"a"},"to":{"model":"b"}}"#
    }
}

/// Calls as they come one after the other: of one tool, mostly of one that only reads or searches.
pub(in crate::scenario) const CALLS_IN_A_ROW: [[CallForm; 2]; 8] = [
    [CallForm::Bash; 2],
    [CallForm::Read; 2],
    [CallForm::Read, CallForm::Grep],
    [CallForm::Mcp; 2],
    [CallForm::WebFetch, CallForm::WebSearch],
    [CallForm::NotebookRead, CallForm::Glob],
    [CallForm::Ls, CallForm::Read],
    [CallForm::WebSearch; 2],
];

/// Calls in which something must be mended, or is often mended in vain.
pub(in crate::scenario) const MENDED_CALLS: [CallForm; 10] = [
    CallForm::IllegalName,
    CallForm::LongName,
    CallForm::ClientMembers,
    CallForm::Bash,
    CallForm::DashedName,
    CallForm::DashedName,
    CallForm::JsonInput,
    CallForm::JsonInput,
    CallForm::WithoutInput,
    CallForm::NullInput,
];

/// Results in which something must be mended, or is often mended in vain.
pub(in crate::scenario) const MENDED_RESULTS: [ResultForm; 5] = [
    ResultForm::ClientParts,
    ResultForm::HalfBlank,
    ResultForm::TextError,
    ResultForm::NumberError,
    ResultForm::SoundsFailed,
];

impl ServerResultForm {
    /// What the tool gives when it fails.
    pub(in crate::scenario) fn failed(self) -> Self {
        match self {
            Self::WebSearch => Self::SearchFailed,
            Self::WebFetch => Self::FetchFailed,
            Self::CodeExecution => Self::CodeFailed,
            Self::BashCodeExecution => Self::ShellFailed,
            Self::ToolSearch => Self::ToolSearchFailed,
            Self::Advisor => Self::AdvisorFailed,
            other => other,
        }
    }
}

impl ServerCallForm {
    pub(in crate::scenario) fn fitting(self) -> ServerResultForm {
        match self {
            Self::WebFetch => ServerResultForm::WebFetch,
            Self::CodeExecution => ServerResultForm::CodeExecution,
            Self::BashCodeExecution => ServerResultForm::BashCodeExecution,
            Self::TextEditor => ServerResultForm::TextEditor,
            Self::ToolSearchRegex | Self::ToolSearchBm25 => ServerResultForm::ToolSearch,
            Self::Advisor => ServerResultForm::Advisor,
            Self::Mcp | Self::McpListInput | Self::McpWithoutName | Self::McpNumberId => ServerResultForm::Mcp,
            _ => ServerResultForm::WebSearch,
        }
    }
}
