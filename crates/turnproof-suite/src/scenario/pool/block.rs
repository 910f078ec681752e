//! *Forms* of blocks: what readers may meet in a list of content, each with its labels. `$` stands for an id or a text,
//! with its quotes. The last forms of each sort have known fields of a wrong type, or members that the API does not take.

use crate::scenario::forms;

/// How many forms of calls the API takes as they are.
pub(in crate::scenario) const PLAIN_CALLS: u8 = 6;

/// How many forms of results the API takes as they are.
pub(in crate::scenario) const PLAIN_RESULTS: u8 = 5;

/// How many forms of server calls have a name, an id and an input, after the plainest.
pub(in crate::scenario) const PLAIN_SERVER_CALLS: u8 = 13;

forms! {
    /// Text blocks, by the text.
    TextForm {
        Plain r#"{"type":"text","text":$}"#
        NullCitations r#"{"type":"text","text":$,"citations":null}"#
        CacheControl r#"{"type":"text","text":$,"cache_control":{"type":"ephemeral"}}"#
        ClientMembers r#"{"type":"text","text":$,"_meta":{"a":1},"uuid":"u1"}"#
        ManyClientMembers r#"{"type":"text","text":$,"isMeta":true,"timestamp":"t","origin":{"kind":"human"},"cwd":"/","slug":"a-b"}"#
        NullText r#"{"type":"text","text":null}"#
        WithoutText r#"{"type":"text"}"#
        WithoutType r#"{"text":$}"#
        NumberText r#"{"type":"text","text":7}"#
        // Members of other types, and of objects that the API gives.
        ForeignMembers r#"{"type":"text","text":$,"id":"msg_1","is_error":false,"usage":null}"#
        OddCitations r#"{"type":"text","text":$,"citations":[{"type":"page_location","cited_text":"a"},{"type":"search_result_location","cited_text":"a","start_block_index":0,"end_block_index":1,"search_result_index":0,"source":"b","title":null,"file_id":null}],"cache_control":"ephemeral"}"#
        OddCache r#"{"type":"text","text":$,"cache_control":"ephemeral"}"#
        HalfCited r#"{"type":"text","text":$,"citations":[{"type":"page_location"}]}"#
        // Numbers that are below zero, or not whole.
        OddIndexes r#"{"type":"text","text":$,"citations":[{"cited_text":"z","cited_text":"a","novelty":1,"document_index":0,"document_title":null,"end_char_index":1,"file_id":null,"start_char_index":0,"type":"char_location"},{"cited_text":"a","document_index":-1,"document_title":null,"end_char_index":1,"file_id":null,"start_char_index":0,"type":"char_location"},{"cited_text":"a","document_index":1.5,"document_title":null,"end_char_index":1,"file_id":null,"start_char_index":0,"type":"char_location"}]}"#
        // As the model cites a document.
        Cited r#"{"type":"text","text":$,"citations":[{"cited_text":"a","document_index":0,"document_title":null,"end_char_index":1,"file_id":null,"start_char_index":0,"type":"char_location"}]}"#
        // A mark that says how long it holds.
        LongCache r#"{"type":"text","text":$,"cache_control":{"type":"ephemeral","ttl":"1h"}}"#
    }
}

