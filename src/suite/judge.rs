//! *Judging* a case: what each rule says of what a subject did.

use crate::operation::Host;
use crate::rules::{
    ApiEvidence, Judge, OrderEvidence, ParseEvidence, ParsedBytes, Place, PlayEvidence, RecordEvidence,
    ResumeEvidence, Rule, StreamEvidence, UiEvidence, Verdict, Violation,
};

use super::observe::Observed;

/// What a rule says of what a subject did; none when the subject does not do the operation.
///
/// Where several rules judge the same case, a [`Trial`] works out once what they share.
pub fn judge(rule: &Rule, observed: &Observed) -> Option<Verdict> {
    Trial::of(observed).judge(rule)
}

/// Pieces of evidence, or why there are none; nothing when the subject does not do the operation.
type Pieces<'a, E> = Option<Result<Vec<E>, &'a str>>;

/// A *trial* holds the evidence of a case, for one rule after another.
pub struct Trial<'a> {
    observed: &'a Observed,
    parsed: Pieces<'a, ParseEvidence<'a>>,
    api: Pieces<'a, ApiEvidence<'a>>,
    ui: Pieces<'a, UiEvidence<'a>>,
    reordered: Pieces<'a, OrderEvidence<'a>>,
    recorded: Pieces<'a, RecordEvidence<'a>>,
    resumed: Pieces<'a, ResumeEvidence<'a>>,
    accumulated: Pieces<'a, StreamEvidence<'a>>,
    played: Pieces<'a, PlayEvidence<'a>>,
}

impl<'a> Trial<'a> {
    /// The trial of what a subject did.
    pub fn of(observed: &'a Observed) -> Self {
        let (bytes, again) = (observed.bytes.as_slice(), observed.parsed_again.as_ref());
        Self {
            observed,
            parsed: one(&observed.parsed, |parsed| ParseEvidence::new(ParsedBytes { bytes, parsed, again })),
            api: one(&observed.api, ApiEvidence::new),
            ui: one(&observed.ui, UiEvidence::new),
            reordered: one(&observed.reordered, OrderEvidence::new),
            recorded: many(&observed.recorded, RecordEvidence::new),
            resumed: many(&observed.resumed, ResumeEvidence::new),
            accumulated: many(&observed.accumulated, StreamEvidence::new),
            played: one(&observed.played, PlayEvidence::new),
        }
    }

    /// What a rule says; none when the subject does not do the operation.
    pub fn judge(&self, rule: &Rule) -> Option<Verdict> {
        match rule.judge {
            Judge::Parse(judge) => decide(rule, &self.parsed, judge),
            Judge::Request { structural: false, .. } => {
                Some(Verdict::NotApplicable("it depends on sizes, the caller or the model"))
            }
            Judge::Request { structural: true, judge } => {
                decide(rule, &self.api, |api| match api.as_request() {
                    Some(request) => {
                        let mut violations = Vec::new();
                        // For the strictest profile.
                        judge(request, Host::Strict, &mut |violation| violations.push(violation));
                        Verdict::from_violations(violations)
                    }
                    None => Verdict::NotApplicable("there is no request"),
                })
            }
            Judge::NormalizeApi(judge) => decide(rule, &self.api, judge),
            Judge::NormalizeUi(judge) => decide(rule, &self.ui, judge),
            Judge::ReorderUi(judge) => decide(rule, &self.reordered, judge),
            Judge::DeriveUuid(judge) => {
                decide(rule, &many(&self.observed.derived, |derived| derived), |derived| judge(derived))
            }
            Judge::ShortId(judge) => {
                decide(rule, &many(&self.observed.shortened, |short| short), |short| judge(short))
            }
            Judge::Record(judge) => decide(rule, &self.recorded, judge),
            Judge::Resume(judge) => decide(rule, &self.resumed, judge),
            Judge::Accumulate(judge) => decide(rule, &self.accumulated, judge),
            Judge::Play(judge) => decide(rule, &self.played, judge),
            Judge::Transcript(_) => Some(Verdict::NotApplicable("it judges transcripts, not a subject")),
        }
    }
}

/// The evidence of one answer.
fn one<'a, T, E>(answer: &'a Option<Result<T, String>>, evidence: impl FnOnce(&'a T) -> E) -> Pieces<'a, E> {
    let answer = answer.as_ref()?;
    Some(answer.as_ref().map(|output| vec![evidence(output)]).map_err(String::as_str))
}

/// The evidence of several answers.
fn many<'a, T, E>(
    answer: &'a Option<Result<Vec<T>, String>>,
    evidence: impl Fn(&'a T) -> E,
) -> Pieces<'a, E> {
    let answer = answer.as_ref()?;
    Some(answer.as_ref().map(|outputs| outputs.iter().map(evidence).collect()).map_err(String::as_str))
}

fn decide<E>(rule: &Rule, pieces: &Pieces<'_, E>, judge: impl Fn(&E) -> Verdict) -> Option<Verdict> {
    Some(match pieces.as_ref()? {
        Ok(pieces) => join(pieces.iter().map(judge)),
        Err(why) => Verdict::Broken(vec![Violation {
            rule: rule.id,
            place: Place::Whole,
            found: (*why).to_owned(),
            expected: "an answer".into(),
            error: None,
        }]),
    })
}

/// The verdict on several answers: broken if one is, held if one held.
fn join(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
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
