//! A *trial* holds the evidence of a case, for one rule after another.

use crate::observed::{Answers, Evidence, NoAnswer, Observation, Observed};
use crate::operation::*;
use crate::rules::{Facts, Report, Rule, Verdict, Violation};

macro_rules! trials {
    ($(
        #[doc = $doc:literal]
        $variant:ident $_describe:literal => $observation:ident { $(#[doc = $_method_doc:literal])* $method:ident $($_rest:tt)* }
    )*) => {
        /// The function of a rule, by what it judges.
        #[derive(Clone, Copy)]
        pub enum Judge {
            /// A transcript's records, gathered; hands each violation to the sink, in file order.
            Transcript(fn(&Facts, &mut dyn FnMut(Violation))),
            /// A request: one that a subject made, or one that is going to be sent.
            Request {
                /// Whether the rule looks at the request's structure alone. Rules that depend on sizes, on the caller
                /// or on the model are not asked of subjects.
                structural: bool,
                /// Judges for one host; hands each violation to the sink, in order.
                judge: JudgeRequest,
            },
            /// Two requests in a row: what a client sent first, and what it sent next.
            Requests(JudgeRequests),
            /// A moment of a talk: a request beside all that was said before, or the end.
            Talk(JudgeTalk),
            /// A reply: what a host, a gateway or a mock server sends back.
            Reply(JudgeReply),
            $(#[doc = $doc] $variant(fn(&Evidence<'_, $observation>) -> Verdict),)*
        }

        impl Judge {
            /// The operation that is judged.
            pub const fn operation(&self) -> Operation {
                match self {
                    Self::Transcript(_) | Self::Reply(_) | Self::Requests(_) | Self::Talk(_) => Operation::Transcript,
                    Self::Request { .. } => Operation::NormalizeApi,
                    $(Self::$variant(_) => Operation::$variant,)*
                }
            }

            /// What is judged, in a word: the operation, or `request`, `requests`, `talk` or `reply` where no subject
            /// is asked for one.
            pub const fn name(&self) -> &'static str {
                match self {
                    Self::Request { structural: false, .. } => "request",
                    Self::Reply(_) => "reply",
                    Self::Requests(_) => "requests",
                    Self::Talk(_) => "talk",
                    _ => self.operation().name(),
                }
            }

            /// Whether subjects are judged by the rule: not by one on transcripts or replies, nor by one on sizes, the
            /// caller or the model.
            pub const fn asks_subjects(&self) -> bool {
                let is_of_files =
                    matches!(self, Self::Transcript(_) | Self::Reply(_) | Self::Requests(_) | Self::Talk(_));
                !is_of_files && !matches!(self, Self::Request { structural: false, .. })
            }
        }

        /// The evidence of a case. Several rules share what is worked out of it.
        pub struct Trial<'a> {
            $($method: Pieces<'a, $observation>,)*
        }

        impl<'a> Trial<'a> {
            /// The trial of what a subject did.
            pub fn of(observed: &'a Observed) -> Self {
                Self { $($method: pieces(&observed.$method),)* }
            }

            /// What a rule says; `None` when the subject does not do the operation.
            pub fn judge(&self, rule: &Rule) -> Option<Verdict> {
                match rule.judge {
                    Judge::Transcript(_) => {
                        Some(Verdict::NotApplicable("it judges transcripts, not a subject"))
                    }
                    Judge::Requests(_) => {
                        Some(Verdict::NotApplicable("it judges requests in a row, not a subject"))
                    }
                    Judge::Talk(_) => Some(Verdict::NotApplicable("it judges talks with a server, not a subject")),
                    Judge::Reply(_) => Some(Verdict::NotApplicable("it judges replies, not a subject")),
                    Judge::Request { structural: false, .. } => {
                        Some(Verdict::NotApplicable("it depends on sizes, the caller or the model"))
                    }
                    Judge::Request { structural: true, judge } => {
                        decide(rule, &self.normalize_api, |api| match api.as_request() {
                            Some(request) if request.messages.is_empty() => {
                                Verdict::NotApplicable("nothing is sent")
                            }
                            Some(request) => judge_turns(request, judge),
                            None => Verdict::NotApplicable("there is no request"),
                        })
                    }
                    $(Judge::$variant(judge) => decide(rule, &self.$method, judge),)*
                }
            }
        }
    };
}

table!(trials);

/// Judges a request for one host; hands each violation to the sink, in order.
pub type JudgeRequest = fn(&Request, Host, &mut dyn FnMut(Violation));

/// Judges a reply; hands each violation to the sink, in order.
pub type JudgeReply = fn(&Reply, &mut dyn FnMut(Violation));

/// Judges two requests in a row; hands each violation to the sink.
pub type JudgeRequests = fn(&RequestPair<'_>, &mut dyn FnMut(Violation));

/// Judges a moment of a talk; hands each violation to the sink.
pub type JudgeTalk = fn(&TalkMoment<'_>, &mut dyn FnMut(Violation));

/// What is wrong in a talk, request by request, and at its end.
fn talk_violations(exchanges: &[TalkExchange], over: Option<TalkOver>, judge: JudgeTalk) -> Vec<Violation> {
    let all: Vec<&TalkExchange> = exchanges.iter().collect();
    let mut violations = Vec::new();
    for (at, now) in all.iter().enumerate() {
        judge(&TalkMoment::at(&all[..at], now), &mut |violation| violations.push(violation));
    }
    if let Some(over) = over {
        judge(&TalkMoment::end(&all, over), &mut |violation| violations.push(violation));
    }
    violations
}

/// The verdict of a rule on what it judges, given as JSON: of an observation (the form of most rules' examples), of a
/// request, for the strictest host, of requests in a row, or of a reply. A rule on transcripts judges no JSON. Fails when the JSON is not what
/// the rule judges.
pub fn judge_json(rule: &Rule, json: &[u8]) -> serde_json::Result<Verdict> {
    macro_rules! judge {
        ($(#[doc = $_doc:literal] $variant:ident $_describe:literal => $observation:ident { $($_rest:tt)* })*) => {
            match rule.judge {
                Judge::Transcript(_) => Ok(Verdict::NotApplicable("it judges transcripts")),
                Judge::Request { judge, .. } => {
                    let text = std::str::from_utf8(json).map_err(serde::de::Error::custom)?;
                    let request = Request::read(text).map_err(serde::de::Error::custom)?;
                    Ok(judge_turns(&request, judge))
                }
                Judge::Requests(judge) => {
                    let text = std::str::from_utf8(json).map_err(serde::de::Error::custom)?;
                    let requests = read_requests(text).map_err(serde::de::Error::custom)?;
                    let mut violations = Vec::new();
                    for pair in requests.windows(2) {
                        judge(&RequestPair::new(&pair[0], &pair[1]), &mut |violation| violations.push(violation));
                    }
                    Ok(Verdict::from_violations(violations))
                }
                Judge::Talk(judge) => {
                    let text = std::str::from_utf8(json).map_err(serde::de::Error::custom)?;
                    let (exchanges, over) = read_talk(text)?;
                    Ok(Verdict::from_violations(talk_violations(&exchanges, over, judge)))
                }
                Judge::Reply(judge) => {
                    let reply = Reply::read(json).map_err(serde::de::Error::custom)?;
                    let mut violations = Vec::new();
                    judge(&reply, &mut |violation| violations.push(violation));
                    Ok(Verdict::from_violations(violations))
                }
                $(Judge::$variant(judge) => {
                    Ok(judge(&Evidence::new(&serde_json::from_slice::<$observation>(json)?)))
                })*
            }
        };
    }
    table!(judge)
}

/// What a rule says of what a subject did; `None` when the subject does not do the operation.
///
/// Where several rules judge the same case, a [`Trial`] works out once what they share.
pub fn judge(rule: &Rule, observed: &Observed) -> Option<Verdict> {
    Trial::of(observed).judge(rule)
}

/// Pieces of evidence, or why there are none; `None` when the subject does not do the operation.
type Pieces<'a, T> = Option<Result<Vec<Evidence<'a, T>>, &'a NoAnswer>>;

fn pieces<T: Observation>(answers: &Option<Answers<T>>) -> Pieces<'_, T> {
    let answers = answers.as_ref()?;
    Some(answers.as_ref().map(|answers| answers.iter().map(Evidence::new).collect()))
}

/// Judges a request, for the strictest host.
fn judge_turns(request: &Request, judge: JudgeRequest) -> Verdict {
    let mut violations = Vec::new();
    judge(request, Host::Portable, &mut |violation| violations.push(violation));
    Verdict::from_violations(violations)
}

fn decide<T: Observation>(
    rule: &Rule,
    pieces: &Pieces<'_, T>,
    judge: impl Fn(&Evidence<'_, T>) -> Verdict,
) -> Option<Verdict> {
    Some(match pieces.as_ref()? {
        Ok(pieces) => join(pieces.iter().map(judge)),
        Err(why) => Report::verdict(rule.id, |report| {
            report.no_answer(why);
            Ok(())
        }),
    })
}

/// The verdict on several answers: broken if one is broken, else held if one held.
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