forms! {
    /// Calls of client tools, by id.
    CallForm {
        Bash r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"}}"#
        Read r#"{"type":"tool_use","id":$,"name":"Read","input":{}}"#
        Mcp r#"{"type":"tool_use","id":$,"name":"mcp__a__b","input":{"deep":{"list":[1,null,{"a":"b"},1e-7]}}}"#
        DirectCaller r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"},"caller":{"type":"direct"}}"#
        CacheControl r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a"},"cache_control":{"type":"ephemeral"}}"#
        PrivateInput r#"{"type":"tool_use","id":$,"name":"Write","input":{"_private":1,"filePath":"/a","uuid":"u1"}}"#
        // Inputs that the API does not take, or that no value can hold.
        NullInput r#"{"type":"tool_use","id":$,"name":"Bash","input":null}"#
        ListInput r#"{"type":"tool_use","id":$,"name":"Bash","input":[1,"a"]}"#
        TextInput r#"{"type":"tool_use","id":$,"name":"Bash","input":"ls"}"#
        NumberInput r#"{"type":"tool_use","id":$,"name":"Bash","input":7.50}"#
        WithoutInput r#"{"type":"tool_use","id":$,"name":"Bash"}"#
        HalfAPairInput r#"{"type":"tool_use","id":$,"name":"Bash","input":{"half \ud83d":"\ude00"}}"#
        // The client's own members.
        ClientMembers r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"_meta":{"a":1},"uuid":"u1","isMeta":true}"#
        // Parts missing.
        NullId r#"{"type":"tool_use","id":null,"name":"Bash","input":{}}"#
        WithoutId r#"{"type":"tool_use","name":"Bash","input":{}}"#
        NullName r#"{"type":"tool_use","id":$,"name":null,"input":{}}"#
        EmptyName r#"{"type":"tool_use","id":$,"name":"","input":{}}"#
        WithoutName r#"{"type":"tool_use","id":$,"input":{}}"#
        // Known fields of a wrong type.
        NumberId r#"{"type":"tool_use","id":7,"name":"Bash","input":{}}"#
        ListName r#"{"type":"tool_use","id":$,"name":["Bash"],"input":{}}"#
        // Another tool that reads or searches.
        Grep r#"{"type":"tool_use","id":$,"name":"Grep","input":{"pattern":"a"}}"#
        // Members that the type does not have, and names that the API does not take.
        ForeignMembers r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"text":"","content":[]}"#
        OddCaller r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"caller":null,"toolset_name":7}"#
        IllegalName r#"{"type":"tool_use","id":$,"name":"mcp server.my-tool ü","input":{}}"#
        LongName r#"{"type":"tool_use","id":$,"name":"mcp-_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab","input":{}}"#
        // A name that is legal and long, and an input that is JSON as text.
        DashedName r#"{"type":"tool_use","id":$,"name":"mcp__my-server__aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-get","input":{}}"#
        JsonInput r#"{"type":"tool_use","id":$,"name":"Bash","input":"{\"command\":\"a\"}"}"#
        OddCache r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"cache_control":"ephemeral"}"#
        TextCaller r#"{"type":"tool_use","id":$,"name":"Bash","input":{},"caller":"x"}"#
        // Inputs that some languages take for none.
        EmptyTextInput r#"{"type":"tool_use","id":$,"name":"Bash","input":""}"#
        EmptyListInput r#"{"type":"tool_use","id":$,"name":"Bash","input":[]}"#
        // The other tools that read or search.
        Glob r#"{"type":"tool_use","id":$,"name":"Glob","input":{"pattern":"a"}}"#
        Ls r#"{"type":"tool_use","id":$,"name":"LS","input":{"path":"/"}}"#
        // What another call of the same tool asks for.
        OtherInput r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"b"}}"#
        TwoMembers r#"{"type":"tool_use","id":$,"name":"Bash","input":{"command":"a","description":"b"}}"#
        TwoMembersTurned r#"{"type":"tool_use","id":$,"name":"Bash","input":{"description":"b","command":"a"}}"#
        NotebookRead r#"{"type":"tool_use","id":$,"name":"NotebookRead","input":{"notebook_path":"a"}}"#
        WebFetch r#"{"type":"tool_use","id":$,"name":"WebFetch","input":{"url":"a"}}"#
        WebSearch r#"{"type":"tool_use","id":$,"name":"WebSearch","input":{"query":"a"}}"#
    }
}

