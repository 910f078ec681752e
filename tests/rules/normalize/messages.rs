//! Right pairs on messages: which are sent, where they stand, and what they become.

use serde_json::{Value, json};

use super::build::{
    Pair, api_error, at, attached, attachment, call, document, image, line, meta, note, pair, reply, result, system,
    text, tombstone, user, ut, with,
};

pub(super) fn pairs() -> Vec<Pair> {
    [attachments(), hidden(), media(), internal(), converted(), regrouped()].concat()
}

fn attachments() -> Vec<Pair> {
    vec![
        pair(
            "attachments go to the front of their run, in their order",
            [
                user("a"),
                system("informational", "i"),
                note("note one"),
                user("b"),
                note("note two"),
                reply(vec![text("c")]),
            ],
            [ut(vec![attached("note one"), attached("note two"), text("a"), text("b")]), at(vec![text("c")])],
        ),
        pair(
            "an assistant line stops an attachment, also one that is hidden",
            [user("a"), with(reply(vec![]), json!({"isVirtual": true})), user("b"), note("a note")],
            [ut(vec![text("a"), attached("a note"), text("b")])],
        ),
        pair(
            "a message with a result stops an attachment, and the result comes first",
            [user("a"), reply(vec![call("t1")]), user(vec![text("b"), result("t1", "r")]), user("c"), note("a note")],
            [
                ut(vec![text("a")]),
                at(vec![call("t1")]),
                ut(vec![result("t1", "r"), text("b"), attached("a note"), text("c")]),
            ],
        ),
        pair(
            "an attachment is before the message with a result that ends its run",
            [reply(vec![call("t1")]), user("a"), note("a note"), user(vec![result("t1", "r"), text("b")])],
            [
                ut(vec![text("(no content)")]),
                at(vec![call("t1")]),
                ut(vec![result("t1", "r"), attached("a note"), text("a"), text("b")]),
            ],
        ),
    ]
}

fn hidden() -> Vec<Pair> {
    let transcript_only = json!({"isVisibleInTranscriptOnly": true});
    vec![
        pair(
            "virtual and transcript-only messages go, a summary stays",
            [
                with(user("v"), json!({"isVirtual": true})),
                with(user("t"), transcript_only.clone()),
                with(user("s"), json!({"isVisibleInTranscriptOnly": true, "isCompactSummary": true})),
                with(reply(vec![text("x")]), transcript_only.clone()),
                with(note("a note"), transcript_only),
                reply(vec![text("b")]),
            ],
            [ut(vec![text("s")]), at(vec![text("b")])],
        ),
        pair(
            "a virtual summary is dropped, and flags that are not true do nothing",
            [
                with(user("s"), json!({"isVirtual": true, "isCompactSummary": true})),
                with(user("a"), json!({"isVirtual": "true", "isVisibleInTranscriptOnly": null})),
            ],
            [ut(vec![text("a")])],
        ),
        pair("all hidden is nothing to send", [with(user("a"), json!({"isVirtual": true}))], []),
    ]
}

fn media() -> Vec<Pair> {
    let error = |words| api_error(words);
    vec![
        pair(
            "a refused image is removed from the message that brought it, over errors and progress",
            [
                user("a"),
                meta(vec![text("m"), image(), document()]),
                json!({"type": "progress"}),
                error("Image EXCEEDS 5 MB maximum"),
                system("api_error", "retry"),
                error("image could not process"),
            ],
            [ut(vec![text("a"), text("m"), document()])],
        ),
        pair(
            "two errors in a row mark the same message, and an emptied message is dropped",
            [
                user("a"),
                reply(vec![text("b")]),
                meta(vec![image(), document()]),
                error("image was too large"),
                error("The PDF is password protected"),
                reply(vec![text("c")]),
            ],
            [ut(vec![text("a")]), at(vec![text("b"), text("c")])],
        ),
        pair(
            "a request that was too large takes both",
            [meta(vec![image(), document(), text("m")]), error("413 request_too_large")],
            [ut(vec![text("m")])],
        ),
        pair(
            "a message that is not meta, and one behind another message, keep their media",
            [
                user(vec![image()]),
                error("image too large"),
                meta(vec![image()]),
                json!({"type": "hook_result"}),
                error("image too large"),
                meta(vec![document()]),
                user("a"),
                error("pdf invalid"),
            ],
            [ut(vec![image(), image(), document(), text("a")])],
        ),
        pair(
            "an error that names one type, or is not synthetic, leaves the rest",
            [
                meta(vec![image(), document()]),
                error("the image is fine but the page is not"),
                error("pdf has a maximum of 100 pages"),
                with(reply(vec![text("image too large")]), json!({"isApiErrorMessage": true})),
            ],
            [ut(vec![image()]), at(vec![text("image too large")])],
        ),
        pair(
            "an error in a string counts, and one that is hidden does not",
            [
                meta(vec![image(), document(), result("t1", "r")]),
                with(error("pdf too large"), json!({"isVirtual": true})),
                json!({"type": "assistant", "isApiErrorMessage": true,
                    "message": {"model": "<synthetic>", "content": "image too large"}}),
            ],
            [ut(vec![document()])],
        ),
    ]
}

