//! What the reference says of a list does not hang on the lists that it was given before.

use std::thread;

use turnproof::message::Event;
use turnproof::operation::{Folding, RecordStep, RequestOptions};
use turnproof::scenario::{Case, Profile, Scenario};
use turnproof::subject::{Outcome, Reference, Subject};

/// All that the reference says of a list.
fn said(list: &str) -> Vec<String> {
    let words = |answer: Outcome<String>| format!("{answer:?}");
    let options = RequestOptions { context: Some("context".to_owned()) };
    vec![
        words(Reference.normalize_ui(list)),
        words(Reference.reorder_ui(list)),
        words(Reference.fold(list, Folding::Group)),
        words(Reference.bridge(list)),
        format!("{:?}", Reference.normalize_api(list, &options)),
        format!("{:?}", Reference.normalize_api_incremental(list, &options)),
        format!("{:?}", Reference.record(b"", "session", &[RecordStep::List(list.to_owned()), RecordStep::Flush])),
    ]
}

/// Lists that begin alike, and texts that are nearly such lists.
fn alike(messages: &[String]) -> Vec<String> {
    let list = |messages: &[String]| format!("[{}]", messages.join(","));
    let (all, half) = (list(messages), list(&messages[..messages.len() / 2]));
    let without_last = list(&messages[..messages.len() - 1]);
    let mut changed = messages.to_vec();
    changed[messages.len() / 2] = messages[0].clone();
    let inside = all.trim_end_matches(']').to_owned();
    vec![
        half.clone(),
        all.clone(),
        without_last,
        format!("{inside},]"),
        format!("{inside} , {}]", messages[0]),
        format!("{inside}]]"),
        format!("{inside},1]"),
        inside.clone(),
        format!("{inside}x]"),
        list(&changed),
        format!(" {all} "),
        list(&messages[1..]),
        "[]".to_owned(),
        half,
        all,
    ]
}

#[test]
fn a_list_is_read_as_if_it_were_the_first() {
    let mut read = 0;
    for (number, profile) in (0..40).zip(Profile::ALL.into_iter().cycle()) {
        let scenario = Scenario::from_seed(5, number, profile);
        let case = Case::of(&scenario);
        if case.messages().len() < 3 {
            continue;
        }
        for list in alike(case.messages()) {
            // A thread that has read no list.
            let alone = thread::scope(|scope| scope.spawn(|| said(&list)).join().expect("an answer"));
            assert_eq!(said(&list), alone, "{list}");
            read += usize::from(Event::read_list(&list).is_ok());
        }
    }
    assert!(read > 200, "{read} lists");
}
