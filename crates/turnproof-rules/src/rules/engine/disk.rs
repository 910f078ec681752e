//! What is on *disk* at a moment: the records of the transcript as it was then.
//!
//! Each transcript of a log begins like the one before it, since files grow. So only what is new is read.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::json::Tree;
use crate::operation::{Moment, Played};
use crate::rules::wire::model::records;

/// The transcripts of a log.
#[derive(Debug, Default)]
pub(super) struct Disks<'a> {
    files: Vec<File<'a>>,
    /// For each moment that holds a transcript, and for the end behind the last one: which file it is, how many of its records there are, and what stood
    /// after its last line end.
    moments: HashMap<usize, (usize, usize, File<'a>)>,
}

/// The whole lines of a file that grew.
#[derive(Debug, Default)]
struct File<'a> {
    records: usize,
    /// The first record with each uuid.
    uuids: HashMap<Cow<'a, str>, usize>,
    /// The first record that withdraws each uuid.
    withdrawn: HashMap<Cow<'a, str>, usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Disk<'d> {
    file: &'d File<'d>,
    records: usize,
    torn: &'d File<'d>,
}

impl<'a> Disks<'a> {
    pub(super) fn read(played: &'a Played) -> Self {
        let mut disks = Self { files: vec![File::default()], moments: HashMap::new() };
        let mut before: &[u8] = &[];
        let during = (0..).zip(&played.moments).filter_map(|(index, moment)| match moment {
            Moment::Requested { transcript, .. } | Moment::Crashed { transcript } => Some((index, transcript)),
            _ => None,
        });
        for (index, transcript) in during.chain([(played.moments.len(), &played.transcript)]) {
            let length = transcript.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
            let (whole, torn) = transcript.split_at(length);
            let new = whole.strip_prefix(before).unwrap_or_else(|| {
                disks.files.push(File::default());
                whole
            });
            before = whole;
            let Some(file) = disks.files.last_mut() else { continue };
            file.add(new);
            let records = file.records;
            let mut after = File::default();
            after.add(torn);
            disks.moments.insert(index, (disks.files.len() - 1, records, after));
        }
        disks
    }

    /// The transcript at a moment; `None` for a moment without one.
    pub(super) fn at(&self, moment: usize) -> Option<Disk<'_>> {
        let (file, records, torn) = self.moments.get(&moment)?;
        Some(Disk { file: self.files.get(*file)?, records: *records, torn })
    }
}

impl<'a> File<'a> {
    fn add(&mut self, lines: &'a [u8]) {
        for (.., record) in records(lines) {
            for list in ["supersedesUuids", "retractedMessageUuids"] {
                let Some(Tree::Array(named)) = record.member(list) else { continue };
                let named: Option<Vec<_>> = named.iter().map(Tree::text).collect();
                for uuid in named.into_iter().flatten() {
                    self.withdrawn.entry(uuid).or_insert(self.records);
                }
            }
            if let Some(uuid) = record.member("uuid").and_then(Tree::text) {
                self.uuids.entry(uuid).or_insert(self.records);
            }
            self.records += 1;
        }
    }
}

impl Disk<'_> {
    pub(super) fn holds(&self, uuid: &str) -> bool {
        self.file.uuids.get(uuid).is_some_and(|&first| first < self.records) || self.torn.uuids.contains_key(uuid)
    }

    pub(super) fn withdraws(&self, uuid: &str) -> bool {
        self.file.withdrawn.get(uuid).is_some_and(|&first| first < self.records)
            || self.torn.withdrawn.contains_key(uuid)
    }
}
