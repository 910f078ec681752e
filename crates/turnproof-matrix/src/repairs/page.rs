//! The *page*: a table of all cases, one of each kind of damage, and one of pairs.

use std::fmt::Write as _;

use serde_json::json;
use turnproof_suite::scenario::SESSION_DAMAGES;

use super::Row;
use super::measure::{Measured, Share};
use super::reader::Reader;
use super::tool::Tool;

pub(super) struct Page<'a> {
    pub seed: u64,
    pub date: Option<String>,
    pub tools: &'a [Tool],
    pub reader: Option<&'a Reader>,
    pub rows: &'a [Row],
}

/// The place of turnproof among the tools.
const OURS: usize = 1;

/// What some cases add up to, of one tool.
#[derive(Default)]
struct Sum {
    cases: u64,
    messages: Share,
    official: Share,
    accepted: u64,
    lost: u64,
    idempotent: u64,
    failed: u64,
    micros: u128,
}

impl Sum {
    fn of<'r>(measured: impl Iterator<Item = &'r Measured>) -> Self {
        let mut sum = Self::default();
        for one in measured {
            sum.cases += 1;
            for (all, share) in [(&mut sum.messages, one.messages), (&mut sum.official, one.official)] {
                all.part += share.part;
                all.whole += share.whole;
            }
            sum.accepted += u64::from(one.is_accepted);
            sum.lost += one.lost;
            sum.idempotent += u64::from(one.is_idempotent);
            sum.failed += u64::from(one.failed.is_some());
            sum.micros += one.time.as_micros();
        }
        sum
    }

    fn accepted(&self) -> Share {
        Share { part: self.accepted, whole: self.cases }
    }

    /// Messages back by turnproof's reader and by the official one, and sessions that the API accepts.
    fn cell(&self) -> String {
        [self.messages, self.official, self.accepted()].map(percent).join(" · ")
    }
}

/// A share in whole percent. Only all is 100, and only nothing 0.
fn percent(share: Share) -> String {
    match share {
        Share { whole: 0, .. } => "–".to_owned(),
        Share { part: 0, .. } => "0".to_owned(),
        Share { part, whole } if part == whole => "100".to_owned(),
        Share { part, whole } => ((part * 100 + whole / 2) / whole).clamp(1, 99).to_string(),
    }
}

impl Page<'_> {
    fn sum(&self, tool: usize, is_of: impl Fn(&Row) -> bool) -> Sum {
        Sum::of(self.rows.iter().filter(|row| is_of(row)).map(|row| &row.measured[tool]))
    }

    pub(super) fn markdown(&self) -> String {
        let of = |count: usize| self.rows.iter().filter(|row| row.case.damages.len() == count).count();
        let date = self.date.as_deref().map(|date| format!("On {date}, s")).unwrap_or_else(|| "S".to_owned());
        let reader = self.reader.map_or_else(|| "not installed".to_owned(), |reader| reader.adapter.about.title());
        let mut text = format!(
            "{date}eed {}: {} sessions with one damage, and {} with two. The official reader is {reader}.\n",
            self.seed,
            of(1),
            of(2)
        );
        for (count, title) in [(1, "One damage"), (2, "Two at once")] {
            let _ = write!(text, "\n### {title}\n\n");
            text += "| tool | messages back | by the official reader | accepted as stored | bytes lost | a second run \
                     changes nothing | ends with an error | ms a file |\n|---|---|---|---|---|---|---|---|\n";
            for (at, tool) in self.tools.iter().enumerate() {
                let sum = self.sum(at, |row| row.case.damages.len() == count);
                let time = sum.micros as f64 / 1000.0 / sum.cases.max(1) as f64;
                let (idempotent, time) = match tool {
                    Tool::None => ("–".to_owned(), "–".to_owned()),
                    _ => {
                        let same = Share { part: sum.idempotent, whole: sum.cases };
                        (format!("{} %", percent(same)), format!("{time:.1}"))
                    }
                };
                let [messages, official, accepted] = [sum.messages, sum.official, sum.accepted()].map(percent);
                let _ = writeln!(
                    text,
                    "| {} | {messages} % | {official} % | {accepted} % | {} | {idempotent} | {} | {time} |",
                    tool.name(),
                    sum.lost,
                    sum.failed
                );
            }
        }
        text += &self.by_injury("Each damage alone", 1);
        text += &self.by_injury("Each damage with any other", 2);
        text
    }

    fn by_injury(&self, title: &str, count: usize) -> String {
        let names: Vec<String> = self.tools.iter().map(Tool::name).collect();
        let mut text = format!("\n### {title}\n\n| damage | cases | {} |\n", names.join(" | "));
        let _ = writeln!(text, "|---|---|{}", "---|".repeat(names.len()));
        for damage in SESSION_DAMAGES {
            let is_of = |row: &Row| row.case.damages.len() == count && row.case.damages.contains(&damage.name);
            let sums: Vec<Sum> = (0..self.tools.len()).map(|tool| self.sum(tool, is_of)).collect();
            let cells: Vec<String> = sums.iter().map(Sum::cell).collect();
            let what = if count == 1 { damage.what } else { damage.name };
            let _ = writeln!(text, "| {what} | {} | {} |", sums[0].cases, cells.join(" | "));
        }
        text
    }

    /// A line for each case and tool.
    pub(super) fn lines(&self) -> String {
        let mut text = String::new();
        for Row { case, measured } in self.rows {
            for (tool, one) in self.tools.iter().zip(measured) {
                let line = json!({
                    "damages": case.damages, "session": case.session, "tool": tool.name(),
                    "messages": [one.messages.part, one.messages.whole],
                    "official": [one.official.part, one.official.whole], "accepted": one.is_accepted,
                    "lost_bytes": one.lost, "idempotent": one.is_idempotent, "failed": one.failed,
                });
                let _ = writeln!(text, "{line}");
            }
        }
        text
    }

    /// The rows of the tables in which another tool, or none, brings back more than turnproof, in words.
    pub(super) fn better_than_ours(&self) -> Vec<String> {
        let mut better = Vec::new();
        for (damage, count) in SESSION_DAMAGES.iter().flat_map(|damage| [(damage, 1), (damage, 2)]) {
            let is_of = |row: &Row| row.case.damages.len() == count && row.case.damages.contains(&damage.name);
            let ours = self.sum(OURS, is_of);
            for (at, tool) in self.tools.iter().enumerate() {
                let sum = self.sum(at, is_of);
                let is_more = sum.messages.part > ours.messages.part
                    || sum.official.part > ours.official.part
                    || sum.accepted > ours.accepted;
                if is_more {
                    better.push(format!(
                        "{} ({count} at once): {}: {}, ours {}",
                        damage.name,
                        tool.name(),
                        sum.cell(),
                        ours.cell()
                    ));
                }
            }
        }
        better
    }

    /// The cases in which another tool, or none, brings back more than turnproof, in words.
    pub(super) fn cases_better_than_ours(&self) -> Vec<String> {
        let mut better = Vec::new();
        for Row { case, measured } in self.rows {
            let ours = &measured[OURS];
            for (tool, one) in self.tools.iter().zip(measured) {
                let more = [
                    (one.messages.part > ours.messages.part, "messages"),
                    (one.official.part > ours.official.part, "messages of the official reader"),
                    (one.is_accepted && !ours.is_accepted, "acceptance"),
                ];
                for (_, what) in more.into_iter().filter(|(is_more, _)| *is_more) {
                    let damages = case.damages.join(" and ");
                    better.push(format!("{damages}, session {}: {} in {what}", case.session, tool.name()));
                }
            }
        }
        better
    }
}
