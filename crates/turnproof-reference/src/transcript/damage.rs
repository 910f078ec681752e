//! *Damage* is what makes a line more or less than one record; here such a line is cut into pieces.
//!
//! SPEC.md section 3.5.2 says how a line is cut. The search for the next recoverable record goes on from the byte at
//! which reading failed. That misses none: a record that is written over a broken one makes reading fail at most two
//! bytes after it begins. An object that is complete before that byte either ended right there, or `,`, `]` or `}`
//! follows it. So each byte is read a fixed number of times, whatever the damage. Only ranges that nest too deep are
//! searched from their second byte on, which costs at most 128 times their length.

use memchr::{memchr, memchr_iter};

use crate::json::{Cursor, Fault, FaultKind, Scratch};

use super::defect::Reason;
use super::record::RecordScan;
use super::schema::top;

/// Members of which a record beside damage must have one, so that no block or nested message is taken for a record.
const MARKS: &[usize] = &[top::PARENT, top::SESSION, top::LEAF, top::MESSAGE_ID];

/// A line is cut into so many pieces at most; the rest of it is one rejected range.
const MAX_PIECES: usize = 1 << 18;

const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// What a piece of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Record,
    Blank,
    Rejected(Reason),
}

/// A piece of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) piece: Piece,
    pub(super) start: usize,
    pub(super) end: usize,
    /// What stopped the reading of a rejected range.
    pub(super) fault: Option<Fault>,
}

/// Where a scan ended, or what stopped it.
pub(super) type Scanned = Result<usize, Fault>;

/// Cuts a line into pieces. `first` is what the scanner has just been told of the line's first object, if it begins
/// with one.
pub(super) fn cut(line: &[u8], first: Option<Scanned>, scan: &mut RecordScan, scratch: &mut Scratch) -> Vec<Cut> {
    let mut cutter = Cutter { line, first, scan, scratch, cuts: Vec::new() };
    let mut at = 0;
    while at < line.len() && cutter.has_room() {
        let nul = memchr(0, &line[at..]).map_or(line.len(), |found| at + found);
        if nul < line.len() {
            // A scan of the whole line saw the NUL; the segments before and after are scanned without.
            cutter.first = None;
        }
        cutter.segment(at, nul);
        at = nul + line[nul..].iter().take_while(|&&byte| byte == 0).count();
        if cutter.has_room() {
            cutter.push(Piece::Rejected(Reason::Nul), nul, at, None);
        }
    }
    let done = cutter.cuts.last().map_or(0, |cut| cut.end);
    cutter.push(Piece::Rejected(Reason::TooLong), done, line.len(), None);
    cutter.cuts
}

/// The first byte from `at` on that is neither white space nor part of a byte order mark.
pub(super) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r') => at += 1,
            Some(0xEF) if bytes[at..].starts_with(BYTE_ORDER_MARK) => at += BYTE_ORDER_MARK.len(),
            _ => return at,
        }
    }
}

/// The end of `bytes[..end]` without white space.
pub(super) fn trim_end(bytes: &[u8], end: usize) -> usize {
    let blanks = bytes[..end].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    end - blanks
}

struct Cutter<'a> {
    line: &'a [u8],
    /// What the scan before said of the first object; it is not scanned again.
    first: Option<Scanned>,
    scan: &'a mut RecordScan,
    scratch: &'a mut Scratch,
    cuts: Vec<Cut>,
}

