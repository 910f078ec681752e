//! *Errors*: of the API, of the stream, of the disk; retries, fallback, the limit of output.

use serde_json::json;
use turnproof_reference::engine::{
    Failure, Hook, HookEvent, HookOutcome, Input, MAX_CONTINUATIONS, MAX_RETRIES, Refused,
};
use turnproof_reference::json::Raw;
use turnproof_reference::message::{Content, Event, Typed};

use super::talk::{Talk, messages, values, yielded};

#[test]
fn an_error_that_may_pass_is_shown_and_the_request_is_sent_again() {
    for failure in [Failure::Overloaded, Failure::RateLimited, Failure::Server, Failure::Connection] {
        let mut talk = Talk::new();
        let first = talk.says("go").request;
        for attempt in 1..=MAX_RETRIES {
            let step = talk.step(Input::Fail(failure));
            assert_eq!(yielded(&step), ["system api_error"], "{failure:?}, attempt {attempt}");
            assert_eq!(step.request, first, "the notice is not sent");
        }
        let step = talk.step(Input::Fail(failure));
        assert!(step.request.is_none() && yielded(&step)[0].starts_with("assistant API Error"));
        assert!(talk.engine.is_idle());
    }
}

#[test]
fn a_notice_of_an_error_says_how_long_it_waits_twice_as_long_each_time() {
    let mut talk = Talk::asked();
    for (attempt, wait) in (1..=MAX_RETRIES).zip([1_000, 2_000, 4_000]) {
        let step = talk.step(Input::Fail(Failure::Overloaded));
        let notice = &values(&step.events)[0];
        let reported = ["retryAttempt", "retryInMs", "maxRetries"].map(|name| notice[name].as_u64());
        assert_eq!(reported, [attempt, wait, MAX_RETRIES].map(Some), "{notice}");
    }
}

#[test]
fn any_other_error_ends_the_turn_and_the_next_prompt_is_sent_without_it() {
    let failures = [
        Failure::PromptTooLong,
        Failure::ImageTooLarge,
        Failure::PdfTooLarge,
        Failure::PdfLocked,
        Failure::RequestTooLarge,
        Failure::Invalid,
        Failure::Authentication,
        Failure::Permission,
        Failure::Billing,
        Failure::NotFound,
    ];
    for failure in failures {
        let mut talk = Talk::asked();
        let step = talk.step(Input::Fail(failure));
        assert!(step.request.is_none() && talk.engine.is_idle(), "{failure:?}");
        let request = talk.says("again").request.expect("a request");
        assert!(!request.contains("API Error"), "{request}");
    }
}

#[test]
fn media_that_the_api_refused_are_not_sent_again() {
    let image = r#"[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}]"#;
    let document =
        r#"[{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}}]"#;
    let cases = [(image, Failure::ImageTooLarge), (document, Failure::PdfTooLarge), (document, Failure::PdfLocked)];
    for (media, failure) in cases {
        let mut talk = Talk::new();
        let content = Content::read(&Raw::from_json(media.into()).expect("JSON")).expect("content");
        talk.step(Input::Meta(content));
        assert!(talk.says("look").request.is_some_and(|request| request.contains("base64")));
        talk.step(Input::Fail(failure));
        let request = talk.says("without it").request.expect("a request");
        assert!(!request.contains("base64"), "{failure:?}: {request}");
    }
}

#[test]
fn a_stream_that_breaks_off_is_withdrawn_before_the_next_try() {
    let mut talk = Talk::asked();
    talk.replies("half");
    talk.calls("toolu_1");
    talk.result("toolu_1", "early");
    let step = talk.step(Input::Break);
    let kinds: Vec<String> = yielded(&step);
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    assert!(kinds[0].starts_with("tombstone") && kinds[1].starts_with("tombstone"));
    assert_eq!(talk.list(), ["user go", "system api_error"]);
    assert!(step.request.is_some_and(|request| !request.contains("early")));
}

