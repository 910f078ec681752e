//! An *alphabet* is a handful of messages, each with a letter: a sequence of letters is a conversation,
//! and all short sequences can be tried.
//!
//! A line is a letter, what its message is, and the message. `@` in a message marks its place in the sequence, so
//! that no two texts and no two results are alike.

/// A message by its letter: the letter, what it is, and its JSON.
pub(super) type Letter = (char, &'static str, &'static str);

/// The letters of an alphabet.
pub(super) fn letters(alphabet: &'static str) -> Vec<Letter> {
    let letter = |line: &'static str| {
        let (head, json) = line.split_at(line.find('{').expect("a message"));
        (head.chars().next().expect("a letter"), head[1..].trim(), json)
    };
    alphabet.trim().lines().map(letter).collect()
}

/// The letters of everyday conversations.
pub(super) const EVERYDAY: &str = r#"
u user text {"type":"user","uuid":"uu","message":{"role":"user","content":[{"type":"text","text":"u@"}]}}
1 user result 1 {"type":"user","uuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"r@"}]}}
2 user result 2 {"type":"user","uuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"r@"}]}}
t assistant text {"type":"assistant","uuid":"at","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"t@"}]}}
c assistant call 1 {"type":"assistant","uuid":"ac","message":{"id":"m2","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{"at":"@"}}]}}
d assistant calls 1 and 2 {"type":"assistant","uuid":"ad","message":{"id":"m3","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{"at":"@"}},{"type":"tool_use","id":"c2","name":"B","input":{"at":"@"}}]}}
h assistant thinking {"type":"assistant","uuid":"ah","message":{"id":"m2","role":"assistant","content":[{"type":"thinking","thinking":"h@","signature":"s"}]}}
a attachment that is sent {"type":"attachment","uuid":"aa","attachment":{"type":"date_change","newDate":"a@"}}
l local command {"type":"system","subtype":"local_command","uuid":"sl","content":"l@"}
p progress {"type":"progress","uuid":"pp","toolUseID":"c1","data":{}}
e synthetic API error {"type":"assistant","uuid":"ae","isApiErrorMessage":true,"message":{"id":"m4","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error"}]}}
x tombstone of the assistant text {"type":"tombstone","uuid":"xx","message":{"type":"assistant","uuid":"at"}}
"#;

/// The letters of what is rare, hidden or wrong.
pub(super) const ODD: &str = r#"
v virtual user {"type":"user","isVirtual":true,"message":{"role":"user","content":"v@"}}
V assistant for the transcript only {"type":"assistant","isVisibleInTranscriptOnly":true,"message":{"role":"assistant","content":[{"type":"text","text":"V@"}]}}
S compact summary {"type":"user","isVisibleInTranscriptOnly":true,"isCompactSummary":true,"message":{"role":"user","content":"S@"}}
D meta user with a PDF {"type":"user","isMeta":true,"message":{"role":"user","content":[{"type":"document","source":{"type":"url","url":"D@"}}]}}
M meta user with text, image and PDF {"type":"user","isMeta":true,"message":{"role":"user","content":[{"type":"text","text":"M@"},{"type":"image","source":{"type":"url","url":"M@"}},{"type":"document","source":{"type":"url","url":"M@"}}]}}
I refusal of an image {"type":"assistant","isApiErrorMessage":true,"message":{"model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"Image was TOO LARGE"}]}}
P refusal of a PDF {"type":"assistant","isApiErrorMessage":true,"message":{"model":"<synthetic>","role":"assistant","content":"PDF is password protected"}}
E API error notice {"type":"system","subtype":"api_error","content":"E"}
q queued command with blocks {"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"q@"},{"type":"image","source":{"type":"url","url":"q@"}}]}}
Q queued command with a result {"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"tool_result","tool_use_id":"c1","content":"Q@"}]}}
k attachment that is not sent {"type":"attachment","attachment":{"type":"hook_success","content":"k"}}
L local command without text {"type":"system","subtype":"local_command","content":null}
i notice {"type":"system","subtype":"informational","content":"i"}
3 first line of a reply: thinking {"type":"assistant","message":{"id":"m3","role":"assistant","content":[{"type":"thinking","thinking":"3@","signature":"s"}]}}
4 second line of the reply: call 1 {"type":"assistant","message":{"id":"m3","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{"at":"@"}}]}}
5 call 1 of no reply {"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"A","input":{"at":"@"}}]}}
1 result 1, and text {"type":"user","message":{"role":"user","content":[{"type":"text","text":"1@"},{"type":"tool_result","tool_use_id":"c1","content":"r@","is_error":false}]}}
j call with an illegal id {"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c:1","name":"A","input":{}}]}}
J result of the illegal id {"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c:1","content":"r@"}]}}
o input that is no object, and none {"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"o1","name":"A","input":[1]},{"type":"tool_use","id":"o2","name":"A"},{"type":"tool_use","id":"o3","name":"A","input":null}]}}
n calls without name or id {"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"c1","input":{}},{"type":"tool_use","name":"A","input":{}},{"type":"tool_use","id":"c1","name":"","input":{}}]}}
w server call and result {"type":"assistant","message":{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}}
W server call {"type":"assistant","message":{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}]}}
R server result {"type":"assistant","message":{"role":"assistant","content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}}
m mcp and server calls with illegal ids {"type":"assistant","message":{"role":"assistant","content":[{"type":"mcp_tool_use","id":"m:1","name":"A","server_name":"S"},{"type":"server_tool_use","id":"srv:1","name":"new","input":null},{"type":"mcp_tool_result","tool_use_id":"m:1","content":[]},{"type":"advisor_tool_result","tool_use_id":"srv:1","content":{"type":"advisor_result","text":"a"}}]}}
b blank text {"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":" \n\u001f\ufeff"}]}}
0 empty user {"type":"user","message":{"role":"user","content":[]}}
s string content {"type":"assistant","message":{"role":"assistant","content":"s@"}}
g thinking without signature {"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"g@"},{"type":"redacted_thinking","data":""}]}}
h thinking, then text {"type":"assistant","message":{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"h@"}]}}
H text, then thinking {"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"H@ "},{"type":"redacted_thinking","data":"d"}]}}
z unknown blocks {"type":"assistant","message":{"role":"assistant","content":[{"type":"tomorrow","payload":"z@"},{"type":""},{}]}}
B result with blank texts inside {"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":" "},{"type":"text"},{"type":"image","source":{"type":"url","url":"B@"},"fileName":"f"}]},{"type":"tool_result","tool_use_id":"c:1","content":[{"type":"text","text":""}]}]}}
G image and result in an assistant {"type":"assistant","message":{"role":"assistant","content":[{"type":"image","source":{"type":"url","url":"G@"}},{"type":"tool_result","tool_use_id":"c1","content":"G@"}]}}
C calls and thinking in a user {"type":"user","message":{"role":"user","content":[{"type":"tool_use","id":"c1","name":"A","input":{}},{"type":"thinking","thinking":"C","signature":"s"},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[]}]}}
U lone surrogate {"type":"user","message":{"role":"user","content":[{"type":"text","text":"U@ \ud83d"}]}}
f internal fields {"type":"user","message":{"role":"user","content":[{"type":"text","text":"f@","uuid":"u","fileName":"f","_meta":1,"cache_control":{"type":"ephemeral"}},{"type":"document","source":{"type":"url","url":"f@","fileName":"kept"},"slug":"s"}]}}
y call, then server pair, then text {"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"y1","name":"A","input":{}},{"type":"server_tool_use","id":"srvtoolu_2","name":"web_fetch","input":{}},{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"web_fetch_tool_result_error","error_code":"unavailable"}},{"type":"text","text":"y@"}]}}
Y text with white space at its end {"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Y@ \n\u001c"}]}}
"#;