fn internal() -> Vec<Pair> {
    let named = |uuid: &str, words| with(reply(vec![text(words)]), json!({"uuid": uuid}));
    vec![
        pair(
            "what people alone see is dropped",
            [
                user("a"),
                json!({"type": "progress", "data": {"type": "text", "text": "p"}}),
                json!({"type": "hook_result", "content": "h"}),
                json!({"type": "grouped_tool_use"}),
                json!({"type": "tool_use_summary", "summary": "s"}),
                json!({"type": "stream_event", "event": {}}),
                json!({"type": "stream_request_start"}),
                system("informational", "i"),
                system("compact_boundary", "Conversation compacted"),
                json!({"type": "system", "content": "no subtype"}),
                api_error("Overloaded"),
                user("b"),
            ],
            [ut(vec![text("a"), text("b")])],
        ),
        pair(
            "a tombstone withdraws each earlier line with its uuid, not a later one",
            [user("a"), named("u1", "w1"), named("u2", "b"), named("u1", "w2"), tombstone("u1"), named("u1", "c")],
            [ut(vec![text("a")]), at(vec![text("b"), text("c")])],
        ),
        pair(
            "a hidden tombstone withdraws nothing, nor one that names a user message",
            [
                with(user("a"), json!({"uuid": "u1"})),
                named("u2", "b"),
                tombstone("u1"),
                with(tombstone("u2"), json!({"isVirtual": true})),
                json!({"type": "tombstone", "message": {"uuid": 5}}),
                json!({"type": "tombstone"}),
            ],
            [ut(vec![text("a")]), at(vec![text("b")])],
        ),
        pair(
            "the call of a withdrawn reply takes its result along",
            [
                user("a"),
                with(reply(vec![call("t1")]), json!({"uuid": "u1"})),
                tombstone("u1"),
                user(vec![result("t1", "r")]),
            ],
            [ut(vec![text("a")])],
        ),
    ]
}

