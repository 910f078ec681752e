//! *Marks* tie the violations of a failure to the places in which they are drawn.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use maud::{Markup, html};

use crate::report::html::text::words;
use crate::report::run::place::Target;
use turnproof_rules::rules::Violation;

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

    /// Those of an element of a list that are of none of its blocks.
    pub(super) fn of_element(&self, path: &str, index: usize, blocks: usize) -> Vec<Mark<'a>> {
        self.at(path, |at, block| at == index && block.is_none_or(|block| block >= blocks))
    }

    pub(super) fn of_block(&self, path: &str, index: usize, block: usize) -> Vec<Mark<'a>> {
        self.at(path, |at, other| at == index && other == Some(block))
    }

    /// Those of elements from this one on: a list of this length does not have them.
    pub(super) fn beyond(&self, path: &str, length: usize) -> Vec<Mark<'a>> {
        self.at(path, |at, _| at >= length)
    }

    /// Whether any is of the element or of a block of it.
    pub(super) fn has_element(&self, path: &str, index: usize) -> bool {
        !self.at(path, |at, _| at == index).is_empty()
    }

    /// Those of elements of the list at this path, by index and block.
    fn at(&self, path: &str, is_here: impl Fn(usize, Option<usize>) -> bool) -> Vec<Mark<'a>> {
        let is_it = |target: Target| matches!(target, Target::Element { list, index, block } if list == path && is_here(index, block));
        self.marks.iter().filter(|mark| mark.target.is_some_and(is_it)).copied().collect()
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

    /// What is wrong, beside its place. Each violation is drawn only in the first of its places.
    pub(super) fn notes(&self, marks: &[Mark<'_>]) -> Markup {
        let is_new = |mark: &&Mark<'_>| self.drawn.borrow_mut().insert(mark.number);
        let new: Vec<&Mark<'_>> = marks.iter().filter(is_new).collect();
        html! {
            @for mark in new {
                div.note id=(self.place_id(mark.number)) {
                    a.number href={ "#" (self.violation_id(mark.number)) } { (mark.number) }
                    div { (said(mark.violation)) }
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

/// What was found and what was expected.
pub(super) fn said(violation: &Violation) -> Markup {
    html! {
        p { b { "found" } " " (words(&violation.found.to_string())) }
        p { b { "expected" } " " (words(&violation.expected.to_string())) }
    }
}
