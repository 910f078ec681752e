//! *Judging* one case: what the subject does with a scenario, and what a rule says of that.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::operation::{Derived, Operation, Parsed, Shortened};
use crate::rules::{Judge, Place, Rule, Verdict, Violation};
use crate::scenario::Scenario;
use crate::subject::{Outcome, Subject};

/// What a subject did with a scenario; an operation that it does not do gives none.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The transcript.
    pub bytes: Vec<u8>,
    /// What `parse` gave for it: the output, or why there is none.
    pub parsed: Option<Result<Parsed, String>>,
    /// What `derive_uuid` gave for the id of each line.
    pub derived: Option<Result<Vec<Derived>, String>>,
    /// What `short_id` gave for the id of each line.
    pub shortened: Option<Result<Vec<Shortened>, String>>,
}

/// Plays a scenario to a subject, for the operations that are wanted.
pub fn observe(subject: &dyn Subject, scenario: &Scenario, operations: &[Operation]) -> Observed {
    let mut observed = Observed::default();
    if operations.contains(&Operation::Parse) {
        observed.bytes = scenario.transcript();
        observed.parsed = guarded(|| match subject.parse(&observed.bytes) {
            Outcome::Output(parsed) => Some(Ok(parsed)),
            Outcome::Rejected(why) => Some(Err(format!("the subject refused to read the file: {why}"))),
            Outcome::Unsupported => None,
        });
    }
    let ids = scenario.ids();
    if operations.contains(&Operation::DeriveUuid) {
        let derive = |id: &&str| derive(subject, id, &scenario.indexes);
        observed.derived = guarded(|| ids.iter().map(derive).collect::<Option<Vec<_>>>().map(Ok));
    }
    if operations.contains(&Operation::ShortId) {
        let shorten = |id: &&str| shorten(subject, id);
        observed.shortened = guarded(|| ids.iter().map(shorten).collect::<Option<Vec<_>>>().map(Ok));
    }
    observed
}

fn derive(subject: &dyn Subject, parent: &str, indexes: &[u64]) -> Option<Derived> {
    let ask = |index: &u64| subject.derive_uuid(parent, *index).into_answer();
    let answers = indexes.iter().map(ask).collect::<Option<Vec<_>>>()?;
    let again = indexes.iter().map(ask).collect::<Option<Vec<_>>>()?;
    Some(Derived { parent: parent.to_owned(), indexes: indexes.to_vec(), answers, again })
}

fn shorten(subject: &dyn Subject, uuid: &str) -> Option<Shortened> {
    let answer = subject.short_id(uuid).into_answer()?;
    let again = subject.short_id(uuid).into_answer()?;
    Some(Shortened { uuid: uuid.to_owned(), answer, again })
}

/// Calls a subject; a panic is a finding of its own.
fn guarded<T>(call: impl FnOnce() -> Option<Result<T, String>>) -> Option<Result<T, String>> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        let message = payload.downcast_ref::<&str>().map(|message| (*message).to_owned());
        let message = message.or_else(|| payload.downcast_ref::<String>().cloned());
        Some(Err(format!("the subject panicked: {}", message.unwrap_or_else(|| "without a message".into()))))
    })
}

/// What a rule says of what a subject did; none when the subject does not do the operation.
pub fn judge(rule: &Rule, observed: &Observed) -> Option<Verdict> {
    match rule.judge {
        Judge::Parse(judge) => {
            decide(rule, observed.parsed.as_ref(), |parsed| vec![judge(&observed.bytes, parsed)])
        }
        Judge::DeriveUuid(judge) => {
            decide(rule, observed.derived.as_ref(), |derived| derived.iter().map(judge).collect())
        }
        Judge::ShortId(judge) => {
            decide(rule, observed.shortened.as_ref(), |shortened| shortened.iter().map(judge).collect())
        }
        Judge::Transcript(_) => Some(Verdict::NotApplicable("it judges transcripts, not a subject")),
    }
}

fn decide<T>(
    rule: &Rule,
    answer: Option<&Result<T, String>>,
    judge: impl FnOnce(&T) -> Vec<Verdict>,
) -> Option<Verdict> {
    Some(match answer? {
        Ok(output) => join(judge(output)),
        Err(why) => Verdict::Broken(vec![Violation {
            rule: rule.id,
            place: Place::Whole,
            found: why.clone(),
            expected: "an answer".into(),
        }]),
    })
}

/// The verdict on several answers: broken if one is, held if one held.
fn join(verdicts: Vec<Verdict>) -> Verdict {
    let mut joined = Verdict::NotApplicable("the scenario has nothing that the rule looks at");
    for verdict in verdicts {
        match (&mut joined, verdict) {
            (Verdict::Broken(violations), Verdict::Broken(more)) => violations.extend(more),
            (_, Verdict::Broken(violations)) => joined = Verdict::Broken(violations),
            (Verdict::NotApplicable(_), verdict) => joined = verdict,
            _ => {}
        }
    }
    joined
}
