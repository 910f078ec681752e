//! Faults of a *validator of replies*, which checks what a host, a gateway or a mock server sends back.

use turnproof_rules::operation::ResponseRefusal;

use super::stable::is_second_time;
use super::{Fault, Wrong, fault};

pub(super) const FAULTS: &[Fault] = &[
    fault("check_response/wants-streams", "response/accepts-legal")
        .that("refuses a message that is no stream")
        .by(Wrong::ResponseRefusals(|response, refusals| refuse_where(refusals, response.starts_with('{')))),
    fault("check_response/refuses-errors", "response/accepts-legal").that("takes an error for no reply").by(
        Wrong::ResponseRefusals(|response, refusals| {
            refuse_where(refusals, response.contains(r#""type":"error""#));
        }),
    ),
    fault("check_response/refuses-pings", "response/accepts-legal")
        .that("takes a ping for an unknown event")
        .by(Wrong::ResponseRefusals(|response, refusals| refuse_where(refusals, response.contains("event: ping\n")))),
    fault("check_response/refuses-empty-content", "response/accepts-legal")
        .that("refuses a message without a block")
        .by(Wrong::ResponseRefusals(|response, refusals| {
            let has_block = response.contains("content_block") || response.contains(r#""text":"#);
            refuse_where(refusals, response.contains(r#""content":[]"#) && !has_block);
        })),
    fault("check_response/refuses-server-tools", "response/accepts-legal")
        .that("knows the blocks of the API's first year alone")
        .by(Wrong::ResponseRefusals(|response, refusals| {
            refuse_where(refusals, response.contains("server_tool_use"));
        })),
    fault("check_response/reads-no-event-lines", "response/refuses-illegal")
        .that("takes the type in the data, and does not look at `event:`")
        .by(Wrong::ResponseRefusals(|_, refusals| {
            without(refusals, &["`event:` line", "the event is named"]);
        })),
    fault("check_response/accepts-done", "response/refuses-illegal")
        .that("takes [DONE] for the end of a stream")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &["[DONE]"]))),
    fault("check_response/skips-broken-data", "response/refuses-illegal")
        .that("skips events whose data is no JSON")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &["the data is no JSON object"]))),
    fault("check_response/accepts-other-apis", "response/refuses-illegal")
        .that("accepts replies of other APIs, since a client translates them")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &["this is "]))),
    fault("check_response/accepts-what-is-no-reply", "response/refuses-illegal")
        .that("accepts an empty body and a page in HTML")
        .by(Wrong::ResponseRefusals(|_, refusals| {
            without(refusals, &["there is nothing in it", "a reply is a message as JSON", "not JSON"]);
        })),
    fault("check_response/checks-no-order", "response/refuses-illegal").that("looks at each event by itself").by(
        Wrong::ResponseRefusals(|_, refusals| {
            let of_order = ["comes before", "comes behind", "is open", "without `message_delta`", "is stopped"];
            without(refusals, &of_order);
            without(refusals, &["a second `message_start`", "that began", "begins with the index", "the stream ends"]);
        }),
    ),
    fault("check_response/accepts-streams-without-an-end", "response/refuses-illegal")
        .that("does not notice that a stream has no end")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &["the stream ends before `message_stop`"]))),
    fault("check_response/accepts-any-delta", "response/refuses-illegal")
        .that("does not check that a delta fits its block")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &[", which is a "]))),
    fault("check_response/joins-no-inputs", "response/refuses-illegal")
        .that("does not read the joined input of a call")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &["the input of the call"]))),
    fault("check_response/checks-no-ids", "response/refuses-illegal")
        .that("does not look at ids")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &[" id"]))),
    fault("check_response/accepts-missing-usage", "response/refuses-illegal")
        .that("takes usage for optional")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &["without usage", "has no usage"]))),
    fault("check_response/accepts-any-stop-reason", "response/refuses-illegal")
        .that("lets replies stop for any reason")
        .by(Wrong::ResponseRefusals(|_, refusals| without(refusals, &["stop_reason"]))),
    fault("check_response/accepts-missing-members", "response/refuses-illegal")
        .that("does not know which members a message and its blocks require")
        .by(Wrong::ResponseRefusals(|_, refusals| {
            without(refusals, &["the role", "names no model", "has no type", "required", "has no index"]);
        })),
    fault("check_response/checks-streams-alone", "response/refuses-illegal")
        .that("reads streams, and accepts any message that is none")
        .by(Wrong::ResponseRefusals(|response, refusals| {
            if response.starts_with('{') {
                refusals.clear();
            }
        })),
    fault("check_response/checks-the-first-block-alone", "response/refuses-illegal")
        .that("checks events up to the end of the first block")
        .by(Wrong::ResponseRefusals(|response, refusals| {
            let before = response.split("event: content_block_stop").next().unwrap_or_default();
            let checked = before.matches("event: ").count() as u64;
            refusals.retain(|refusal| refusal.event.is_none_or(|event| event <= checked));
        })),
    fault("check_response/counts-events-from-one", "response/names-event").that("counts the events from 1").by(
        Wrong::ResponseRefusals(|_, refusals| {
            refusals.iter_mut().filter_map(|refusal| refusal.event.as_mut()).for_each(|event| *event += 1);
        }),
    ),
    fault("check_response/counts-no-pings", "response/names-event").that("drops pings before it counts events").by(
        Wrong::ResponseRefusals(|response, refusals| {
            let names: Vec<&str> = response.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
            for event in refusals.iter_mut().filter_map(|refusal| refusal.event.as_mut()) {
                *event -= names.iter().take(*event as usize).filter(|name| **name == "ping").count() as u64;
            }
        }),
    ),
    fault("check_response/names-no-event", "response/names-event")
        .that("says what is wrong, and not where")
        .by(Wrong::ResponseRefusals(|_, refusals| refusals.iter_mut().for_each(|refusal| refusal.event = None))),
    fault("check_response/errors-in-the-order-of-keys", "response/deterministic")
        .that("keeps errors in a map, and gives them in the order of its keys")
        .by(Wrong::ResponseRefusals(|_, refusals| {
            if is_second_time() {
                refusals.reverse();
            }
        })),
    fault("check_response/keeps-the-stream-before", "response/deterministic")
        .that("begins a stream with the state of the one before")
        .by(Wrong::ResponseRefusals(|response, refusals| {
            refuse_where(refusals, is_second_time() && response.contains("message_start"));
        })),
];

/// Adds an error where a validator refuses too much.
fn refuse_where(refusals: &mut Vec<ResponseRefusal>, is_refused: bool) {
    if is_refused {
        refusals.push(ResponseRefusal { event: None, error: "no reply that it knows".to_owned() });
    }
}

/// Takes the errors with any of these words away.
fn without(refusals: &mut Vec<ResponseRefusal>, words: &[&str]) {
    refusals.retain(|refusal| !words.iter().any(|words| refusal.error.contains(words)));
}
