//! A *watch* as people and programs read it: a finding drawn as in a check, all else a line each.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::check::{Again, Event, Judged, Verdict};

use super::drawn::Drawn;
use super::human::Limit;
use super::jsonl::{JsonLine, violation_line};
use super::screen::Screen;
use super::verdicts::{named, verdict_line};
use turnproof_suite::table::size;

/// Writes what a watch tells for people.
pub struct HumanWatch<W> {
    out: W,
    screen: Screen,
    limit: u64,
    /// What was shown of each file at this look.
    shown: BTreeMap<String, Limit>,
}

impl<W: Write> HumanWatch<W> {
    /// Writes to `out`, for this screen; of each rule and file at most `limit` findings at a look (0: all).
    pub fn new(out: W, screen: Screen, limit: u64) -> Self {
        Self { out, screen, limit, shown: BTreeMap::new() }
    }

    /// Writes an event of a file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn tell(&mut self, file: &str, event: Event<'_>) -> io::Result<()> {
        let line = match event {
            Event::Finding(finding) => {
                let limit = self.shown.entry(file.to_owned()).or_insert_with(|| Limit::new(self.limit));
                if !limit.shows(finding.rule) {
                    return Ok(());
                }
                return writeln!(self.out, "{}", Drawn::of(&finding, self.screen).draw(self.screen));
            }
            Event::Verdict(verdict) => {
                let line = named(&[judged(file, verdict)], usize::MAX, self.screen, false);
                return self.out.write_all(line.as_bytes());
            }
            Event::Began { lines, known } => match known.values().sum() {
                0 => size(lines, "line"),
                findings => format!("{}, and {} that it had before", size(lines, "line"), size(findings, "finding")),
            },
            Event::Gone { rule, count: 1 } => format!("gone: {}", rule.id),
            Event::Gone { rule, count } => format!("gone: {} × {count}", rule.id),
            Event::Again(why) => format!("{}; it is judged from its beginning", in_words(why)),
            Event::Removed => "it is there no more".to_owned(),
            Event::Unreadable(error) => error.problem.clone(),
        };
        self.out.write_all(self.screen.wrap(&format!("{file}: {line}"), 2).as_bytes())
    }

    /// Ends a look at all files.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn end_of_look(&mut self) -> io::Result<()> {
        for (file, mut limit) in std::mem::take(&mut self.shown) {
            for (rule, more) in limit.hidden() {
                let line = format!("{file}: … {more} more of {rule} (--limit 0 shows all)");
                self.out.write_all(self.screen.wrap(&line, 2).as_bytes())?;
            }
        }
        self.out.flush()
    }
}

/// Writes an event of a file for programs, on a line of its own.
///
/// # Errors
/// When it cannot be written.
pub fn watch_line(out: &mut impl Write, file: &str, event: Event<'_>) -> io::Result<()> {
    let line = match event {
        Event::Finding(finding) => return out.write_all(violation_line(&finding).as_bytes()),
        Event::Verdict(verdict) => return verdict_line(out, &judged(file, verdict)),
        Event::Began { lines, known } => {
            JsonLine::new("began").with("file", file).with("lines", lines).with("known_by_rule", known)
        }
        Event::Gone { rule, count } => {
            JsonLine::new("gone").with("file", file).with("rule", rule.id).with("count", count)
        }
        Event::Again(why) => JsonLine::new("again").with("file", file).with("why", name(why)),
        Event::Removed => JsonLine::new("removed").with("file", file),
        Event::Unreadable(error) => JsonLine::new("unreadable").with("file", file).with("problem", &error.problem),
    };
    out.write_all(line.end().as_bytes())
}

fn judged(file: &str, verdict: &Verdict) -> Judged {
    Judged { file: file.to_owned(), verdict: verdict.clone(), is_known: false }
}

fn name(why: Again) -> &'static str {
    match why {
        Again::Truncated => "truncated",
        Again::Replaced => "replaced",
        Again::Rewritten => "rewritten",
    }
}

fn in_words(why: Again) -> &'static str {
    match why {
        Again::Truncated => "it is shorter than it was",
        Again::Replaced => "another file is in its place",
        Again::Rewritten => "what was read of it has changed",
    }
}
