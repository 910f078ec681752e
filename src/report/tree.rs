//! A *tree* shows how records are linked: one line a record, the conversation straight down, other branches indented.

use std::io::{self, Write};

use super::screen::Screen;

/// How a record is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It comes back.
    Kept,
    /// It comes back, from beside the chain.
    Restored,
    /// It does not come back.
    Left,
    /// It was withdrawn.
    Withdrawn,
    /// It is no message.
    Passed,
}

impl Mark {
    /// The mark's sign, and the colour of its line as an escape sequence.
    fn sign(self) -> (char, &'static str) {
        match self {
            Self::Kept => ('●', ""),
            Self::Restored => ('◆', "\x1b[32m"),
            Self::Left => ('○', "\x1b[2m"),
            Self::Withdrawn => ('✗', "\x1b[31m"),
            Self::Passed => ('·', "\x1b[2m"),
        }
    }

    /// Whether lines with such marks may be folded together.
    fn is_quiet(self) -> bool {
        matches!(self, Self::Left | Self::Passed)
    }

    fn folds_with(self, other: Self) -> bool {
        self == other || (self.is_quiet() && other.is_quiet())
    }
}

/// What the signs mean, in one line.
pub const LEGEND: &str = "● comes back   ◆ comes back from beside the chain   ○ left   ✗ withdrawn   · no message";

/// A record to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The record that it hangs on, as an index.
    pub parent: Option<u32>,
    /// How it is marked.
    pub mark: Mark,
    /// Whether it goes straight down from its parent, if any child does.
    pub is_main: bool,
    /// What is to be said of it; a record with a remark is never folded.
    pub remark: String,
}

/// A stretch of records is folded when it is longer than this; so many stay on each side.
const FOLDED: usize = 9;
const STAY: usize = 3;

/// Branches are indented so far at most.
const DEEPEST: usize = 24;

/// Draws the records, given in file order, to `out`. `label` gives the text of those that are shown.
/// It fails when `label` or `out` does.
pub fn draw<'a>(
    leaves: &'a [Leaf],
    screen: Screen,
    label: &'a mut dyn FnMut(usize) -> io::Result<String>,
    out: &'a mut dyn Write,
) -> io::Result<()> {
    let mut by_parent: Vec<usize> = (0..leaves.len()).collect();
    by_parent.sort_by_key(|&at| leaves[at].parent);
    let drawn = vec![false; leaves.len()];
    let mut drawing = Drawing { leaves, by_parent, drawn, run: Vec::new(), screen, label, out };
    let roots = (0..leaves.len()).filter(|&at| leaves[at].parent.is_none());
    // Records whose parents form a circle hang on no root; they are drawn from the first of them on.
    roots.chain(0..leaves.len()).try_for_each(|root| drawing.tree(root))
}

struct Drawing<'a> {
    leaves: &'a [Leaf],
    /// The records in the order of their parents, those of one parent in file order.
    by_parent: Vec<usize>,
    drawn: Vec<bool>,
    /// Records to be shown one below the other, or folded.
    run: Vec<Drawn>,
    screen: Screen,
    label: &'a mut dyn FnMut(usize) -> io::Result<String>,
    out: &'a mut dyn Write,
}

#[derive(Clone, Copy)]
struct Drawn {
    at: usize,
    depth: usize,
    /// Whether it leaves the stem of the depth above.
    is_branch: bool,
}

impl Drawing<'_> {
    fn tree(&mut self, root: usize) -> io::Result<()> {
        let mut open = vec![Drawn { at: root, depth: 0, is_branch: false }];
        while let Some(next) = open.pop() {
            let Drawn { at, depth, is_branch } = next;
            if std::mem::replace(&mut self.drawn[at], true) {
                continue;
            }
            let is_quiet = self.leaves[at].mark.is_quiet();
            let goes_on = self.run.last().is_none_or(|last| last.depth == depth && !is_branch);
            if !is_quiet && !goes_on {
                self.flush()?;
            }
            self.run.push(next);
            let children = self.children(at);
            let is_fork = !is_quiet && children.len() > 1;
            // The child that goes straight down: the last one that is marked so, or else the last.
            let marked = children.iter().rev().find(|&&child| self.leaves[child].is_main);
            if let Some(&main) = marked.or(children.last()) {
                open.push(Drawn { at: main, depth, is_branch: false });
                let branches = children.iter().rev().filter(|&&child| child != main);
                open.extend(branches.map(|&at| Drawn { at, depth: depth + 1, is_branch: true }));
            }
            if is_fork || !self.leaves[at].remark.is_empty() {
                self.flush()?;
            }
        }
        self.flush()
    }

    /// The records that hang on a record, in file order.
    fn children(&self, at: usize) -> &[usize] {
        let parent = Some(at as u32);
        let start = self.by_parent.partition_point(|&child| self.leaves[child].parent < parent);
        let end = self.by_parent.partition_point(|&child| self.leaves[child].parent <= parent);
        &self.by_parent[start..end]
    }

    /// Writes the run, its middle folded where it is long.
    fn flush(&mut self) -> io::Result<()> {
        let run = std::mem::take(&mut self.run);
        for stretch in run.chunk_by(|a, b| self.leaves[a.at].mark.folds_with(self.leaves[b.at].mark)) {
            if stretch.len() <= FOLDED {
                self.lines(stretch)?;
                continue;
            }
            let (first, rest) = stretch.split_at(STAY);
            let (folded, last) = rest.split_at(rest.len() - STAY);
            self.lines(first)?;
            writeln!(self.out, "{}┊ {} more", indent(folded[0].depth), folded.len())?;
            self.lines(last)?;
        }
        Ok(())
    }

    fn lines(&mut self, records: &[Drawn]) -> io::Result<()> {
        for &Drawn { at, depth, is_branch } in records {
            let leaf = &self.leaves[at];
            let (sign, colour) = leaf.mark.sign();
            let has_colour = self.screen.colour && !colour.is_empty();
            let (colour, plain) = if has_colour { (colour, "\x1b[0m") } else { ("", "") };
            let stem = match is_branch {
                true => format!("{}├─", indent(depth.saturating_sub(1))),
                false => indent(depth),
            };
            let line = format!("{stem}{sign} {}", (self.label)(at)?);
            let remark = if leaf.remark.is_empty() { String::new() } else { format!("← {}", leaf.remark) };
            let both = format!("{line}  {remark}");
            let lines = match self.screen.fits(both.trim_end().chars().count()) || remark.is_empty() {
                true => vec![self.screen.cut(both.trim_end())],
                // The remark stands below.
                false => {
                    [line, format!("{}  {remark}", indent(depth))].iter().map(|line| self.screen.cut(line)).collect()
                }
            };
            for line in lines {
                let (stem, rest) = line.split_at(if line.starts_with(&stem) { stem.len() } else { 0 });
                writeln!(self.out, "{stem}{colour}{rest}{plain}")?;
            }
        }
        Ok(())
    }
}

/// The bars of the branches that a line stands in.
fn indent(depth: usize) -> String {
    "│ ".repeat(depth.min(DEEPEST))
}
