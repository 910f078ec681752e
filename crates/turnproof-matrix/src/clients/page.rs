//! The *page* on clients: a table of what each comes to in each situation, and every mistake with its smallest case.

use std::collections::BTreeSet;
use std::fmt::Write;

use turnproof_clients::{Kept, Key, Outcome, SessionCase, Situation};
use turnproof_rules::operation::Host;
use turnproof_rules::rules::{Known, find};
use turnproof_suite::table::size;

use super::result::{Judged, Mistake};

/// The page.
pub(super) fn page(situations: &[Situation], judged: &[Judged]) -> String {
    let mut page = head(judged);
    page.push_str(&table(situations, judged));
    page.push_str(BEHIND);
    page.push_str(&list(situations, judged));
    for client in judged {
        page.push_str(&section(situations, client));
    }
    page
}

const BEHIND: &str = "
*refused*: it sends what the API refuses. *loses*: what was said does not come back. *changes*: it comes back
otherwise, or something is added or moved. *retries*: it asks again too soon or too often. *dies*: it fails although
its last answer was whole, or asks nothing. *hangs*: it does not end in its time. What is marked with a star the API
itself does not do: gateways do, or it is of tomorrow. `–` was not played, or the client's requests do not allow it, as
thinking that they do not ask for.

";

fn head(judged: &[Judged]) -> String {
    let families: BTreeSet<&str> = judged.iter().map(|client| client.family.as_str()).collect();
    let mistakes = judged.iter().map(|client| client.mistakes().count() as u64).sum();
    let days: BTreeSet<&str> = judged.iter().filter_map(|client| client.date.as_deref()).collect();
    let on = days.last().map_or(String::new(), |day| format!("On {day}: "));
    let (clients, of) = (size(judged.len() as u64, "client"), families.len());
    format!(
        "# What clients do\n\n{on}{clients} of {of} families, and {} that two runs have shown.\n\n\
         Each client runs as it is, without any network but the mock's. It gets two prompts in one session. Each request \
         is\njudged by the rules, and held against what the mock has said. `turnproof test --client DIR` does the same with\n\
         generated conversations: [Judge any client](mock.md).\n\n\
         A cell holds what both of two runs have shown. Refusals are the mock's. Each names how far the API's own refusal\n\
         is known: *recorded* in an exchange with it, *documented* by its pages or a public report, or *inferred*, which is\n\
         our reading. What is lost or changed is a fact of the requests; that it matters is our reading.\n\n",
        size(mistakes, "mistake")
    )
}

