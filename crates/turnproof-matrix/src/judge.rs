//! To *judge* a library is to play cases to it, to count what it does with each rule, and to find the smallest case of
//! each breach.

use std::collections::BTreeMap;

use turnproof_rules::operation::{Host, Operation, Request};
use turnproof_rules::rules::{Judge, Place, Rule, Violation, distance, find};
use turnproof_suite::scenario::{Scenario, simpler};
use turnproof_suite::smallest::smallest;
use turnproof_suite::subject::program::Program;
use turnproof_suite::suite::{Options, size};

use crate::adapter::About;
use crate::ask::{Asked, Way, answer, ask};
use crate::class::{CRASH, Class, Counts, Finding, classify};
use crate::field::{Field, input};
use crate::kept::Kept;
use crate::stands_in::stands_in;

/// After so many crashes a library is not asked any more.
const MOST_CRASHES: u64 = 20;

/// So many breaches of one rule by legal histories, and so many of one kind, get a smallest case each.
const MOST_OF_A_RULE: usize = 8;
const MOST_OF_A_KIND: usize = 3;

/// A smaller case is not tried more often than this after a crash, since a library may start slowly.
const TRIES_AFTER_CRASHES: usize = 60;

/// What the report of an empty text inside a result says.
const NESTED: &str = "The text stands inside a result. No public report was found that the API refuses it there.";

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The seed of all cases.
    pub seed: u64,
    /// How many cases of each operation.
    pub cases: u64,
    /// The most smaller cases that are tried for a breach.
    pub tries: usize,
}

/// What came of one operation of a library.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The operation.
    pub operation: Operation,
    /// How many cases were played.
    pub cases: u64,
    /// How many of them are legal as they are.
    pub legal: u64,
    /// How many were answered with an output.
    pub answered: u64,
    /// How many legal and illegal ones were refused.
    pub refused: [u64; 2],
    /// How many were answered with `unsupported`, by what was said.
    pub unsupported: BTreeMap<String, u64>,
    /// How many were not asked, because its reader of JSON does not take them.
    pub withheld: u64,
    /// How many legal and illegal ones it crashed at.
    pub crashed: [u64; 2],
    /// The counts of each rule.
    pub counts: BTreeMap<&'static str, Counts>,
    /// The breaches with their smallest cases, those of legal histories first.
    pub breaches: Vec<Kept>,
    /// Why it was not asked any more.
    pub ended: Option<String>,
}

/// A case with something to report.
struct Reported {
    case: u64,
    scenario: Scenario,
    finding: Finding,
}

/// Judges one operation.
pub(crate) fn judge(program: &Program, about: &About, field: &Field, effort: Effort) -> Judged {
    let mut judged = Judged {
        operation: field.operation,
        cases: 0,
        legal: 0,
        answered: 0,
        refused: [0; 2],
        unsupported: BTreeMap::new(),
        withheld: 0,
        crashed: [0; 2],
        counts: BTreeMap::new(),
        breaches: Vec::new(),
        ended: None,
    };
    let options = Options { seed: effort.seed, profiles: field.profiles(), ..Options::default() };
    let mut reported = Vec::new();
    for case in 0..effort.cases {
        let scenario = options.scenario(case);
        let asked = ask(program, field.operation, &scenario, field.depth(case));
        judged.count(&asked.way, field.is_legal(&scenario));
        for finding in classify(field, &scenario, &asked, &mut judged.counts) {
            reported.push(Reported { case, scenario: scenario.clone(), finding });
        }
        if judged.crashed.iter().sum::<u64>() >= MOST_CRASHES {
            judged.ended = Some(format!("it crashed {MOST_CRASHES} times in {} cases", judged.cases));
            break;
        }
    }
    judged.breaches = Smaller { program, about, field, effort }.breaches(reported);
    judged
}

impl Judged {
    fn count(&mut self, way: &Way, is_legal: bool) {
        let sort = usize::from(!is_legal);
        self.cases += 1;
        self.legal += u64::from(is_legal);
        match way {
            Way::Output => self.answered += 1,
            Way::Refused(_) => self.refused[sort] += 1,
            Way::Unsupported(why) => *self.unsupported.entry(why.clone()).or_default() += 1,
            Way::Withheld => self.withheld += 1,
            Way::Crashed(_) => self.crashed[sort] += 1,
        }
    }
}

