//! *Requests in a row*: what was said is said again, and other conversations are left alone.

use serde_json::{Value, json};

use super::client::ask;
use super::{body, usual};

/// Talks in which `$1` stands for what was answered to the first request, and so on. Gives those that break the row.
fn breaking(talks: &[&[&str]]) -> Vec<usize> {
    let (mock, exchanges) = usual();
    let mut answers: Vec<String> = Vec::new();
    for texts in talks {
        let answer = ask(&mock, &turns(texts, &answers));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answers.push(answer.said());
    }
    let broken = exchanges.try_iter().enumerate().filter(|(_, exchange)| exchange.breaks_the_row());
    broken.map(|(at, _)| at).collect()
}

fn turns(texts: &[&str], answers: &[String]) -> Value {
    let role = |at: usize| if at.is_multiple_of(2) { "user" } else { "assistant" };
    let said = |text: &str| match text.strip_prefix('$') {
        Some(number) => answers[number.parse::<usize>().unwrap() - 1].clone(),
        None => text.to_owned(),
    };
    let turns = texts.iter().enumerate().map(|(at, text)| json!({"role": role(at), "content": said(text)}));
    body(json!({"messages": turns.collect::<Vec<_>>()}))
}

#[test]
fn a_conversation_that_goes_on_breaks_nothing() {
    assert_eq!(breaking(&[&["a"], &["a", "$1", "c"], &["a", "$1", "c", "$2", "e"]]), [] as [usize; 0]);
}

#[test]
fn what_was_said_and_is_said_otherwise_is_found() {
    assert_eq!(breaking(&[&["a"], &["a", "$1", "c"], &["a", "other", "c", "$2", "e"]]), [2]);
    assert_eq!(breaking(&[&["a"], &["a", "$1", "c"], &["a", "$1", "another prompt", "$2", "e"]]), [2]);
}

#[test]
fn another_conversation_with_the_same_beginning_is_another() {
    let talks: [&[&str]; 6] =
        [&["a"], &["a", "$1", "c"], &["a"], &["a", "$3", "y"], &["a", "$1", "c", "$2", "e"], &["a", "$3", "z"]];
    assert_eq!(breaking(&talks), [] as [usize; 0]);
}
