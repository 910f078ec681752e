//! What a subject says of a list does not hang on how it was given: in text or as elements, and after what other lists.

use turnproof::message::Event;
use turnproof::operation::{
    Element, Folding, List, Operation, RecordStep, RequestOptions, RequestText, StreamItem, StreamText,
};
use turnproof::scenario::{Case, Profile, Scenario};
use turnproof::subject::{Outcome, Reference, Subject};
use turnproof::suite::{Depth, Observed};

fn options() -> RequestOptions {
    RequestOptions { context: Some("context".to_owned()) }
}

/// What the reference says of a list of a recorder.
fn recorded(list: List) -> String {
    format!("{:?}", Reference.record(b"", "session", &[RecordStep::List(list), RecordStep::Flush]))
}

/// All that the reference says of a list in text.
fn said_of_text(list: &str) -> Vec<String> {
    let words = |answer: Outcome<String>| format!("{answer:?}");
    vec![
        words(Reference.normalize_ui(list)),
        words(Reference.reorder_ui(list)),
        words(Reference.fold(list, Folding::Group)),
        words(Reference.fold(list, Folding::Collapse)),
        words(Reference.unfold(list)),
        words(Reference.bridge(list)),
        format!("{:?}", Reference.normalize_api(list, &options())),
        format!("{:?}", Reference.normalize_api_incremental(list, &options())),
        recorded(list.to_owned().into()),
    ]
}

/// The same of a list.
fn said_of_list(list: &List) -> Vec<String> {
    let words = |answer: Outcome<List>| format!("{:?}", answer.map(List::into_text));
    let texts = |states: Vec<List>| states.into_iter().map(List::into_text).collect::<Vec<_>>();
    vec![
        words(Reference.normalize_ui_list(list)),
        words(Reference.reorder_ui_list(list)),
        words(Reference.fold_list(list, Folding::Group)),
        words(Reference.fold_list(list, Folding::Collapse)),
        words(Reference.unfold_list(list)),
        words(Reference.bridge_list(list)),
        format!("{:?}", Reference.normalize_api_list(list, &options()).map(|request| request.map(List::into_text))),
        format!("{:?}", Reference.normalize_api_incremental_list(list, &options()).map(texts)),
        recorded(list.clone()),
    ]
}

/// The cases that have some messages.
fn with_cases(count: u64, mut look: impl FnMut(&Case<'_>)) {
    for (number, profile) in (0..count).zip(Profile::ALL.into_iter().cycle()) {
        let scenario = Scenario::from_seed(5, number, profile);
        let case = Case::of(&scenario);
        if case.messages().len() >= 3 {
            look(&case);
        }
    }
}

/// Texts that are a list of these messages, or nearly one.
fn nearly(messages: &[String]) -> Vec<String> {
    let all = List::of(messages).into_text();
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
fn of_a_list_the_same_is_said_as_of_its_text() {
    let (mut read, mut refused) = (0, 0);
    with_cases(40, |case| {
        let texts = nearly(case.messages());
        let list = List::of(case.messages());
        let mut lists: Vec<List> = texts.into_iter().map(List::from).collect();
        // These share their elements, and each is asked about after others.
        let elements = list.elements();
        lists.extend((0..=elements.len()).map(|count| list.first(count)));
        lists.push(elements.iter().rev().cloned().collect());
        lists.push(elements.iter().chain(elements).cloned().collect());
        lists.push(elements.iter().cloned().chain([Element::new("{}")]).collect());
        lists.push(elements.iter().cloned().chain([Element::new("1,2")]).collect());
        lists.push(elements.iter().cloned().chain([Element::new("]")]).collect());
        lists.push(list);
        for list in &lists {
            assert_eq!(said_of_list(list), said_of_text(list.text()), "{}", list.text());
            *if Event::read_list(list.text()).is_ok() { &mut read } else { &mut refused } += 1;
        }
    });
    assert!(read > 200 && refused > 200, "{read} lists were read, {refused} refused");
}

#[test]
fn a_text_is_read_as_it_is_though_its_elements_were_asked_for() {
    let mut none = 0;
    with_cases(40, |case| {
        let texts = nearly(case.messages());
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

/// A subject that takes text alone.
struct InText;

impl Subject for InText {
    fn name(&self) -> &str {
        "in text"
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        Reference.normalize_api(messages, options)
    }

    fn normalize_api_incremental(&self, messages: &str, options: &RequestOptions) -> Outcome<Vec<String>> {
        Reference.normalize_api_incremental(messages, options)
    }

    fn normalize_ui(&self, messages: &str) -> Outcome<String> {
        Reference.normalize_ui(messages)
    }

    fn reorder_ui(&self, messages: &str) -> Outcome<String> {
        Reference.reorder_ui(messages)
    }

    fn fold(&self, messages: &str, folding: Folding) -> Outcome<String> {
        Reference.fold(messages, folding)
    }

    fn unfold(&self, messages: &str) -> Outcome<String> {
        Reference.unfold(messages)
    }

    fn bridge(&self, messages: &str) -> Outcome<String> {
        Reference.bridge(messages)
    }

    fn accumulate(&self, items: &[StreamItem]) -> Outcome<StreamText> {
        Reference.accumulate(items)
    }
}

#[test]
fn of_a_subject_that_takes_text_alone_the_same_is_observed() {
    let operations =
        [Operation::NormalizeApi, Operation::NormalizeUi, Operation::ReorderUi, Operation::Fold, Operation::Accumulate];
    let mut observed = 0;
    with_cases(120, |case| {
        let [in_text, in_lists] =
            [&InText as &dyn Subject, &Reference].map(|subject| Observed::of(subject, case, &operations, Depth::Whole));
        assert_eq!(in_text.normalize_api, in_lists.normalize_api);
        assert_eq!(in_text.normalize_ui, in_lists.normalize_ui);
        assert_eq!(in_text.reorder_ui, in_lists.reorder_ui);
        assert_eq!(in_text.fold, in_lists.fold);
        assert_eq!(in_text.accumulate, in_lists.accumulate);
        observed += operations.iter().filter(|operation| in_lists.has(**operation)).count();
    });
    assert!(observed > 400, "{observed} observations");
}