fn converted() -> Vec<Pair> {
    let command = |members: Value| with(json!({"type": "system", "subtype": "local_command"}), members);
    let texts = |texts: &[&str]| ut(texts.iter().map(|words| text(words)).collect());
    vec![
        pair(
            "a local command is a text of the user",
            [
                command(json!({"content": "<command-name>x"})),
                command(json!({"message": "m"})),
                command(json!({"content": null, "message": "o"})),
                command(json!({})),
                command(json!({"content": "c", "message": "not this"})),
            ],
            [texts(&["<command-name>x", "m", "o", "c"])],
        ),
        pair(
            "a command that says nothing still is between replies",
            [user("a"), reply(vec![text("b")]), command(json!({"content": " "})), reply(vec![text("c")])],
            [ut(vec![text("a")]), at(vec![text("b")]), texts(&["(no content)"]), at(vec![text("c")])],
        ),
        pair(
            "attachments say what their kind says, in any words",
            [
                attachment(json!({"type": "file", "filename": "/f", "content": {"file": {"content": "words"}}})),
                attachment(json!({"type": "edited_text_file", "filename": "/e", "snippet": "snip"})),
                attachment(json!({"type": "nested_memory", "path": "/p", "content": {"content": "memo"}})),
                attachment(json!({"type": "hook_blocking_error", "blockingError": {"blockingError": "halt"}})),
                attachment(json!({"type": "todo_reminder",
                        "content": [{"content": "t1", "status": "done"}, {"content": "t2"}]})),
                attachment(json!({"type": "task_reminder", "content": [{"subject": "buy", "id": 7}, 5]})),
                attachment(json!({"type": "invoked_skills", "skills": [{"content": "fly"}]})),
                attachment(json!({"type": "date_change", "newDate": "2026-01-02"})),
                attachment(json!({"type": "deferred_tools_delta", "addedLines": ["y1", " ", "y2", 3],
                        "removedNames": ["gone"]})),
                attachment(json!({"type": "task_status", "description": "grow", "status": "ended"})),
            ],
            [ut(vec![
                attached("/f: words"),
                attached("/e: snip"),
                attached("memo, of /p"),
                attached("halt"),
                attached("t2, t1 (done)"),
                attached("buy 7"),
                attached("fly"),
                attached("It is 2026-01-02 now."),
                attached("y1 y2 3, not gone"),
                attached("ended: grow"),
            ])],
        ),
        pair(
            "media of attachments are blocks, after what the attachment says",
            [
                attachment(json!({"type": "file", "filename": "/a.png", "content": {"type": "image",
                    "file": {"base64": "AA==", "type": "image/png"}}})),
                attachment(json!({"type": "file", "filename": "/b.bmp", "content": {"type": "image",
                    "file": {"base64": "AA==", "type": "image/bmp"}}})),
                attachment(
                    json!({"type": "mcp_resource", "server": "docs", "uri": "docs://x", "content": {"contents": [
                    {"mimeType": "image/png", "blob": "AA=="}, {"text": "page"},
                    {"mimeType": "x/y", "blob": "AA=="}]}}),
                ),
                attachment(json!({"type": "file", "filename": "/a.pdf", "content": {"type": "pdf",
                    "file": {"base64": "JVBE"}}})),
            ],
            [ut(vec![
                attached("/a.png"),
                image(),
                attached("/b.bmp"),
                attached("docs docs://x page"),
                image(),
                attached("/a.pdf"),
                json!({"type": "document",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBE"}}),
            ])],
        ),
        pair(
            "media of attachments that the API refused go, however far the attachment moved",
            [
                reply(vec![text("before")]),
                user("look"),
                attachment(json!({"type": "file", "filename": "/a.png", "content": {"type": "image",
                    "file": {"base64": "AA==", "type": "image/png"}}})),
                attachment(json!({"type": "queued_command", "prompt": [image()]})),
                api_error("image too large"),
            ],
            [
                ut(vec![text("(no content)")]),
                at(vec![text("before")]),
                ut(vec![attached("/a.png"), image(), text("look")]),
            ],
        ),
        pair(
            "an attachment that says nothing is not there, and does not separate replies",
            [
                user("a"),
                reply(vec![text("b")]),
                attachment(json!({"type": "file"})),
                attachment(json!({"type": "hook_system_message", "content": "x"})),
                attachment(json!({"type": "hook_additional_context", "content": ["", "\u{feff}"]})),
                attachment(json!({"type": "queued_command", "prompt": "\u{1c} "})),
                json!({"type": "attachment"}),
                reply(vec![text("c")]),
            ],
            [ut(vec![text("a")]), at(vec![text("b"), text("c")])],
        ),
        pair(
            "a queued command is a text, or its own blocks; what the user did not type is wrapped",
            [
                attachment(json!({"type": "queued_command", "prompt": "queue"})),
                attachment(
                    json!({"type": "queued_command", "prompt": [text("row"), "no object", image(), call("t1")]}),
                ),
                attachment(json!({"type": "queued_command", "prompt": "typed", "commandMode": "prompt"})),
                attachment(json!({"type": "queued_command", "prompt": "ended", "commandMode": "task-notification"})),
                attachment(json!({"type": "queued_command", "prompt": [text("hello")], "origin": {"kind": "peer"}})),
            ],
            [ut(vec![text("queue"), text("row"), image(), text("typed"), attached("ended"), attached("hello")])],
        ),
        pair(
            "content that is a string is one text, and content that is absent is no block",
            [
                user("a"),
                json!({"type": "assistant", "message": {"content": "b"}}),
                json!({"type": "user"}),
                json!({"type": "assistant", "message": {"content": null}}),
                json!({"type": "user", "message": {"content": []}}),
                reply(vec![text("c")]),
            ],
            [ut(vec![text("a")]), at(vec![text("b")]), texts(&["(no content)"]), at(vec![text("c")])],
        ),
    ]
}

fn regrouped() -> Vec<Pair> {
    vec![
        pair(
            "the lines of a reply go to the place of the first",
            [
                user("a"),
                line("m1", vec![text("b"), call("t1")]),
                user(vec![result("t1", "r1")]),
                line("m1", vec![call("t2")]),
                user(vec![text("c"), result("t2", "r2")]),
                line("m2", vec![text("d")]),
            ],
            [
                ut(vec![text("a")]),
                at(vec![text("b"), call("t1"), call("t2")]),
                ut(vec![result("t1", "r1"), result("t2", "r2"), text("c")]),
                at(vec![text("d")]),
            ],
        ),
        pair(
            "a result before the second line of the reply answers a call of that line",
            [user("a"), line("m1", vec![text("b")]), user(vec![result("t1", "r")]), line("m1", vec![call("t1")])],
            [ut(vec![text("a")]), at(vec![text("b"), call("t1")]), ut(vec![result("t1", "r")])],
        ),
        pair(
            "an empty id is no reply's, and neighbours become one turn",
            [user("a"), line("", vec![text("b")]), user("c"), line("", vec![text("d")]), line("m", vec![text("e")])],
            [ut(vec![text("a")]), at(vec![text("b")]), ut(vec![text("c")]), at(vec![text("d"), text("e")])],
        ),
        pair(
            "a withdrawn first line leaves the place to the second",
            [
                user("a"),
                with(line("m1", vec![text("w")]), json!({"uuid": "u1"})),
                user("b"),
                line("m1", vec![text("c")]),
                tombstone("u1"),
            ],
            [ut(vec![text("a"), text("b")]), at(vec![text("c")])],
        ),
    ]
}
