//! All *short* conversations, asked of the reference.

use serde_json::Value;
use turnproof_rules::operation::{Plain, RequestOptions, RequestText};
use turnproof_suite::subject::{Outcome, Reference, Subject};

use super::alphabet::{BLOCKS, EVERYDAY, ODD, letters};
use super::ask::{Question, check, values};
use super::exhaust::{Sequence, exhaust};
use super::laws::LENGTHS;
use super::naive::normalize;

/// The length up to which sequences are asked about twice, and the length up to which their beginnings are asked about
/// too. Both take more calls.
const LONGEST: [usize; 2] = if cfg!(debug_assertions) { [3, 3] } else { [5, 4] };

fn first_failure(subject: &dyn Subject, alphabet: &'static str, longest: usize) -> Option<String> {
    let (_, failures) = exhaust(&letters(alphabet), longest, |sequence| {
        let [with_repeats, with_shorter] = LONGEST.map(|longest| sequence.values.len() <= longest);
        let (texts, values) = (&sequence.texts, &sequence.values);
        let question = Question { texts, values, context: None, with_repeats, with_shorter };
        check(subject, &question)
    });
    let first = failures.first()?;
    let letters = Sequence::describe(&first.letters);
    Some(format!("{} sequences of this length fail; the first is {letters}\n{}", failures.len(), first.why))
}

#[test]
fn every_short_conversation_gives_what_the_model_gives() {
    for (alphabet, longest) in LENGTHS {
        if let Some(failure) = first_failure(&Reference, alphabet, longest) {
            panic!("{failure}");
        }
    }
}

/// The model as a subject, and a change that is made to its turns.
struct Model(fn(&mut Vec<Value>));

impl Subject for Model {
    fn name(&self) -> &str {
        "model"
    }

    fn normalize_api(&self, messages: &str, options: &RequestOptions) -> Outcome<RequestText> {
        let messages = Plain::read(messages).expect("JSON");
        let mut turns = normalize(&values(&messages), options.context.as_deref());
        self.0(&mut turns);
        Outcome::Output(RequestText { turns: Value::from(turns).to_string(), messages_after: None })
    }
}

#[test]
fn the_model_breaks_no_rule() {
    let model = Model(|_| {});
    for alphabet in [EVERYDAY, ODD, BLOCKS] {
        if let Some(failure) = first_failure(&model, alphabet, LENGTHS[1].1) {
            panic!("{failure}");
        }
    }
}

#[test]
fn a_subject_that_differs_is_detected_with_the_shortest_conversation() {
    let forgetful = Model(|turns| {
        turns.truncate(2);
    });
    let failure = first_failure(&forgetful, EVERYDAY, 3).expect("a failure");
    assert!(failure.contains("the first is c assistant call 1\n"), "{failure}");
    assert!(failure.contains("it is not the model's"), "{failure}");

    let panicking = Model(|turns| assert!(turns.len() < 2, "two turns"));
    let failure = first_failure(&panicking, EVERYDAY, 2).expect("a failure");
    assert!(failure.contains("the first is t assistant text\n"), "{failure}");
}