forms! {
    /// Results of client tools, by the id of the call.
    ResultForm {
        Plain r#"{"type":"tool_result","tool_use_id":$,"content":"a","is_error":false}"#
        Failed r#"{"type":"tool_result","tool_use_id":$,"content":"failed","is_error":true}"#
        OfBlocks r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"}]}"#
        WithoutContent r#"{"type":"tool_result","tool_use_id":$}"#
        WithImage r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}],"cache_control":{"type":"ephemeral"}}"#
        EmptyText r#"{"type":"tool_result","tool_use_id":$,"content":""}"#
        EmptyList r#"{"type":"tool_result","tool_use_id":$,"content":[]}"#
        NullContent r#"{"type":"tool_result","tool_use_id":$,"content":null,"is_error":null}"#
        BlankBlocks r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":" \n"},{"type":"text","text":""},{"type":"text"}]}"#
        HalfBlank r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":" "},{"type":"text","text":"b","_meta":{},"uuid":"u1"}]}"#
        ToolReference r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"tool_reference","tool_name":"T","toolName":"T"},{},{"type":"","x":1},{"type":"part_of_tomorrow","_meta":1}]}"#
        HalfAPair r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"half \ud83d"}]}"#
        ClientMembers r#"{"type":"tool_result","tool_use_id":$,"content":"a","_meta":{"a":1},"isMeta":true,"timestamp":"t"}"#
        WithoutId r#"{"type":"tool_result","content":"nobody asked"}"#
        NullId r#"{"type":"tool_result","tool_use_id":null,"content":"nobody asked"}"#
        ClientParts r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a","_meta":{"a":1},"uuid":"u1"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="},"timestamp":"t"}]}"#
        NulInside r#"{"type":"tool_result","tool_use_id":$,"content":"NUL \u0000 inside"}"#
        TextError r#"{"type":"tool_result","tool_use_id":$,"content":"a","is_error":"no"}"#
        NumberError r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a"}],"is_error":1}"#
        NumberId r#"{"type":"tool_result","tool_use_id":7,"content":"nobody asked"}"#
        // Members that the type does not have, or that have another type.
        ForeignMembers r#"{"type":"tool_result","tool_use_id":$,"content":"a","text":"a","caller":{"type":"direct"},"name":"Bash"}"#
        ObjectContent r#"{"type":"tool_result","tool_use_id":$,"content":{ "b":[1.50,"\u00e9"],"a":"half \ud83d" }}"#
        NumberContent r#"{"type":"tool_result","tool_use_id":$,"content":7.50,"is_error":true}"#
        HalfMedia r#"{"type":"tool_result","tool_use_id":$,"content":["a",{"type":"image","source":{}},{"type":"image","source":{"type":"base64","media_type":"image/png"}},{"type":"document","source":{"type":"url"}},{"type":"block_of_tomorrow","novelty":{}},{"type":"text","text":"b","annotations":[]}]}"#
        OddCache r#"{"type":"tool_result","tool_use_id":$,"content":"a","cache_control":"ephemeral"}"#
        // Content that sounds like a failure, and ends blank.
        SoundsFailed r#"{"type":"tool_result","tool_use_id":$,"content":"Error: exit code 1\n"}"#
        // Content that some languages take for none.
        FalseContent r#"{"type":"tool_result","tool_use_id":$,"content":false}"#
        ZeroContent r#"{"type":"tool_result","tool_use_id":$,"content":0}"#
        BlankText r#"{"type":"tool_result","tool_use_id":$,"content":" \n"}"#
        TwoTexts r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b"}],"is_error":true}"#
        // What clients write for a result that they do not find.
        Placeholder r#"{"type":"tool_result","tool_use_id":$,"content":"[Tool result missing due to internal error]","is_error":true}"#
        UnknownText r#"{"type":"tool_result","tool_use_id":$,"content":"[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]","is_error":true}"#
        Unknown r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"text","text":"[Tool call interrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]"}],"is_error":true}"#
        // What is nearly such a text, or is spelt with an escape.
        Long r#"{"type":"tool_result","tool_use_id":$,"content":"a long output that no client writes for a result that it does not find. a long output that no client writes for a result that it does not find. a long output that no client writes for a result that it does not find. a long output that no client writes for a result that it does not find. a long output that no client writes for a result that it does not find."}"#
        NearlyUnknown r#"{"type":"tool_result","tool_use_id":$,"content":"[Tool call interrupted by somebody]"}"#
        OneImage r#"{"type":"tool_result","tool_use_id":$,"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]}"#
        UnknownEscaped r#"{"type":"tool_result","tool_use_id":$,"content":"[Tool call \u0069nterrupted: the session ended before this call's result was recorded, so its outcome is unknown. Check whether it took effect before relying on it or running it again.]","is_error":true}"#
        NearlyEscaped r#"{"type":"tool_result","tool_use_id":$,"content":"[Tool call \u0069nvented]"}"#
    }
}

