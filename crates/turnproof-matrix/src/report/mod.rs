//! The *report* is what is written of a matrix: one page of sections, as Markdown and as HTML, and JSON Lines.

mod html;
mod illegal;
mod jsonl;
mod legal;
mod markdown;
mod page;
mod repairs;
mod shown;
mod subjects;

use std::fs;
use std::io;
use std::path::Path;

use turnproof_rules::operation::Operation;

use crate::adapter::Adapter;
use crate::judge::Judged;

/// A matrix.
pub(crate) struct Matrix {
    /// The seed of all cases.
    pub seed: u64,
    /// How many cases of each operation.
    pub cases: u64,
    /// The day, if it was named.
    pub date: Option<String>,
    /// The libraries that were judged.
    pub subjects: Vec<Subject>,
    /// The libraries that were not, and why.
    pub skipped: Vec<(Adapter, String)>,
}

/// A library that was judged.
pub(crate) struct Subject {
    /// Its adapter.
    pub adapter: Adapter,
    /// What came of each operation.
    pub judged: Vec<Judged>,
}

impl Subject {
    /// Whether it is a tool that repairs transcripts, and nothing else.
    fn only_repairs(&self) -> bool {
        self.judged.iter().all(|judged| judged.operation == Operation::Repair)
    }
}

impl Matrix {
    /// Writes `matrix.md`, `matrix.html` and `matrix.jsonl` into a folder.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let page = page::page(self);
        fs::create_dir_all(folder)?;
        fs::write(folder.join("matrix.md"), markdown::markdown(&page))?;
        fs::write(folder.join("matrix.html"), html::html(&page))?;
        fs::write(folder.join("matrix.jsonl"), jsonl::jsonl(self))
    }
}