/// The letters of single blocks: neighbours of one role merge, so sequences are turns of several blocks.
pub(super) const BLOCKS: &str = r#"
u user text {"type":"user","message":{"content":"u@"}}
0 empty user {"type":"user","message":{"content":[]}}
1 result 1 {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c1","content":"r@"}]}}
2 result of the illegal id {"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"c:2","content":"r@"}]}}
t text {"type":"assistant","message":{"content":[{"type":"text","text":"t@ "}]}}
h thinking {"type":"assistant","message":{"content":[{"type":"thinking","thinking":"h@","signature":"s"}]}}
c call 1 {"type":"assistant","message":{"content":[{"type":"tool_use","id":"c1","name":"A","input":{"at":"@"}}]}}
d call with an illegal id {"type":"assistant","message":{"content":[{"type":"tool_use","id":"c:2","name":"A","input":{"at":"@"}}]}}
w web search 1 {"type":"assistant","message":{"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"at":"@"}}]}}
n new server tool 1 {"type":"assistant","message":{"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"new","input":{"at":"@"}}]}}
m mcp call 1 {"type":"assistant","message":{"content":[{"type":"mcp_tool_use","id":"srvtoolu_1","name":"A","server_name":"S","input":{"at":"@"}}]}}
i web search with an illegal id {"type":"assistant","message":{"content":[{"type":"server_tool_use","id":"s-2","name":"web_search","input":{"at":"@"}}]}}
W web search result 1 {"type":"assistant","message":{"content":[{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"@","title":"a","encrypted_content":"a"}]}]}}
M mcp result 1 {"type":"assistant","message":{"content":[{"type":"mcp_tool_result","tool_use_id":"srvtoolu_1","content":"@"}]}}
I web search result of the illegal id {"type":"assistant","message":{"content":[{"type":"web_search_tool_result","tool_use_id":"s-2","content":[{"type":"web_search_result","url":"@","title":"a","encrypted_content":"a"}]}]}}
"#;