forms! {
    /// Calls of server tools, by id.
    ServerCallForm {
        Plain r#"{"type":"server_tool_use","id":$,"name":"web_search","input":{}}"#
        WebSearch r#"{"type":"server_tool_use","id":$,"name":"web_search","input":{"query":"a"}}"#
        WebFetch r#"{"type":"server_tool_use","id":$,"name":"web_fetch","input":{"url":"a"}}"#
        CodeExecution r#"{"type":"server_tool_use","id":$,"name":"code_execution","input":{}}"#
        BashCodeExecution r#"{"type":"server_tool_use","id":$,"name":"bash_code_execution","input":{}}"#
        TextEditor r#"{"type":"server_tool_use","id":$,"name":"text_editor_code_execution","input":{}}"#
        ToolSearchRegex r#"{"type":"server_tool_use","id":$,"name":"tool_search_tool_regex","input":{}}"#
        Advisor r#"{"type":"server_tool_use","id":$,"name":"advisor","input":{}}"#
        Mcp r#"{"type":"mcp_tool_use","id":$,"name":"m","server_name":"s","input":{}}"#
        ToolSearchBm25 r#"{"type":"server_tool_use","id":$,"name":"tool_search_tool_bm25","input":{}}"#
        OfTomorrow r#"{"type":"server_tool_use","id":$,"name":"tool_of_tomorrow","input":{}}"#
        McpOddName r#"{"type":"mcp_tool_use","id":$,"name":"get page.v1","server_name":"s","input":{}}"#
        OddName r#"{"type":"server_tool_use","id":$,"name":"tool of tomorrow","input":{}}"#
        McpListInput r#"{"type":"mcp_tool_use","id":$,"name":"m","input":["a"],"_meta":{}}"#
        WithoutInput r#"{"type":"server_tool_use","id":$,"name":"web_search"}"#
        TextInput r#"{"type":"server_tool_use","id":$,"name":"web_search","input":"a"}"#
        NullName r#"{"type":"server_tool_use","id":$,"name":null,"input":{}}"#
        NullId r#"{"type":"server_tool_use","id":null,"name":"web_search","input":{}}"#
        McpWithoutName r#"{"type":"mcp_tool_use","id":$,"input":{}}"#
        McpNumberId r#"{"type":"mcp_tool_use","id":7,"name":"m"}"#
        NumberName r#"{"type":"server_tool_use","id":$,"name":7,"input":{}}"#
        ForeignMembers r#"{"type":"server_tool_use","id":$,"name":"web_search","input":{"query":"a"},"server_name":"s","text":""}"#
    }
}