struct Smaller<'a> {
    program: &'a Program,
    about: &'a About,
    field: &'a Field,
    effort: Effort,
}

impl Smaller<'_> {
    /// The breaches of what was reported, those of the nearest rules first.
    fn breaches(&self, mut reported: Vec<Reported>) -> Vec<Kept> {
        let rank = |reported: &Reported| {
            let rule = reported.finding.rule;
            // What follows from a broken structure is reported as that.
            (reported.finding.class, reported.finding.harm, !is_structural(rule), distance(rule), rule, reported.case)
        };
        reported.sort_by_key(rank);
        let mut breaches: Vec<Kept> = Vec::new();
        for reported in reported {
            let Finding { class, rule, .. } = reported.finding;
            // What is worse explains the rest, too.
            let is_of = |kept: &&Kept| {
                kept.class == class
                    && kept.harm <= reported.finding.harm
                    && (class == Class::Legal || kept.rule == rule)
            };
            let known: Vec<&Kept> = breaches.iter().filter(is_of).collect();
            let is_known = match class {
                Class::Legal => {
                    let of_rule =
                        || known.iter().filter(|kept| kept.rule == rule && kept.harm == reported.finding.harm);
                    of_rule().count() >= MOST_OF_A_RULE
                        || of_rule().filter(|kept| kept.kind == reported.finding.kind).count() >= MOST_OF_A_KIND
                        || known.iter().any(|kept| self.explains(kept, &reported.finding, &reported.scenario))
                }
                // What a library does with illegal histories gets one case a rule.
                Class::Anew | Class::PassedOn => !known.is_empty(),
            };
            // What a legal history suffers, an illegal one suffers too.
            let is_of_legal =
                class == Class::Anew && breaches.iter().any(|kept| kept.class == Class::Legal && kept.rule == rule);
            if is_known || is_of_legal {
                continue;
            }
            let known: Vec<Kept> = known.into_iter().cloned().collect();
            let mut kept = self.smallest(&reported, &known);
            if breaches.iter().any(|other| other.class == class && self.is_same(other, &kept)) {
                continue;
            }
            // The tries of an earlier one may have ended before it was as small.
            let is_of_kind = |other: &Kept| (other.class, &other.rule, &other.kind) == (class, &kept.rule, &kept.kind);
            breaches.retain(|other| {
                class != Class::Legal || !is_of_kind(other) || !stands_in(&kept.scenario, &other.scenario)
            });
            kept.name(&breaches);
            breaches.push(kept);
        }
        breaches
    }

    /// Whether a kept case says what a finding in another case would say. A history shows what becomes of its blocks,
    /// in every place. What a stream or a file holds is not comparable so: there each kind of violation of each rule
    /// gets a case of its own.
    fn explains(&self, kept: &Kept, finding: &Finding, case: &Scenario) -> bool {
        match self.field.operation {
            Operation::NormalizeApi => stands_in(&kept.scenario, case),
            _ => kept.rule == finding.rule && kept.kind == finding.kind,
        }
    }

    /// Whether one kept case is another one, found from another side.
    fn is_same(&self, one: &Kept, other: &Kept) -> bool {
        match self.field.operation {
            Operation::NormalizeApi => one.scenario == other.scenario,
            _ => (&one.rule, &one.kind) == (&other.rule, &other.kind),
        }
    }

    /// The field with one rule alone, or with none for a crash.
    fn field_of(&self, rule: &str) -> Field {
        let rules: Vec<&'static Rule> = find(rule).into_iter().collect();
        Field { operation: self.field.operation, rules }
    }

    /// The findings of a rule in a case.
    fn findings(&self, field: &Field, rule: &str, scenario: &Scenario) -> (Asked, Vec<Finding>) {
        let asked = ask(self.program, field.operation, scenario, field.least_depth(rule));
        let findings = classify(field, scenario, &asked, &mut BTreeMap::new());
        (asked, findings)
    }

    fn smallest(&self, reported: &Reported, known: &[Kept]) -> Kept {
        let finding = &reported.finding;
        let field = self.field_of(finding.rule);
        let mut shows = |scenario: &Scenario| {
            let is_known =
                finding.class == Class::Legal && known.iter().any(|kept| self.explains(kept, finding, scenario));
            let is_of_class = field.is_legal(scenario) == (finding.class == Class::Legal);
            // What no client writes would accuse a tool of what nobody has seen.
            let is_real = field.operation != Operation::Repair || field.profiles().contains(&scenario.profile());
            let is_same = |other: &Finding| {
                (other.class, other.harm, other.rule) == (finding.class, finding.harm, finding.rule)
                    && other.kind == finding.kind
            };
            !is_known && is_real && is_of_class && self.findings(&field, finding.rule, scenario).1.iter().any(is_same)
        };
        let tries = if finding.rule == CRASH { TRIES_AFTER_CRASHES } else { self.effort.tries };
        let found = smallest(reported.scenario.clone(), tries, simpler, &mut shows);
        self.kept(reported, found)
    }

    /// What is kept of a smallest case, which is asked again by all rules.
    fn kept(&self, reported: &Reported, scenario: Scenario) -> Kept {
        let (rule, class) = (reported.finding.rule, reported.finding.class);
        let (asked, findings) = self.findings(self.field, rule, &scenario);
        let of_class = |finding: &&Finding| finding.class == class;
        let is_own = |finding: &&Finding| finding.rule == rule && finding.kind == reported.finding.kind;
        let own = findings.iter().filter(of_class).find(is_own).unwrap_or(&reported.finding);
        // The smallest case may show something worse.
        let worse = findings.iter().filter(of_class).filter(|finding| finding.harm < own.harm);
        let own = worse.min_by_key(|finding| (finding.harm, distance(finding.rule))).unwrap_or(own);
        let rule = own.rule;
        let mut also: Vec<String> = findings.iter().filter(of_class).map(|finding| finding.rule.to_owned()).collect();
        also.retain(|other| other != rule);
        also.dedup();
        let request = request(&asked);
        let violation = own.violation.as_ref();
        let is_nested =
            violation.zip(request.as_ref()).is_some_and(|(violation, request)| is_nested(violation, request));
        let (given, sent) = (input(self.field.operation, &scenario), answer(self.field.operation, &asked));
        let hosts = find(rule).zip(request.as_ref()).map(|(rule, request)| hosts(rule, request)).unwrap_or_default();
        Kept {
            subject: self.program_name(),
            library: self.about.title(),
            function: self.about.function.clone(),
            operation: self.field.operation,
            class,
            harm: own.harm,
            kind: own.kind.to_owned(),
            rule: rule.to_owned(),
            found: own.found.clone(),
            expected: violation.map(|violation| violation.expected.to_string()).unwrap_or_default(),
            also,
            error: violation.and_then(|violation| violation.error.clone()),
            hosts,
            note: if is_nested { NESTED.to_owned() } else { String::new() },
            origin: Some((self.effort.seed, reported.case)),
            messages: size(&scenario),
            input: given,
            answer: sent,
            scenario,
            is_confirmed: false,
            file: String::new(),
        }
    }

    fn program_name(&self) -> String {
        turnproof_suite::subject::Subject::name(self.program).to_owned()
    }
}

