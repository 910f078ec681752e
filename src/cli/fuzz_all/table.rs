//! The live *table*: a line a target, drawn again and again where standard error is a terminal; elsewhere a plain line
//! for each slice that is over.

use std::io::{self, IsTerminal};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::report::{Column, Table, count, size};

use super::super::time::in_words;
use super::state::{Account, State};

/// How a target is in the table.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    pub(super) target: &'a str,
    pub(super) account: Account,
    /// How many kinds of crash there were.
    pub(super) finds: u64,
    /// What it does.
    pub(super) doing: String,
}

impl<'a> Row<'a> {
    /// What a target has had so far.
    pub(super) fn of(state: &State, target: &'a str) -> Self {
        Self {
            target,
            account: state.targets.get(target).cloned().unwrap_or_default(),
            finds: state.found_tonight().filter(|finding| finding.target == target).count() as u64,
            doing: String::new(),
        }
    }
}

/// The rows under their headings.
pub(super) fn table(rows: &[Row<'_>], last: &str) -> Table {
    let columns = [
        (Column::Left, "target"),
        (Column::Right, "time"),
        (Column::Right, "executions"),
        (Column::Right, "a second"),
        (Column::Right, "coverage"),
        (Column::Right, "corpus"),
        (Column::Right, "crashes"),
        (Column::Right, "finds"),
        (Column::Left, last),
    ];
    let mut table = Table::new(columns);
    let or_none = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), count);
    for row in rows {
        let account = &row.account;
        table.row([
            row.target.to_owned(),
            in_words(account.spent),
            count(account.executions),
            count(account.rate()),
            or_none(account.coverage),
            or_none(account.corpus),
            count(account.crashes),
            count(row.finds),
            row.doing.clone(),
        ]);
    }
    table
}

/// What is said of a slice that is over.
pub(super) fn slice_line(done: Duration, row: &Row<'_>) -> String {
    let account = &row.account;
    let or_none = |number: Option<u64>| number.map_or_else(|| "none".to_owned(), count);
    format!(
        "[{}] {}: {}, {} ({} a second), coverage {}, corpus {}, crashed {}, {}",
        in_words(done),
        row.target,
        in_words(account.spent),
        size(account.executions, "execution"),
        count(account.rate()),
        or_none(account.coverage),
        or_none(account.corpus),
        size(account.crashes, "time"),
        size(row.finds, "find"),
    )
}

/// Where the table is drawn.
pub(super) struct Board {
    /// None where standard error is no terminal.
    bar: Option<ProgressBar>,
    has_colour: bool,
}

impl Board {
    pub(super) fn new() -> Self {
        let stderr = io::stderr();
        let bar = stderr.is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{msg}") {
                bar.set_style(style);
            }
            bar
        });
        let has_colour = anstream::AutoStream::choice(&stderr) != anstream::ColorChoice::Never;
        Self { bar, has_colour }
    }

    /// Whether anybody sees a table.
    pub(super) fn is_live(&self) -> bool {
        self.bar.is_some()
    }

    /// Draws the rows, and a line above them.
    pub(super) fn draw(&self, heading: &str, rows: &[Row<'_>]) {
        let Some(bar) = &self.bar else { return };
        let rendered = table(rows, "now").render();
        let mut lines = vec![heading.to_owned()];
        for (index, line) in rendered.lines().enumerate() {
            let row = index.checked_sub(1).and_then(|index| rows.get(index));
            lines.push(self.painted(line, row));
        }
        bar.set_message(lines.join("\n"));
        bar.tick();
    }

    /// Red where something was found, bold where it runs.
    fn painted(&self, line: &str, row: Option<&Row<'_>>) -> String {
        let style = match row {
            Some(row) if self.has_colour && row.finds > 0 => AnsiColor::Red.on_default(),
            Some(row) if self.has_colour && !row.doing.is_empty() => Style::new().bold(),
            _ => return line.to_owned(),
        };
        format!("{style}{line}{style:#}")
    }

    /// Writes a line that stays.
    pub(super) fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{line}")),
            None => eprintln!("{line}"),
        }
    }

    /// Takes the table away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Pulse;
    use super::*;

    fn row() -> Row<'static> {
        let pulse = Pulse { executions: 1_234_000, coverage: Some(812), features: Some(9), corpus: Some(77) };
        let account = Account { crashes: 12, ..Account::default().with(Duration::from_secs(61), pulse) };
        Row { target: "parse", account, finds: 1, doing: "29s left".to_owned() }
    }

    #[test]
    fn a_table_has_a_line_for_each_target() {
        let empty = Row::of(&State::default(), "normalize_api");
        assert_eq!(
            table(&[row(), empty], "now").render(),
            "target           time  executions  a second  coverage  corpus  crashes  finds  now\n\
             parse          1m 01s   1,234,000    20,230       812      77       12      1  29s left\n\
             normalize_api      0s           0         0         -       -        0      0\n"
        );
    }

    #[test]
    fn a_slice_that_is_over_is_one_line() {
        assert_eq!(
            slice_line(Duration::from_secs(90), &row()),
            "[1m 30s] parse: 1m 01s, 1,234,000 executions (20,230 a second), coverage 812, corpus 77, \
             crashed 12 times, 1 find"
        );
        let one = Row { account: Account { crashes: 1, ..Account::default() }, ..row() };
        assert!(
            slice_line(Duration::ZERO, &one).ends_with("coverage none, corpus none, crashed 1 time, 1 find")
        );
    }

    #[test]
    fn only_a_board_with_colour_paints() {
        let board = |has_colour| Board { bar: None, has_colour };
        assert_eq!(board(false).painted("line", Some(&row())), "line");
        assert_eq!(board(true).painted("line", Some(&row())), "\u{1b}[31mline\u{1b}[0m");
        let runs = Row { finds: 0, ..row() };
        assert_eq!(board(true).painted("line", Some(&runs)), "\u{1b}[1mline\u{1b}[0m");
        assert_eq!(board(true).painted("line", None), "line");
    }
}
