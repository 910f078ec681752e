//! The *file* that is repaired: its records as rows that are edited, with a log of what was changed and removed.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memchr_iter;

use super::edit;
use super::rows::{Row, Rows};
use super::{Change, Removed};
use crate::transcript::{Reason, Transcript};

/// A record that is added.
pub(super) struct Insert {
    pub(super) bytes: Vec<u8>,
    pub(super) rule: &'static str,
    pub(super) what: String,
}

/// A file: its rows, and what was done to them.
#[derive(Default)]
pub(super) struct File {
    pub(super) rows: Rows,
    pub(super) changes: Vec<Change>,
    pub(super) removed: Vec<Removed>,
}

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl File {
    /// Puts each record on a line of its own, and removes the rest.
    pub(super) fn read(transcript: &Transcript) -> Self {
        let mut rules = HashMap::new();
        for defect in transcript.defects() {
            rules.entry(defect.piece).or_insert(defect.kind.rule());
        }
        let mut reader = Reader { bytes: transcript.bytes(), rules, at: 0, line: 1, cut: false, file: Self::default() };
        let mut rejected = transcript.rejected().iter().peekable();
        for record in transcript.records() {
            while let Some(&(start, end, reason)) = rejected.next_if(|(start, ..)| *start < record.start) {
                reader.reject(start as usize, end as usize, reason);
            }
            reader.record(record.start as usize, record.bytes);
        }
        for &(start, end, reason) in rejected {
            reader.reject(start as usize, end as usize, reason);
        }
        let mut file = reader.finish();
        if file.changes.is_empty() && file.removed.is_empty() {
            file.rows.note(transcript);
        }
        file
    }

    /// Puts other bytes in the place of some of a record.
    pub(super) fn edit(&mut self, row: usize, range: Range<usize>, new: &[u8], rule: &'static str, what: String) {
        if &self.rows[row].bytes[range.clone()] == new {
            return;
        }
        let Row { line, bytes, .. } = &mut self.rows.change()[row];
        let before = bytes[range.clone()].to_vec();
        *bytes = edit::with(bytes, range, new);
        self.changes.push(Change { line: *line, rule, what, before, after: new.to_vec() });
    }

    /// Sets a member of a record.
    pub(super) fn set(&mut self, row: usize, name: &'static str, value: &[u8], rule: &'static str, what: String) {
        let bytes = &self.rows[row].bytes;
        let before = edit::member(bytes, name).map(|range| bytes[range].to_vec()).unwrap_or_default();
        if before == value {
            return;
        }
        let Row { line, bytes, .. } = &mut self.rows.change()[row];
        *bytes = edit::with_member(bytes, name, value);
        self.changes.push(Change { line: *line, rule, what, before, after: value.to_vec() });
    }

    /// Takes a value out of a record, with its key.
    pub(super) fn take(&mut self, row: usize, value: Range<usize>, rule: &'static str, what: String) {
        let item = edit::item(&self.rows[row].bytes, value);
        self.edit(row, item, b"", rule, what);
    }

    /// Adds a record in front of all.
    pub(super) fn insert_first(&mut self, Insert { bytes, rule, what }: Insert) {
        self.changes.push(Change { line: 1, rule, what, before: Vec::new(), after: bytes.clone() });
        let rows = self.rows.change();
        if let Some(first) = rows.first_mut() {
            first.lead.insert(0, b'\n');
        }
        rows.insert(0, Row { line: 1, lead: Vec::new(), bytes });
    }

    /// Adds records, each behind the row that is named; several behind one row in their order.
    pub(super) fn insert(&mut self, added: Vec<(usize, Insert)>) {
        if added.is_empty() {
            return;
        }
        let mut behind: HashMap<usize, Vec<Insert>> = HashMap::new();
        for (row, insert) in added {
            behind.entry(row).or_default().push(insert);
        }
        let mut rows = Vec::with_capacity(self.rows.len() + behind.len());
        for (at, row) in std::mem::take(self.rows.change()).into_iter().enumerate() {
            let line = row.line;
            rows.push(row);
            for Insert { bytes, rule, what } in behind.remove(&at).unwrap_or_default() {
                self.changes.push(Change { line, rule, what, before: Vec::new(), after: bytes.clone() });
                rows.push(Row { line, lead: b"\n".to_vec(), bytes });
            }
        }
        *self.rows.change() = rows;
    }

    /// Puts a record in the place of an earlier one, which is dropped and leaves an empty row. Of two that are the same
    /// the later one is dropped.
    pub(super) fn move_up(&mut self, from: usize, to: usize, rule: &'static str, why: &str) {
        let rows = self.rows.change();
        let new = std::mem::take(&mut rows[from].bytes);
        let (line, from) = (rows[to].line, rows[from].line);
        let before = std::mem::replace(&mut rows[to].bytes, new.clone());
        let is_same = before == new;
        let reason = why.to_owned();
        self.removed.push(Removed { line: if is_same { from } else { line }, rule, reason, bytes: before.clone() });
        if !is_same {
            rows[to].line = from;
            let what = format!("the record of line {from}, which is kept, takes the place of what is removed");
            self.changes.push(Change { line, rule, what, before, after: new });
        }
    }

    /// Puts records into this order: they share their places among each other.
    pub(super) fn arrange(&mut self, order: &[usize], rule: &'static str) {
        let rows = self.rows.change();
        let mut places = order.to_vec();
        places.sort_unstable();
        let lines: Vec<u64> = places.iter().map(|&place| rows[place].line).collect();
        let records: Vec<(u64, Vec<u8>)> =
            order.iter().map(|&row| (rows[row].line, std::mem::take(&mut rows[row].bytes))).collect();
        for ((place, there), (line, bytes)) in places.into_iter().zip(lines).zip(records) {
            if line != there {
                let what = format!("it is in the place of line {there}, behind the message before it");
                self.changes.push(Change { line, rule, what, before: bytes.clone(), after: bytes.clone() });
            }
            (rows[place].line, rows[place].bytes) = (line, bytes);
        }
    }

    /// Puts records behind all others, in this order.
    pub(super) fn move_to_end(&mut self, moved: &[usize], rule: &'static str, what: &str) {
        let rows = self.rows.change();
        let mut at_end = Vec::new();
        for &row in moved {
            let Row { line, bytes, .. } = &mut rows[row];
            let (line, bytes, what) = (*line, std::mem::take(bytes), what.to_owned());
            self.changes.push(Change { line, rule, what, before: bytes.clone(), after: bytes.clone() });
            at_end.push(Row { line, lead: b"\n".to_vec(), bytes });
        }
        rows.retain(|row| !row.bytes.is_empty());
        rows.extend(at_end);
        if let Some(first) = rows.first_mut().filter(|_| moved.contains(&0)) {
            first.lead.clear();
        }
    }

    /// Removes records, and rows that are empty.
    pub(super) fn remove(&mut self, gone: &[usize], rule: &'static str, why: &str) {
        if gone.is_empty() && self.rows.iter().all(|row| !row.bytes.is_empty()) {
            return;
        }
        let rows = self.rows.change();
        for &row in gone {
            let Row { line, bytes, .. } = &mut rows[row];
            let bytes = std::mem::take(bytes);
            self.removed.push(Removed { line: *line, rule, reason: why.to_owned(), bytes });
        }
        rows.retain(|row| !row.bytes.is_empty());
        if let Some(first) = rows.first_mut().filter(|_| gone.contains(&0)) {
            first.lead.clear();
        }
    }

    /// Ends the last line.
    pub(super) fn terminate(&mut self) {
        if let Some(row) = self.rows.last().filter(|_| !self.rows.end().contains(&b'\n')) {
            let what = "the last line ends with LF".to_owned();
            let rule = "wire/terminated";
            self.changes.push(Change { line: row.line, rule, what, before: Vec::new(), after: b"\n".to_vec() });
            self.rows.change_end().push(b'\n');
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// The rule that each piece breaks, by its first byte.
    rules: HashMap<u64, &'static str>,
    at: usize,
    line: u64,
    /// Whether something was removed since the last record.
    cut: bool,
    file: File,
}

impl Reader<'_> {
    /// The blank bytes up to a place.
    fn blank(&mut self, until: usize) -> Vec<u8> {
        let blank = self.bytes[self.at..until].to_vec();
        self.line += memchr_iter(b'\n', &blank).count() as u64;
        self.at = until;
        blank
    }

    fn reject(&mut self, start: usize, end: usize, reason: Reason) {
        self.blank(start);
        let rule = self.rules.get(&(start as u64)).copied().unwrap_or("wire/json-object");
        let bytes = self.bytes[start..end].to_vec();
        self.file.removed.push(Removed { line: self.line, rule, reason: reason.in_words(None), bytes });
        (self.at, self.cut) = (end, true);
    }

    fn record(&mut self, start: usize, bytes: &[u8]) {
        let (first, from) = (self.file.rows.is_empty(), self.line);
        let blank = self.blank(start);
        let lead = match (first, std::mem::take(&mut self.cut)) {
            (true, true) => Vec::new(),
            (false, true) => b"\n".to_vec(),
            (_, false) => self.plain(blank, from),
        };
        let lead = if !first && !lead.contains(&b'\n') {
            let what = "a record of its own line".to_owned();
            self.change("wire/one-record-per-line", what, lead, b"\n")
        } else {
            lead
        };
        self.file.rows.change().push(Row { line: self.line, lead, bytes: bytes.to_vec() });
        self.at = start + bytes.len();
    }

    /// Blank bytes without byte order marks and CR.
    fn plain(&mut self, blank: Vec<u8>, line: u64) -> Vec<u8> {
        if !blank.iter().any(|&byte| byte == b'\r' || byte == BYTE_ORDER_MARK[0]) {
            return blank;
        }
        let plain: Vec<u8> = blank.iter().copied().filter(|byte| b" \t\n".contains(byte)).collect();
        let has_mark = blank.contains(&BYTE_ORDER_MARK[0]);
        let what = if has_mark { "without a byte order mark" } else { "LF alone ends the line" };
        self.file.changes.push(Change {
            line,
            rule: "wire/json-object",
            what: what.to_owned(),
            before: blank,
            after: plain.clone(),
        });
        plain
    }

    fn change(&mut self, rule: &'static str, what: String, before: Vec<u8>, after: &[u8]) -> Vec<u8> {
        self.file.changes.push(Change { line: self.line, rule, what, before, after: after.to_vec() });
        after.to_vec()
    }

    fn finish(mut self) -> File {
        let from = self.line;
        let blank = self.blank(self.bytes.len());
        let end = match self.cut {
            true if self.file.rows.is_empty() => Vec::new(),
            true => b"\n".to_vec(),
            false => self.plain(blank, from),
        };
        *self.file.rows.change_end() = end;
        self.file
    }
}