/// Whether a rule judges the form of a request alone.
fn is_structural(rule: &str) -> bool {
    find(rule).is_some_and(|rule| matches!(rule.judge, Judge::Request { .. }))
}

/// The request that was made, if there is one.
fn request(asked: &Asked) -> Option<Request> {
    let answers = asked.observed.normalize_api.as_ref()?.as_ref().ok()?;
    let turns = answers.first()?.request.as_ref().ok()?;
    Request::from_plain(turns.clone(), 0).ok()
}

/// The hosts by whose profile a request breaks a rule; empty for rules that do not judge requests alone.
fn hosts(rule: &Rule, request: &Request) -> Vec<String> {
    let breaks = |host: &Host| !crate::field::on_request(rule, request, *host).is_empty();
    Host::ALL.into_iter().filter(breaks).map(|host| host.name().to_owned()).collect()
}

/// Whether a violation about a text is about one inside of a result.
fn is_nested(violation: &Violation, request: &Request) -> bool {
    let Place::Message { index, block: Some(block) } = violation.place else { return false };
    let turn = request.messages.get(index as usize);
    let block = turn.and_then(|turn| turn.get("content")?.get(block as usize));
    let is_of_texts = ["api/no-empty-text", "api/no-blank-text"].contains(&violation.rule);
    is_of_texts && block.and_then(|block| block.get("type")?.as_str()) == Some("tool_result")
}