forms! {
    /// Results of server tools, by the id of the call. `@` stands for the type at the place of the call's number.
    ServerResultForm {
        OfNumber r#"{"type":"@","tool_use_id":$,"content":{"type":"@_error","error_code":"unavailable"}}"#
        WebSearch r#"{"type":"web_search_tool_result","tool_use_id":$,"content":[{"type":"web_search_result","url":"a","title":"b","encrypted_content":"c","page_age":null}]}"#
        WebFetch r#"{"type":"web_fetch_tool_result","tool_use_id":$,"content":{"type":"web_fetch_result","url":"a","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"}}}}"#
        CodeExecution r#"{"type":"code_execution_tool_result","tool_use_id":$,"content":{"type":"code_execution_result","stdout":"a","stderr":"","return_code":0,"content":[]}}"#
        BashCodeExecution r#"{"type":"bash_code_execution_tool_result","tool_use_id":$,"content":{"type":"bash_code_execution_result","stdout":"a","stderr":"","return_code":0,"content":[]}}"#
        TextEditor r#"{"type":"text_editor_code_execution_tool_result","tool_use_id":$,"content":{"type":"text_editor_code_execution_create_result","is_file_update":false}}"#
        ToolSearch r#"{"type":"tool_search_tool_result","tool_use_id":$,"content":{"type":"tool_search_tool_search_result","tool_references":[{"type":"tool_reference","tool_name":"T"}]}}"#
        Advisor r#"{"type":"advisor_tool_result","tool_use_id":$,"content":{"type":"advisor_result","text":"a"}}"#
        Mcp r#"{"type":"mcp_tool_result","tool_use_id":$,"is_error":false,"content":[{"type":"text","text":"a"}]}"#
        WithoutId r#"{"type":"web_search_tool_result","content":[]}"#
        NullId r#"{"type":"web_fetch_tool_result","tool_use_id":null}"#
        McpNullContent r#"{"type":"mcp_tool_result","tool_use_id":$,"content":null,"uuid":"u1"}"#
        NumberId r#"{"type":"web_search_tool_result","tool_use_id":7,"content":[]}"#
        // Half-written content, and members that the type does not have.
        EmptyList r#"{"type":"@","tool_use_id":$,"content":[]}"#
        HalfFetched r#"{"type":"web_fetch_tool_result","tool_use_id":$,"content":{"type":"web_fetch_result","url":"a"}}"#
        HalfCode r#"{"type":"code_execution_tool_result","tool_use_id":$,"content":{"stdout":"a"}}"#
        HalfShell r#"{"type":"bash_code_execution_tool_result","tool_use_id":$,"content":{}}"#
        TextAdvice r#"{"type":"advisor_tool_result","tool_use_id":$,"content":"a"}"#
        Found r#"{"type":"web_search_tool_result","tool_use_id":$,"is_error":false,"content":[{"type":"web_search_result","url":"a","title":"b","encrypted_content":"c","snippet":"d"},{"type":"web_search_result","url":"a"}]}"#
        McpObjectContent r#"{"type":"mcp_tool_result","tool_use_id":$,"is_error":"no","content":{"a":1}}"#
        // Tools of servers that failed.
        SearchFailed r#"{"type":"web_search_tool_result","tool_use_id":$,"content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}"#
        FetchFailed r#"{"type":"web_fetch_tool_result","tool_use_id":$,"content":{"type":"web_fetch_tool_result_error","error_code":"url_not_accessible"}}"#
        CodeFailed r#"{"type":"code_execution_tool_result","tool_use_id":$,"content":{"type":"code_execution_tool_result_error","error_code":"unavailable"}}"#
        ShellFailed r#"{"type":"bash_code_execution_tool_result","tool_use_id":$,"content":{"type":"bash_code_execution_tool_result_error","error_code":"output_file_too_large"}}"#
        ToolSearchFailed r#"{"type":"tool_search_tool_result","tool_use_id":$,"content":{"type":"tool_search_tool_result_error","error_code":"unavailable"}}"#
        AdvisorFailed r#"{"type":"advisor_tool_result","tool_use_id":$,"content":{"type":"advisor_tool_result_error","error_code":"overloaded"}}"#
    }
}

forms! {
    /// Thinking, by its text.
    ThinkingForm {
        Signed r#"{"type":"thinking","thinking":$,"signature":"sig"}"#
        Unsigned r#"{"type":"thinking","thinking":$}"#
        EmptySignature r#"{"type":"thinking","thinking":$,"signature":""}"#
        NullSignature r#"{"type":"thinking","thinking":$,"signature":null}"#
        EmptyText r#"{"type":"thinking","thinking":"","signature":"sig"}"#
        WithoutText r#"{"type":"thinking","signature":"sig"}"#
        NullText r#"{"type":"thinking","thinking":null,"signature":"sig"}"#
        RedactedWithoutData r#"{"type":"redacted_thinking"}"#
        RedactedEmpty r#"{"type":"redacted_thinking","data":""}"#
        RedactedNull r#"{"type":"redacted_thinking","data":null}"#
    }
}

