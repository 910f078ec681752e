//! A list of messages is the same whether it was given as text or as elements.

use turnproof_rules::operation::{Element, List, RecordStep};
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::{Reference, Subject};

/// The messages of the cases that have some.
fn with_messages(mut look: impl FnMut(&[String])) {
    for (number, profile) in (0..40).zip(Profile::ALL.into_iter().cycle()) {
        let scenario = Scenario::from_seed(5, number, profile);
        let case = Case::of(&scenario);
        if case.messages().len() >= 3 {
            look(case.messages());
        }
    }
}

/// Texts that are a list of these messages, or nearly one.
fn nearly(messages: &[String]) -> Vec<String> {
    let all = List::of(messages).text().to_owned();
    let inside = all.trim_end_matches(']').to_owned();
    vec![
        format!("{inside},]"),
        format!("{inside} , {}]", messages[0]),
        format!("{inside}]]"),
        format!("{inside},1]"),
        format!("{inside},{{}}]"),
        format!("{inside}x]"),
        format!(" {all} "),
        inside,
        "{}".to_owned(),
        String::new(),
    ]
}

#[test]
fn a_text_is_read_as_it_is_though_its_elements_were_asked_for() {
    let mut none = 0;
    with_messages(|messages| {
        let texts = nearly(messages);
        let lists: Vec<List> = texts.iter().cloned().map(List::from).collect();
        for (list, text) in lists.iter().zip(texts) {
            list.elements();
            assert_eq!(list.plain(), List::from(text).plain(), "{}", list.text());
            none += usize::from(list.plain().is_err());
        }
        for (list, other) in lists.iter().flat_map(|list| lists.iter().map(move |other| (list, other))) {
            assert_eq!(list == other, list.text() == other.text(), "{} and {}", list.text(), other.text());
        }
    });
    assert!(none > 100, "{none} texts are no list");
}

#[test]
fn elements_are_read_as_their_text_is() {
    let recorded =
        |list: List| format!("{:?}", Reference.record(b"", "session", &[RecordStep::List(list), RecordStep::Flush]));
    with_messages(|messages| {
        let list = List::of(messages);
        let elements = list.elements();
        let with = |json: &str| elements.iter().cloned().chain([Element::new(json)]).collect();
        let lists: [List; 5] = [list.first(2), with("{}"), with("1,2"), with("]"), list.clone()];
        for list in lists {
            let text = List::from(list.text().to_owned());
            assert_eq!(list.plain(), text.plain(), "{}", list.text());
            assert_eq!(recorded(list), recorded(text));
        }
    });
}
