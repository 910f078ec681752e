//! *Judging* one case: what a rule says of what a subject did.

use crate::operation::{ApiNormalized, Host, Request};
use crate::rules::{Judge, Place, Rule, Verdict, Violation};

use super::observe::Observed;

/// What a rule says of what a subject did; none when the subject does not do the operation.
pub fn judge(rule: &Rule, observed: &Observed) -> Option<Verdict> {
    match rule.judge {
        Judge::Parse(judge) => {
            decide(rule, observed.parsed.as_ref(), |parsed| vec![judge(&observed.bytes, parsed)])
        }
        Judge::Request { structural: false, .. } => {
            Some(Verdict::NotApplicable("it depends on sizes, the caller or the model"))
        }
        Judge::Request { structural: true, judge } => {
            decide(rule, observed.api.as_ref(), |api| vec![judge_request(judge, api)])
        }
        Judge::NormalizeApi(judge) => decide(rule, observed.api.as_ref(), |api| vec![judge(api)]),
        Judge::NormalizeUi(judge) => decide(rule, observed.ui.as_ref(), |ui| vec![judge(ui)]),
        Judge::ReorderUi(judge) => {
            decide(rule, observed.reordered.as_ref(), |reordered| vec![judge(reordered)])
        }
        Judge::DeriveUuid(judge) => {
            decide(rule, observed.derived.as_ref(), |derived| derived.iter().map(judge).collect())
        }
        Judge::ShortId(judge) => {
            decide(rule, observed.shortened.as_ref(), |shortened| shortened.iter().map(judge).collect())
        }
        Judge::Record(judge) => {
            decide(rule, observed.recorded.as_ref(), |recorded| recorded.iter().map(judge).collect())
        }
        Judge::Resume(judge) => {
            decide(rule, observed.resumed.as_ref(), |resumed| resumed.iter().map(judge).collect())
        }
        Judge::Accumulate(judge) => {
            decide(rule, observed.accumulated.as_ref(), |streams| streams.iter().map(judge).collect())
        }
        Judge::Play(judge) => decide(rule, observed.played.as_ref(), |played| vec![judge(played)]),
        Judge::Transcript(_) => Some(Verdict::NotApplicable("it judges transcripts, not a subject")),
    }
}

/// What a rule on requests says of the one that a subject made, for the strictest profile.
fn judge_request(judge: fn(&Request, Host, &mut dyn FnMut(Violation)), api: &ApiNormalized) -> Verdict {
    let Ok(turns) = &api.request else { return Verdict::NotApplicable("there is no request") };
    match Request::from_plain(turns.clone(), 0) {
        Ok(request) => {
            let mut violations = Vec::new();
            judge(&request, Host::Strict, &mut |violation| violations.push(violation));
            Verdict::from_violations(violations)
        }
        // `normalize/total` tells of output that is no request.
        Err(_) => Verdict::NotApplicable("the output is no request"),
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
            error: None,
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