impl Cutter<'_> {
    fn push(&mut self, piece: Piece, start: usize, end: usize, fault: Option<Fault>) {
        if start < end {
            self.cuts.push(Cut { piece, start, end, fault });
        }
    }

    /// Whether the line may have more pieces.
    fn has_room(&self) -> bool {
        self.cuts.len() < MAX_PIECES
    }

    /// Cuts the bytes between two runs of NUL.
    fn segment(&mut self, start: usize, end: usize) {
        let text = &self.line[..end];
        let mut at = start;
        while self.has_room() {
            let begin = skip_blanks(text, at);
            self.push(Piece::Blank, at, begin, None);
            at = begin;
            if at == end {
                break;
            }
            let scanned = self.first.take().unwrap_or_else(|| self.scan.scan(text, at, self.scratch));
            at = match scanned {
                Ok(after) => {
                    self.push(Piece::Record, at, after, None);
                    after
                }
                Err(fault) => self.reject(text, at, fault),
            };
        }
    }

    /// Rejects from `start` to the next recoverable record, or to the end of the text.
    fn reject(&mut self, text: &[u8], start: usize, fault: Fault) -> usize {
        let fault = match text[start] {
            b'{' => fault,
            _ => self.other_value(text, start),
        };
        let next = self.recoverable_after(text, start, fault);
        let end = trim_end(text, next.unwrap_or(text.len()));
        let reason = self.reason(&text[start..end], fault, next.is_some());
        let end = next.unwrap_or(end);
        self.push(Piece::Rejected(reason), start, end, Some(fault));
        end
    }

    /// Where reading something that is not an object stops: after a whole value, or at its fault.
    fn other_value(&mut self, text: &[u8], start: usize) -> Fault {
        let mut cursor = Cursor::new(text, start, self.scratch);
        match cursor.value() {
            Ok((_, span)) => Fault { at: skip_blanks(text, span.end as usize), kind: FaultKind::Expected("an object") },
            Err(fault) => fault,
        }
    }

    /// Why a range was rejected.
    fn reason(&mut self, range: &[u8], fault: Fault, record_follows: bool) -> Reason {
        let is_object = range[0] == b'{';
        if fault.kind == FaultKind::TooDeep {
            return Reason::TooDeep;
        }
        if fault.kind == FaultKind::TooMany {
            return Reason::TooLong;
        }
        if !is_object && self.is_value(range) {
            return Reason::NotObject;
        }
        if is_object && (record_follows || fault.kind == FaultKind::EndOfText) {
            return Reason::CutShort;
        }
        if std::str::from_utf8(range).is_err() { Reason::InvalidUtf8 } else { Reason::NotJson }
    }

    fn is_value(&mut self, range: &[u8]) -> bool {
        let end = trim_end(range, range.len());
        let mut cursor = Cursor::new(&range[..end], 0, self.scratch);
        cursor.value().is_ok_and(|(_, span)| span.end as usize == end)
    }

    /// The first byte of the next recoverable record after a range that begins at `start` and whose
    /// reading failed as `fault` says.
    fn recoverable_after(&mut self, text: &[u8], start: usize, fault: Fault) -> Option<usize> {
        if let Some(found) = self.ended_at(text, start, fault) {
            return Some(found);
        }
        let mut from = search_start(start, fault);
        while let Some(at) = next_candidate(text, from) {
            from = match self.scan.scan(text, at, self.scratch) {
                Ok(end) if self.is_recoverable(text, end) => return Some(at),
                Ok(end) => end,
                Err(fault) => {
                    if let Some(found) = self.ended_at(text, at, fault) {
                        return Some(found);
                    }
                    search_start(at, fault)
                }
            };
        }
        None
    }

    /// The object inside a failed range that ended right where reading failed, if it is recoverable.
    fn ended_at(&mut self, text: &[u8], start: usize, fault: Fault) -> Option<usize> {
        let (begin, end) = self.scratch.last_object?;
        if begin <= start || skip_blanks(text, end) < fault.at || !is_candidate(text, begin) {
            return None;
        }
        let end = self.scan.scan(text, begin, self.scratch).ok()?;
        self.is_recoverable(text, end).then_some(begin)
    }

    /// Whether the object just scanned, which ends at `end`, is a record of its own.
    fn is_recoverable(&self, text: &[u8], end: usize) -> bool {
        self.scan.is_marked(MARKS) && !matches!(text.get(skip_blanks(text, end)), Some(b',' | b']' | b'}'))
    }
}

/// Where the search for the next record goes on after a failed range.
fn search_start(start: usize, fault: Fault) -> usize {
    match fault.kind {
        FaultKind::TooDeep => start + 1,
        _ => fault.at.saturating_sub(2).max(start + 1),
    }
}

/// The next byte at which a record, as clients write it, could begin.
fn next_candidate(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    memchr_iter(b'{', rest).map(|at| from + at).find(|&at| is_candidate(text, at))
}

fn is_candidate(text: &[u8], at: usize) -> bool {
    matches!(text.get(at..at + 3), Some(&[b'{', b'"', first]) if first.is_ascii_alphabetic() || first == b'_')
}