/// Situations beside clients.
fn table(situations: &[Situation], judged: &[Judged]) -> String {
    let mut text = String::from("| situation |");
    judged.iter().for_each(|client| _ = write!(text, " {} |", client.name));
    text.push_str("\n|---|");
    judged.iter().for_each(|_| text.push_str("---|"));
    text.push('\n');
    for situation in situations {
        _ = write!(text, "| {}{} |", situation.what, if situation.unusual { "*" } else { "" });
        for client in judged {
            let cell = match client.outcomes.get(&situation.name) {
                None => "–".to_owned(),
                Some(outcomes) => match outcomes.worst() {
                    Some(mistake) => format!("[{}]({})", outcomes.word(), link(client, mistake)),
                    None if outcomes.is_partial => "–".to_owned(),
                    None if outcomes.unconfirmed > 0 => "not sure".to_owned(),
                    None => "right".to_owned(),
                },
            };
            _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    text
}

fn link(client: &Judged, mistake: &Mistake) -> String {
    format!("../tests/clients/{}/{}", client.name, mistake.file)
}

/// The clients with their versions.
fn list(situations: &[Situation], judged: &[Judged]) -> String {
    let mut text = String::from("| client | version | family | played | what to know |\n|---|---|---|---|---|\n");
    for client in judged {
        let (package, version) = client.title.rsplit_once(' ').unwrap_or((&client.title, ""));
        let Judged { name, family, cannot, outcomes, .. } = client;
        let (played, all) = (outcomes.values().filter(|one| !one.is_partial).count(), situations.len());
        _ = writeln!(text, "| [{name}](#{name}) | `{package}` {version} | {family} | {played} of {all} | {cannot} |");
    }
    text
}

/// What a client does wrong, each mistake once, with the situations that show it.
fn section(situations: &[Situation], client: &Judged) -> String {
    let mut text = format!("\n## {}\n\n", client.name);
    let mut known = BTreeSet::new();
    let in_order = situations.iter().filter_map(|one| Some((one, client.outcomes.get(&one.name)?)));
    let all: Vec<(&Situation, &Mistake)> =
        in_order.flat_map(|(one, outcomes)| outcomes.mistakes.iter().map(move |mistake| (one, mistake))).collect();
    if all.is_empty() {
        return text + "Nothing is wrong in what was played.\n";
    }
    text.push_str("| outcome | rule | what was found | the API answers | shown by |\n|---|---|---|---|---|\n");
    // Who dies says of what.
    let key = |mistake: &Mistake| {
        let key = mistake.breach.key.clone();
        let words = if key.outcome == Outcome::Dies { mistake.breach.found.clone() } else { String::new() };
        (key, words)
    };
    for (_, first) in &all {
        if !known.insert(key(first)) {
            continue;
        }
        let shown: Vec<String> = all
            .iter()
            .filter(|(_, mistake)| key(mistake) == key(first))
            .map(|(situation, mistake)| format!("[{}]({})", situation.name, link(client, mistake)))
            .collect();
        let Key { outcome, rule, .. } = &first.breach.key;
        let (outcome, shown) = (outcome.words(), shown.join(", "));
        _ = writeln!(text, "| {outcome} | `{rule}` | {} | {shown} |", what(first));
    }
    text
}

/// What a client makes of sessions that it resumes; nothing where none were kept.
pub(super) fn sessions(client: &Judged, all: &[Kept<SessionCase>]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\n## Sessions of {}\n\nGenerated session files, most of them damaged, are resumed. Each row was confirmed by a \
         second run of its smallest case.\n`MARK-1` and its like are words of the file. What the file brings back is \
         what `turnproof resume` says.\n\n| outcome | what was done | records | what was found | {} |\n|---|---|---|---|---|\n",
        client.name, "how the refusal is known"
    );
    for kept in all {
        let breach = &kept.breach;
        let lines = kept.case.bytes.split(|&byte| byte == b'\n');
        let records = lines.filter(|line| !line.trim_ascii().is_empty()).count();
        let file = format!("../tests/clients/sessions/{}/{}", client.name, kept.file_name());
        let known = if breach.key.outcome == Outcome::Refused { basis(&breach.key.rule) } else { "–".to_owned() };
        let damage = if kept.case.damage.is_empty() { "nothing" } else { &kept.case.damage };
        let (outcome, found) = (breach.key.outcome.words(), shown(&breach.found));
        _ = writeln!(text, "| [{outcome}]({file}) | {damage} | {records} | `{found}` | {known} |");
    }
    text
}

/// What was found, what the API says of it, and how that is known: two cells.
fn what(mistake: &Mistake) -> String {
    let breach = &mistake.breach;
    let found = shown(&breach.found);
    match (&breach.error, breach.key.outcome) {
        (Some(error), Outcome::Refused) => {
            let ever = if breach.for_ever { ", and the next prompt, too" } else { "" };
            format!("`{found}` | {}: `{}`{ever}", basis(&breach.key.rule), shown(error))
        }
        _ => format!("`{found}` | –"),
    }
}

/// A text on one line, of bounded length, that ends no code.
fn shown(text: &str) -> String {
    let line: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let line = line.replace('`', "'").replace('|', "\\|");
    match line.char_indices().nth(200) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// How it is known that the API refuses what breaks a rule.
fn basis(rule: &str) -> String {
    let of = find(rule).and_then(|rule| rule.hosts.iter().find(|(host, _)| *host == Host::Anthropic));
    match of.map(|(_, known)| known) {
        Some(Known::Recorded(when)) => format!("Recorded of the API ({when})"),
        Some(Known::Documented) => "Documented".to_owned(),
        Some(Known::Inferred) | None => "Inferred".to_owned(),
    }
}
