//! *Marks* tie the violations of a failure to the places in which they are drawn.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use maud::{Markup, html};

use crate::report::run::place::{List, Target};
use crate::rules::Violation;

use super::text::words;

/// A violation with its place on the page.
#[derive(Clone, Copy)]
pub(super) struct Mark<'a> {
    /// Its number within the failure, from 1.
    pub(super) number: usize,
    pub(super) target: Option<Target>,
    pub(super) violation: &'a Violation,
}

/// The marks of one answer.
pub(super) struct Marks<'a> {
    anchor: &'a str,
    marks: Vec<Mark<'a>>,
    /// The numbers of those that have been drawn: each is drawn once.
    drawn: RefCell<BTreeSet<usize>>,
}

impl<'a> Marks<'a> {
    pub(super) fn new(anchor: &'a str, marks: Vec<Mark<'a>>) -> Self {
        Self { anchor, marks, drawn: RefCell::default() }
    }

    /// Those of the element of a list that are not of one of its blocks.
    pub(super) fn of_element(&self, list: List, index: usize, blocks: usize) -> Vec<Mark<'a>> {
        let is_here = |target: Target| match target {
            Target::Element { list: other, index: at, block } => {
                other == list && at == index && block.is_none_or(|block| block >= blocks)
            }
            _ => false,
        };
        self.at(is_here)
    }

    /// Those of elements that a list of this length does not have.
    pub(super) fn beyond(&self, list: List, length: usize) -> Vec<Mark<'a>> {
        self.at(
            |target| matches!(target, Target::Element { list: other, index, .. } if other == list && index >= length),
        )
    }

    pub(super) fn of_block(&self, list: List, index: usize, block: usize) -> Vec<Mark<'a>> {
        self.at(|target| target == Target::Element { list, index, block: Some(block) })
    }

    /// Whether any is of the element or of a block of it.
    pub(super) fn has_element(&self, list: List, index: usize) -> bool {
        let is_here = |target: Target| matches!(target, Target::Element { list: other, index: at, .. } if other == list && at == index);
        !self.at(is_here).is_empty()
    }

    /// Those in a file of these bytes, each with its range.
    pub(super) fn in_file(&self, file: &[u8]) -> Vec<(Range<usize>, Mark<'a>)> {
        let range = |mark: &Mark<'a>| match mark.target? {
            Target::Bytes { start, end } => {
                let start = start.min(file.len());
                Some((start..end.clamp(start, file.len()), *mark))
            }
            Target::Record(start) => {
                let start = start.min(file.len());
                let rest = file.get(start..).unwrap_or_default();
                let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                Some((start..start + length, *mark))
            }
            Target::Element { .. } => None,
        };
        self.marks.iter().filter_map(range).collect()
    }

    pub(super) fn all(&self) -> &[Mark<'a>] {
        &self.marks
    }

    fn at(&self, is_here: impl Fn(Target) -> bool) -> Vec<Mark<'a>> {
        self.marks.iter().filter(|mark| mark.target.is_some_and(&is_here)).copied().collect()
    }

    /// What is wrong, beside its place. Each violation is drawn only in the first of its places.
    pub(super) fn notes(&self, marks: &[Mark<'_>]) -> Markup {
        let is_new = |mark: &&Mark<'_>| self.drawn.borrow_mut().insert(mark.number);
        let new: Vec<&Mark<'_>> = marks.iter().filter(is_new).collect();
        html! {
            @for mark in new {
                p.note id=(self.place_id(mark.number)) {
                    a.number href={ "#" (self.violation_id(mark.number)) } { (mark.number) }
                    span.side-by-side {
                        span { b { "found" } " " (words(&mark.violation.found.to_string())) }
                        span { b { "expected" } " " (words(&mark.violation.expected.to_string())) }
                    }
                }
            }
        }
    }

    pub(super) fn is_drawn(&self, number: usize) -> bool {
        self.drawn.borrow().contains(&number)
    }

    pub(super) fn place_id(&self, number: usize) -> String {
        format!("{}-place-{number}", self.anchor)
    }

    pub(super) fn violation_id(&self, number: usize) -> String {
        format!("{}-violation-{number}", self.anchor)
    }
}
