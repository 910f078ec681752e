//! The page of a campaign: its *finds*, nearest to the mistake first, for people who look in the morning.

use std::cmp::Reverse;

use maud::{Markup, html};
use turnproof_rules::rules::find as rule_of;
use turnproof_suite::fuzzing::campaign::{Find, State, Summary};
use turnproof_suite::suite::{RuleCount, nearness};
use turnproof_suite::table::{count, size};

use super::html::text::{glance, prose, words};
use super::html::{aside, document, header, table};
use super::run::html::{lines, meaning, plain_file};

/// What the page is made of.
#[derive(Clone, Copy, Debug)]
pub struct FindsPage<'a> {
    /// The version of turnproof.
    pub version: &'a str,
    /// The words that begin the command which plays a find again; it takes the options of `turnproof fuzz`.
    pub command: &'a str,
    /// What was tried.
    pub summary: &'a Summary,
    /// The finds, each with its smallest input and the file that holds it.
    pub finds: &'a [(&'a Find, Vec<u8>, String)],
}

impl FindsPage<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let (failing, gone): (Vec<_>, Vec<_>) = self.nearest_first().partition(|one| one.0.state == State::Failing);
        let verdict = format!("{} of {}", size(failing.len() as u64, "find"), self.summary.subject);
        let body = html! {
            (header(self.version, !failing.is_empty(), &verdict, &html! {}, &self.facts()))
            main {
                @if !failing.is_empty() {
                    section id="finds" { h2 { "Nearest to the mistake first" } (overview(&failing)) }
                }
                @for (at, find) in failing.iter().enumerate() { (self.section(&format!("find-{}", at + 1), find)) }
                @if !gone.is_empty() { section id="gone" { h2 { "Gone" } (overview(&gone)) } }
                section id="tried" { h2 { "What was tried" } (self.tried()) }
            }
        };
        document(&html! { (verdict) }, &body)
    }

    /// Crashes come first, then what is nearest by its rule, then what has the smallest input.
    fn nearest_first(&self) -> impl Iterator<Item = &(&Find, Vec<u8>, String)> {
        let times = |(find, ..): &(&Find, Vec<u8>, String)| {
            let rule = rule_of(find.rule.as_deref()?)?.id;
            Some(RuleCount { rule, broken: find.times, ..RuleCount::default() })
        };
        let counts: Vec<RuleCount> = self.finds.iter().filter_map(times).collect();
        let mut finds: Vec<_> = self.finds.iter().collect();
        let near = |find: &Find| find.rule.as_deref().map(|rule| nearness(rule, &counts));
        finds.sort_by_key(|(find, ..)| (near(find), find.bytes, Reverse(find.times)));
        finds.into_iter()
    }

    fn facts(&self) -> Vec<(&'static str, Markup)> {
        let inputs = self.summary.operations.values().map(|account| account.inputs).sum();
        vec![
            ("subject", glance(&self.summary.subject)),
            ("inputs", html! { (count(inputs)) }),
            ("of", glance(&self.summary.series)),
            ("gone", html! { (count(self.summary.gone as u64)) }),
        ]
    }

    fn section(&self, id: &str, (find, input, path): &(&Find, Vec<u8>, String)) -> Markup {
        let rule = find.rule.as_deref().and_then(rule_of);
        html! {
            section.failure id=(id) {
                h2 { a href={ "#" (id) } { (title(find)) } }
                @if let Some(rule) = rule { p.title { (prose(rule.title)) "." } }
                ol.violations { li {
                    p { b { "it did" } " " (words(&find.found)) }
                    p { b { "it had to do" } " " (words(&find.expected)) }
                    @if !find.place.is_empty() { code.place { (find.place) } }
                } }
                @if !find.is_again { p.empty { "It was not so when the subject was asked again: it answers by chance, or remembers." } }
                @if !find.said.is_empty() { pre { code { (lines(&find.said)) } } }
                h3 { "The smallest input" }
                (plain_file("", input))
                p.quiet {
                    (count(find.bytes as u64)) " of " (size(find.before as u64, "byte")) " left, kept as " code { (glance(path)) }
                    @if find.is_cut_off { "; there may be a smaller one" }
                }
                h3 { "Play it again" }
                pre { code { (self.again(find)) } }
                p.quiet {
                    "It has failed since " (glance(if find.since.is_empty() { "an earlier version" } else { &find.since }))
                    ", and was seen " (size(find.times, "time")) ". It comes from input " (find.number) " of seed " (find.seed) "."
                }
                @for beside in &find.beside { p.quiet { "And beside it " (glance(beside)) } }
                @if let Some(rule) = rule { (aside("What the rule means, and what to do", &meaning(rule))) }
            }
        }
    }

    /// The command that asks about the find: no new input, its operation and its rule alone.
    fn again(&self, find: &Find) -> String {
        let rule = find.rule.as_ref().map_or(String::new(), |rule| format!(" --rules {rule}"));
        format!("{} --inputs 0 --operation {}{rule}", self.command, find.operation.name())
    }

    fn tried(&self) -> Markup {
        let head = ["operation", "#inputs", "#answered", "#refused", "#not judged", "#crashed"];
        let row = |(name, account): (&String, &turnproof_suite::fuzzing::campaign::Account)| {
            let figures = [account.inputs, account.answered, account.refused, account.not_done, account.crashed];
            [html! { (name) }].into_iter().chain(figures.map(|figure| html! { (count(figure)) })).collect()
        };
        table("", &head, self.summary.operations.iter().map(row))
    }
}

fn title(find: &Find) -> Markup {
    html! { (find.operation.name()) " " (find.name()) }
}

fn overview(finds: &[&(&Find, Vec<u8>, String)]) -> Markup {
    let row = |(at, (find, ..)): (usize, &&(&Find, Vec<u8>, String))| {
        let name = match find.state {
            State::Failing => html! { a href={ "#find-" (at + 1) } { (title(find)) } },
            State::Gone => title(find),
        };
        vec![
            name,
            glance(&find.kind),
            glance(&find.since),
            html! { (count(find.times)) },
            html! { (count(find.bytes as u64)) },
        ]
    };
    table("", &["find", "kind", "since", "#seen", "#bytes"], finds.iter().enumerate().map(row))
}
