//! A mock that runs is *changed*: another script, faults, replies that bytes choose, and a run from its beginning.

use turnproof_mock::{Change, Script, Settings, faults, sample};

use super::client::ask;
use super::streams::{allowing, broken};
use super::{body, started, usual};

fn script(text: &str) -> Change {
    Change { script: Some(Script::read(text).expect("a script")), ..Change::default() }
}

#[test]
fn what_changes_is_played_from_the_next_request_on_and_the_rest_stays() {
    let (mock, _exchanges) = usual();
    let hello = body(serde_json::json!({}));
    let said = || ask(&mock, &hello).said();
    assert!(said().starts_with("Reply 1"));
    mock.change(script("[[step]]\ntext = \"one\"\n[[step]]\ntext = \"two\""));
    assert_eq!(said(), "one");
    mock.change(Change { faults: Some(faults("529").expect("faults")), ..Change::default() });
    assert_eq!(ask(&mock, &hello).status, 529);
    assert_eq!(said(), "two", "who asks again gets the step");
    mock.change(script("[[step]]\ntext = \"three\""));
    assert_eq!(said(), "three");
}

#[test]
fn what_no_request_got_is_named() {
    let (mock, _exchanges) =
        started(Settings { faults: faults("529,cut-event=5+crlf,429=5").expect("faults"), ..Settings::default() });
    mock.change(script(
        "[[step]]\ntext = \"one\"\n[[step]]\nwhen = {nth = 9}\ntext = \"nine\"\n[[step]]\ntext = \"two\"",
    ));
    let hello = body(serde_json::json!({}));
    assert_eq!(ask(&mock, &hello).status, 529);
    let others = ["fault cut-event=5+crlf", "fault 429=5"];
    assert_eq!(
        mock.never_played(),
        [&others[..], &["step 1", "step 2", "step 3"]].concat(),
        "nobody got the first step"
    );
    assert_eq!(ask(&mock, &hello).said(), "one");
    assert_eq!(mock.never_played(), [&others[..], &["step 2", "step 3"]].concat());
    mock.change(script("[[step]]\ntext = \"three\""));
    assert_eq!(mock.never_played().last().map(String::as_str), Some("step 1"), "of the script that is played now");
    mock.change(Change { begin: true, ..Change::default() });
    assert!(mock.never_played().is_empty());
}

#[test]
fn a_run_begins_as_the_first_one_did() {
    let (mock, exchanges) = started(Settings::default());
    let hello = body(serde_json::json!({}));
    let first = ask(&mock, &hello).body;
    assert_ne!(ask(&mock, &hello).body, first);
    mock.change(Change { begin: true, ..Change::default() });
    assert_eq!(ask(&mock, &hello).body, first);
    assert_eq!(exchanges.try_iter().map(|exchange| exchange.number).collect::<Vec<_>>(), [1, 2, 1]);
}

#[test]
fn bytes_choose_legal_replies_until_they_are_used_up() {
    let (mock, _exchanges) = usual();
    let mut asked = allowing();
    asked["stream"] = true.into();
    let bytes: Vec<u8> = (0..=255).collect();
    mock.change(Change { replies: Some(bytes.clone()), ..Change::default() });
    let replies: Vec<String> = (0..200).map(|_| ask(&mock, &asked).text()).collect();
    for reply in &replies {
        let wrong: Vec<String> = broken(reply).into_iter().filter(|wrong| !wrong.starts_with("reply/known")).collect();
        assert_eq!(wrong, [] as [&str; 0], "{reply}");
    }
    let is_usual = |reply: &&String| reply.contains("Reply ");
    assert!(!is_usual(&&replies[0]) && is_usual(&&replies[199]));
    // The first of them is the one that is drawn without a server.
    assert_eq!(sample(asked.to_string().as_bytes(), bytes).expect("it is legal"), replies[0]);
}

#[test]
fn a_sample_of_an_illegal_body_is_the_error_of_the_api() {
    let asked = body(serde_json::json!({"messages": []})).to_string();
    let refused = sample(asked.as_bytes(), Vec::new()).expect_err("it is not legal");
    assert_eq!(refused.message, "messages: at least one message is required");
}