#[test]
fn a_call_of_a_reply_that_was_withdrawn_is_unknown_even_if_it_had_its_result() {
    let hook = Input::Hook(Hook {
        event: HookEvent::PostToolUse,
        call: Some("toolu_1".into()),
        outcome: HookOutcome::Success,
    });
    let mut talk = Talk::asked();
    talk.calls("toolu_1");
    talk.result("toolu_1", "early");
    talk.step(hook.clone());
    // The notice cannot be written, so no other request is sent.
    talk.step(Input::Disk(Some(0)));
    assert!(talk.step(Input::Break).request.is_none() && talk.engine.is_idle());
    assert_eq!(talk.engine.step(&hook).refused, Some(Refused::NoSuchCall));
}

#[test]
fn a_fallback_withdraws_exactly_what_was_shown_and_the_new_reply_supersedes_what_is_on_disk() {
    let mut talk = Talk::asked();
    talk.replies("one");
    talk.replies("two");
    talk.step(Input::Wait(200));
    talk.replies("three");
    let shown: Vec<String> = messages(&talk.engine).filter_map(|message| message.uuid().map(str::to_owned)).collect();
    let step = talk.step(Input::Fallback("another-model".into()));
    let withdrawn: Vec<String> = step
        .events
        .iter()
        .filter_map(|event| match event {
            Event::Tombstone(tombstone) => tombstone.withdrawn().map(|uuid| uuid.as_str().to_owned()),
            _ => None,
        })
        .collect();
    assert_eq!(withdrawn, shown[1..]);
    let step = talk.replies("better");
    let line = step.events.iter().map(|event| event.write().get().to_owned()).find(|json| json.contains("better"));
    let line = line.expect("the line");
    assert!(line.contains(&format!(r#""supersedesUuids":["{}","{}"]"#, shown[1], shown[2])), "{line}");
    talk.ends("end_turn");
    talk.step(Input::Resume);
    assert_eq!(talk.list(), ["user go", "system informational", "assistant better"]);
}

#[test]
fn a_reply_that_reached_the_limit_continues_a_few_times() {
    let mut talk = Talk::asked();
    for _ in 0..MAX_CONTINUATIONS {
        talk.replies("more");
        let step = talk.ends("max_tokens");
        assert!(step.request.is_some());
    }
    talk.replies("still more");
    let step = talk.ends("max_tokens");
    assert!(step.request.is_none() && talk.engine.is_idle());
    let last = values(&step.events).pop().expect("an error");
    assert_eq!(last["isApiErrorMessage"], true);
    assert_eq!(last["apiError"], "max_output_tokens");
    // What the user says next is sent without it.
    assert!(talk.says("go on").request.is_some_and(|request| !request.contains("API Error")));
}

#[test]
fn an_error_that_is_shown_says_its_kind_and_what_the_api_said() {
    let kinds = [
        (Failure::PromptTooLong, "invalid_request", "prompt is too long"),
        (Failure::RequestTooLarge, "invalid_request", "request_too_large"),
        (Failure::Authentication, "authentication_failed", "invalid x-api-key"),
        (Failure::Permission, "authentication_failed", "permission_error"),
        (Failure::Billing, "billing_error", "billing_error"),
        (Failure::NotFound, "model_not_found", "not_found_error"),
    ];
    for (failure, kind, words) in kinds {
        let mut talk = Talk::asked();
        let error = values(&talk.step(Input::Fail(failure)).events).pop().expect("an error");
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        assert_eq!((text("apiError"), text("error")), (kind.to_owned(), kind.to_owned()));
        assert!(text("errorDetails").contains(words), "{error}");
    }
    for (failure, kind) in
        [(Failure::RateLimited, "rate_limit"), (Failure::Timeout, "server_error"), (Failure::Connection, "unknown")]
    {
        let mut talk = Talk::asked();
        let steps: Vec<_> = (0..=MAX_RETRIES).map(|_| talk.step(Input::Fail(failure))).collect();
        let error = values(&steps.last().expect("a step").events).pop().expect("an error");
        assert_eq!(error["apiError"], kind);
        assert!(!error["errorDetails"].as_str().unwrap_or_default().is_empty());
    }
}

#[test]
fn a_call_that_the_limit_cut_is_answered_with_an_error() {
    let mut talk = Talk::asked();
    talk.calls("toolu_1");
    talk.calls("toolu_2");
    talk.ends("max_tokens");
    assert_eq!(talk.engine.open_calls().collect::<Vec<_>>(), ["toolu_1"]);
    assert!(talk.result("toolu_1", "done").request.is_some_and(|request| request.contains("cut off")));
}

#[test]
fn a_prompt_that_the_disk_refuses_is_not_sent_and_is_not_lost() {
    let mut talk = Talk::after(&[("one", "first")]);
    let before = talk.engine.transcript().to_vec();
    talk.step(Input::Disk(Some(10)));
    let step = talk.says("two");
    assert!(step.request.is_none());
    assert_eq!(yielded(&step), ["user two", "system informational"]);
    assert!(talk.engine.transcript().starts_with(&before));
    talk.step(Input::Disk(None));
    let step = talk.says("three");
    assert!(step.request.is_some_and(|request| request.contains("two") && request.contains("three")));
    talk.comes_back();
    let list = talk.list();
    assert_eq!(list, ["user one", "assistant first", "user two", "system informational", "user three"]);
}

#[test]
fn an_event_out_of_order_counts_and_what_it_yields_stays() {
    let mut talk = Talk::asked();
    talk.replies("one");
    let start = |index: u64| json!({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": "two"}});
    talk.stream(start(1));
    // The block before has not stopped.
    let step = talk.stream(start(2));
    assert!(matches!(step.events.first(), Some(Event::StreamEvent(_))));
    assert_eq!(yielded(&step), ["assistant two"]);
    let step = talk.stream(json!({"type": "content_block_stop", "index": 9}));
    assert!(matches!(step.events[..], [Event::StreamEvent(_)]));
}

#[test]
fn an_event_that_cannot_be_read_changes_nothing() {
    let mut talk = Talk::asked();
    talk.replies("one");
    let before = talk.engine.log().events().count();
    let event = serde_json::from_value(json!({"type": "content_block_stop"})).expect("an object");
    let step = talk.engine.step(&Input::Stream(event));
    assert_eq!((step.refused, step.events.len()), (Some(Refused::BadEvent), 0));
    assert_eq!(talk.engine.log().events().count(), before);
    talk.replies("two");
    assert_eq!(talk.list(), ["user go", "assistant one", "assistant two"]);
}

#[test]
fn an_error_in_a_stream_is_the_failure_that_its_type_names() {
    for (kind, reported) in [
        ("overloaded_error", "overloaded_error"),
        ("rate_limit_error", "rate_limit_error"),
        ("api_error", "api_error"),
        ("connection_error", "connection_error"),
        ("timeout_error", "timeout_error"),
        ("an_error_of_tomorrow", "api_error"),
    ] {
        let mut talk = Talk::new();
        let first = talk.says("go").request;
        talk.replies("half");
        let step = talk.stream(json!({"type": "error", "error": {"type": kind, "message": "a"}}));
        assert_eq!(step.request, first, "{kind} may pass");
        let notice = values(&step.events).into_iter().find(|notice| notice["subtype"] == "api_error");
        let notice = notice.expect("a notice");
        assert_eq!(notice["error"]["error"]["error"]["type"], reported, "{notice}");
    }
    for kind in [
        "invalid_request_error",
        "authentication_error",
        "permission_error",
        "billing_error",
        "not_found_error",
        "request_too_large",
    ] {
        let mut talk = Talk::asked();
        talk.replies("half");
        let step = talk.stream(json!({"type": "error", "error": {"type": kind, "message": "a"}}));
        assert!(step.request.is_none() && talk.engine.is_idle(), "{kind} ends the turn");
        assert_eq!(talk.list()[1], "assistant half", "{kind}: what was shown stays");
    }
}

#[test]
fn an_error_in_a_stream_that_refuses_media_says_so() {
    let mut talk = Talk::asked();
    let message = "The PDF specified is password protected.";
    let error = json!({"type": "error", "error": {"type": "invalid_request_error", "message": message}});
    assert!(yielded(&talk.stream(error))[0].contains(message));
}
