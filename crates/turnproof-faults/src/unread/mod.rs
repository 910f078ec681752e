//! An *unread* fault is a mistake that was written from SPEC.md and public reports alone, by somebody who had read no
//! rule. No rule is named for it: all rules of its operation are asked, and it may be that none convicts.
//!
//! So unread faults measure the suite, where the other faults hold it.

mod accumulate;
mod fold;
mod harmless;
mod ids;
mod lists;
mod make;
mod moments;
mod normalize_api;
mod otherwise;
mod parse;
mod play;
mod record;
mod resume;
mod second;
mod sent;
mod shown;
mod tell;
mod third;
mod told;
pub mod trial;
mod usage;

use turnproof::operation::Operation;

use super::Fault;
use super::wrong::Wrong;

/// A subject that is wrong on purpose, or other than the reference and right.
#[derive(Clone, Copy, Debug)]
pub struct Unread {
    /// `operation/unread-mistake`; `harmless/operation/other-form` if it is right.
    pub id: &'static str,
    /// The sentence of SPEC.md that it breaks, by its section, or the public report of the mistake.
    pub spec: &'static str,
    /// What it does, one sentence without a full stop.
    pub title: &'static str,
    /// Why it is no mistake after all.
    pub withdrawn: Option<&'static str>,
    wrong: Wrong,
}

const fn unread(id: &'static str, spec: &'static str, title: &'static str, wrong: Wrong) -> Unread {
    Unread { id, spec, title, withdrawn: None, wrong }
}

impl Unread {
    /// As a subject.
    pub const fn subject(&self) -> Fault {
        let (title, source, wrong) = (self.title, Some(self.spec), self.wrong);
        Fault { id: self.id, rule: "", title, source, profile: None, wrong }
    }

    /// The name of the operation that it does in its own way.
    pub fn operation(&self) -> &'static str {
        let id = self.id.strip_prefix("harmless/").unwrap_or(self.id);
        id.split_once('/').map_or(id, |(operation, _)| operation)
    }

    /// What it has to be asked for to show: its operation, and what builds on that.
    pub fn operations(&self) -> Vec<Operation> {
        let builds = |other: &&Operation| self.operation() == "record" && **other == Operation::Resume;
        let is_own = |other: &&Operation| other.name() == self.operation();
        Operation::ALL.iter().filter(|other| is_own(other) || builds(other)).copied().collect()
    }

    /// Marks what turned out to be no mistake.
    const fn withdrawn(self, why: &'static str) -> Self {
        Self { withdrawn: Some(why), ..self }
    }
}

/// Every unread fault, operation by operation.
pub fn faults() -> impl Iterator<Item = &'static Unread> {
    const FAMILIES: &[&[Unread]] = &[
        parse::UNREAD,
        normalize_api::UNREAD,
        sent::UNREAD,
        told::UNREAD,
        shown::UNREAD,
        fold::UNREAD,
        ids::UNREAD,
        record::UNREAD,
        resume::UNREAD,
        accumulate::UNREAD,
        play::UNREAD,
        tell::UNREAD,
        make::UNREAD,
        usage::UNREAD,
    ];
    FAMILIES.iter().chain(second::FAMILIES).chain(third::FAMILIES).copied().flatten()
}

/// Every harmless variant of the reference.
pub fn harmless() -> impl Iterator<Item = &'static Unread> {
    harmless::HARMLESS.iter()
}
