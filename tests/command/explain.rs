//! `turnproof explain` of an *error*: what it prints of one that is pasted, and how it ends.

#![cfg(feature = "cli")]

use turnproof_rules::errors::PAGES;

use crate::call::{run, turnproof};

const CALLS: &str = r#"API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"messages.3.content.1: `tool_use` ids must be unique"},"request_id":"req_0"}"#;

#[test]
fn an_error_leads_to_its_rule_its_place_and_what_to_do() {
    let (code, out, error) = run(&mut turnproof(&["explain", CALLS]));
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.starts_with("pairing/unique-use-id (error): "), "{out}");
    for part in [
        "\n    {path}: `tool_use` ids must be unique\n",
        "\nSaid by api.anthropic.com (reported 2026-08).\n",
        "\nWhat it means\n",
        "\nmessages.3.content.1 is block 2 of turn 4 of the request, since the API counts from 0.\n",
        "\n  jq '.messages[3].content[1]' body.json ",
        "\n  turnproof check --request body.json ",
        "\n  turnproof view session.jsonl ",
        "\n  turnproof normalize --for api session.jsonl ",
        "\nWhat to do\n",
        "\nThe same words may mean: pairing/server-tools (",
        "\nturnproof explain pairing/unique-use-id\n",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
    assert_eq!(run(&mut turnproof(&["explain", CALLS])).1, out);
    let (_, out, _) = run(&mut turnproof(&["explain", &format!("{CALLS} toolu_01A.")]));
    assert!(out.contains("\n  turnproof find toolu_01A "), "{out}");
}

#[test]
fn the_words_of_an_error_may_come_one_by_one_or_from_standard_input() {
    let whole = run(&mut turnproof(&["explain", "Prompt is too long"])).1;
    assert!(whole.starts_with("error/too-long: "), "{whole}");
    assert_eq!(run(&mut turnproof(&["explain", "Prompt", "is", "too", "long"])).1, whole);
    assert_eq!(run(turnproof(&["explain", "-"]).write_stdin("Prompt is too long\n")).1, whole);
}

#[test]
fn an_error_of_a_reply_leads_to_the_check_of_replies() {
    let (code, out, _) = run(&mut turnproof(&["explain", "API Error: Content block is not a thinking block"]));
    assert_eq!(code, 0);
    assert!(
        out.starts_with("reply/deltas-fit (") && out.contains("\n  turnproof check --response reply.sse "),
        "{out}"
    );
}

#[test]
fn each_page_of_an_error_explains_itself() {
    for page in PAGES.iter() {
        let (code, out, error) = run(&mut turnproof(&["explain", page.id]));
        assert_eq!((code, error.as_str()), (0, ""), "{}", page.id);
        assert!(out.starts_with(&format!("{}: ", page.id)), "{out}");
        for heading in ["What it means", "Where to look", "What to do", "Where it comes from"] {
            assert!(out.contains(&format!("\n{heading}\n")), "{heading} in {}", page.id);
        }
    }
}

#[test]
fn an_error_that_no_page_has_is_exit_code_2_with_the_nearest_and_their_words() {
    let text = "messages.1.content.0: frame_rate must be a whole number of tool frames";
    let (code, out, error) = run(&mut turnproof(&["explain", text]));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(error.starts_with("turnproof: no page has this error; docs/errors.md lists "), "{error}");
    assert_eq!(error.matches("\n    has in common: ").count(), 3, "{error}");
    let (code, _, error) = run(&mut turnproof(&["explain", "{}"]));
    assert_eq!(
        (code, error.as_str()),
        (2, "turnproof: no page has this error; docs/errors.md lists those that are known\n")
    );
}