forms! {
    /// Images and documents that lack something, or have more.
    MediaForm {
        ImageByUrl r#"{"type":"image","source":{"type":"url","url":"https://a/b.png"},"cache_control":{"type":"ephemeral"}}"#
        ImageWithoutSource r#"{"type":"image"}"#
        ImageNullSource r#"{"type":"image","source":null}"#
        SvgImage r#"{"type":"image","source":{"type":"base64","media_type":"image/svg+xml","data":"PHN2Zy8+"}}"#
        ImageWithoutType r#"{"type":"image","source":{"type":"base64","data":"iVBORw0KGgo="}}"#
        HtmlDocument r#"{"type":"document","source":{"type":"base64","media_type":"text/html","data":"PGEvPg=="}}"#
        DocumentWithoutSource r#"{"type":"document"}"#
        TextDocument r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a"},"context":null,"_name":"a"}"#
        NumberTitle r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="},"title":7,"context":["a"]}"#
        ImageTextSource r#"{"type":"image","source":"a.png"}"#
        // Half-written sources, sources of other types, members that the type does not have.
        EmptySource r#"{"type":"image","source":{}}"#
        ImageWithoutData r#"{"type":"image","source":{"type":"base64","media_type":"image/png"}}"#
        SourceOfTomorrow r#"{"type":"image","source":{"type":"bucket","uri":"s3://a/b.png"}}"#
        ForeignMembers r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo=","filename":"a.png"},"title":"a","detail":"low"}"#
        DocumentOfBlocks r#"{"type":"document","title":"a","source":{"type":"content","content":[{"type":"text","text":"a","index":0},{"type":"image","source":{}}]}}"#
        // Halves of surrogate pairs in members of a block.
        HalfAPairData r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"half \ud83d"}}"#
        HalfAPairUrl r#"{"type":"image","source":{"type":"url","url":"https://a/\ud83d.png"}}"#
        // What a source says twice: the last counts.
        SourceSaysTwice r#"{"type":"image","source":{"filename":"a.png","type":"base64","media_type":"image/gif","data":"R0lGODlhAQABAA==","media_type":"image/png","data":"iVBORw0KGgo="}}"#
        // A type that is often misspelled, and the misspelling.
        Jpeg r#"{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/4AAQSkY="}}"#
        Jpg r#"{"type":"image","source":{"type":"base64","media_type":"image/jpg","data":"/9j/4AAQSkY="}}"#
        Gif r#"{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGODlh"}}"#
        Webp r#"{"type":"image","source":{"type":"base64","media_type":"image/webp","data":"UklGRg=="}}"#
    }
}

/// Calls as they come one after the other: of one tool, mostly of one that only reads or searches.
pub(in crate::scenario) const CALLS_IN_A_ROW: [[CallForm; 2]; 9] = [
    [CallForm::WithoutName; 2],
    [CallForm::Bash; 2],
    [CallForm::Read; 2],
    [CallForm::Read, CallForm::Grep],
    [CallForm::Mcp; 2],
    [CallForm::WebFetch, CallForm::WebSearch],
    [CallForm::NotebookRead, CallForm::Glob],
    [CallForm::Ls, CallForm::Read],
    [CallForm::WebSearch; 2],
];

/// Calls in which something must be repaired, or is often repaired in vain.
pub(in crate::scenario) const MENDED_CALLS: [CallForm; 12] = [
    CallForm::OddCache,
    CallForm::TextCaller,
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

/// Results in which something must be repaired, or is often repaired in vain.
pub(in crate::scenario) const MENDED_RESULTS: [ResultForm; 6] = [
    ResultForm::OddCache,
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
            Self::Mcp | Self::McpOddName | Self::McpListInput | Self::McpWithoutName | Self::McpNumberId => {
                ServerResultForm::Mcp
            }
            _ => ServerResultForm::WebSearch,
        }
    }
}
