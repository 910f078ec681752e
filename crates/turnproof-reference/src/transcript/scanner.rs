//! The *scanner* cuts lines into records, blanks and rejected ranges, and says what is wrong.

use std::io::{self, Read};

use crate::json::{Cursor, FaultKind, FlawKind, Scratch, Span};
use crate::message::Kind;

use super::chunk::{Chunk, Chunks, Line};
use super::damage::{self, Cut, Piece, Scanned};
use super::defect::{Defect, DefectKind, Detail, Reason};
use super::record::{Record, RecordScan};
use super::schema::Misfit;

/// What the scanner finds, in the order of the bytes; a defect comes after the piece it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "it is handed on once, and never stored")]
pub enum Found<'a> {
    /// A record.
    Record(Record<'a>),
    /// White space between records: line ends, spaces, byte order marks.
    Blank {
        /// The first byte, from the file's start.
        start: u64,
        /// The byte after the last one.
        end: u64,
    },
    /// Bytes that hold no record.
    Rejected {
        /// The first byte, from the file's start.
        start: u64,
        /// The byte after the last one.
        end: u64,
        /// Why.
        reason: Reason,
    },
    /// Something wrong.
    Defect(Defect),
}

impl Found<'_> {
    /// The same, behind so many lines.
    fn behind(mut self, lines: u64) -> Self {
        match &mut self {
            Self::Record(Record { line, .. }) | Self::Defect(Defect { line, .. }) => *line += lines,
            Self::Blank { .. } | Self::Rejected { .. } => {}
        }
        self
    }
}

/// Scans lines; kept between them, so that nothing is allocated twice.
///
/// ```
/// use turnproof_reference::transcript::{Found, Scanner};
///
/// let file = br#"{"type":"user","uuid":"u1"}{"type":"tag","tag":"glued"}"#;
/// let mut records = Vec::new();
/// Scanner::default().file(&file[..], |found| {
///     if let Found::Record(record) = found {
///         records.push(record.type_name().into_owned());
///     }
/// })?;
/// assert_eq!(records, ["user", "tag"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Default)]
pub struct Scanner {
    scratch: Scratch,
    scan: RecordScan,
}

/// A file is read about so many bytes at a time.
const CHUNK: usize = 256 << 10;

impl Scanner {
    /// Reads a file to its end, in little memory. Only the source can fail, never what the file holds.
    pub fn file(&mut self, source: impl Read, mut visit: impl FnMut(Found<'_>)) -> io::Result<()> {
        let (mut chunks, mut lines) = (Chunks::new(source, CHUNK), 0);
        while let Some(chunk) = chunks.next_chunk()? {
            lines += self.chunk(&chunk, |found| visit(found.behind(lines)));
            chunks.reuse(chunk);
        }
        Ok(())
    }

    /// Scans all lines of a chunk; gives how many lines there were.
    pub fn chunk(&mut self, chunk: &Chunk, mut visit: impl FnMut(Found<'_>)) -> u64 {
        if chunk.skipped > 0 {
            skipped_line(chunk, &mut visit);
            return 1;
        }
        chunk.lines().inspect(|line| self.line(line, &mut visit)).count() as u64
    }

    /// Scans one line.
    pub fn line(&mut self, line: &Line<'_>, visit: &mut impl FnMut(Found<'_>)) {
        let (start, end) = (damage::skip_blanks(line.bytes, 0), damage::trim_end(line.bytes, line.bytes.len()));
        let is_object = start < end && line.bytes[start] == b'{';
        let first = is_object.then(|| self.scan.scan(line.bytes, start, &mut self.scratch));
        if first == Some(Ok(end)) {
            blank(line, 0, start, visit);
            self.record(line, start, end, visit);
            if !line.terminated {
                let last = Span::new(end - 1 - start, end - start);
                visit(span_defect(DefectKind::Terminated, line, start, last, Detail::None));
            }
            blank(line, end, line.bytes.len() + usize::from(line.terminated), visit);
        } else if start >= end {
            blank(line, 0, line.bytes.len() + usize::from(line.terminated), visit);
        } else {
            self.damaged_line(line, first, visit);
        }
    }

    /// The record that has just been scanned, and its defects.
    fn record(&mut self, line: &Line<'_>, start: usize, end: usize, visit: &mut impl FnMut(Found<'_>)) {
        let bytes = &line.bytes[start..end];
        let head = self.scan.head(bytes);
        let (start_in_file, blocks) = (line.offset + start as u64, &self.scan.blocks[..]);
        let utf8 = simdutf8::basic::from_utf8(bytes).ok();
        visit(Found::Record(Record { bytes, utf8, start: start_in_file, line: line.number, head, blocks }));
        let mut defect = |kind, span, detail| visit(span_defect(kind, line, start, span, detail));
        if utf8.is_none()
            && let Err(error) = std::str::from_utf8(bytes)
        {
            let at = error.valid_up_to();
            defect(DefectKind::Utf8, Span::new(at, at + error.error_len().unwrap_or(1)), Detail::None);
        }
        if let Some((span, detail)) = first_note(&self.scratch, FlawKind::LoneSurrogate) {
            defect(DefectKind::NoLoneSurrogate, span, detail);
        }
        let repeated = match utf8 {
            Some(_) => first_note(&self.scratch, FlawKind::RepeatedKey),
            None => decoded_repeated_key(bytes),
        };
        if let Some((span, detail)) = repeated {
            defect(DefectKind::UniqueKeys, span, detail);
        }
        if let Some(Misfit { span, expected, found }) = self.scan.misfit(bytes) {
            defect(DefectKind::TypedFields, span, Detail::WrongType { expected, found });
        }
        if let (Some(name), true) = (head.type_name, head.kind.is_some_and(Kind::is_live_only)) {
            defect(DefectKind::LiveOnlyKind, name, Detail::None);
        }
    }

    /// A line that is not just one record; `first` is what its first scan said, if there was one.
    fn damaged_line(&mut self, line: &Line<'_>, first: Option<Scanned>, visit: &mut impl FnMut(Found<'_>)) {
        let cuts = damage::cut(line.bytes, first, &mut self.scan, &mut self.scratch);
        let last_record = cuts.iter().rposition(|cut| cut.piece == Piece::Record);
        let last_text = cuts.iter().rposition(|cut| !matches!(cut.piece, Piece::Blank | Piece::Rejected(Reason::Nul)));
        // The record, or the beginning of one, that stands before on this line.
        let mut before: Option<Piece> = None;
        for (index, cut) in cuts.iter().enumerate() {
            match cut.piece {
                Piece::Blank => blank(line, cut.start, cut.end, visit),
                Piece::Record => {
                    if self.scan.scan(line.bytes, cut.start, &mut self.scratch).is_ok() {
                        self.record(line, cut.start, cut.end, visit);
                    }
                    if before == Some(Piece::Record) {
                        let first = Span::new(0, 1);
                        visit(span_defect(DefectKind::OneRecordPerLine, line, cut.start, first, Detail::None));
                    }
                    before = Some(Piece::Record);
                }
                Piece::Rejected(reason) => {
                    let (start, end) = (line.offset + cut.start as u64, line.offset + cut.end as u64);
                    visit(Found::Rejected { start, end, reason });
                    let record_follows = last_record.is_some_and(|last| last > index);
                    let unterminated = !line.terminated && last_text == Some(index);
                    if let Some(kind) = rejection(reason, record_follows, unterminated) {
                        visit(span_defect(kind, line, cut.start, cut.place(), cut.detail()));
                    }
                    if reason == Reason::CutShort {
                        before = Some(cut.piece);
                    }
                }
            }
            if !line.terminated && last_text == Some(index) {
                let last = Span::new(cut.end - 1 - cut.start, cut.end - cut.start);
                visit(span_defect(DefectKind::Terminated, line, cut.start, last, cut.detail()));
            }
        }
        if line.terminated {
            blank(line, line.bytes.len(), line.bytes.len() + 1, visit);
        }
    }
}

/// The rule that a rejected range breaks by itself.
fn rejection(reason: Reason, record_follows: bool, unterminated: bool) -> Option<DefectKind> {
    match reason {
        Reason::Nul => Some(DefectKind::NoNul),
        Reason::TooDeep => Some(DefectKind::Depth),
        Reason::InvalidUtf8 => Some(DefectKind::Utf8),
        Reason::CutShort if record_follows => Some(DefectKind::OneRecordPerLine),
        // The torn tail of a file has a defect of its own.
        Reason::CutShort if unterminated => None,
        Reason::CutShort | Reason::NotObject | Reason::NotJson | Reason::TooLong => Some(DefectKind::JsonObject),
    }
}

/// The first place that was noted for a kind, and how many there are.
fn first_note(scratch: &Scratch, kind: FlawKind) -> Option<(Span, Detail)> {
    let spans = scratch.notes.iter().filter(|note| note.kind == kind).map(|note| note.span);
    Some((spans.clone().min_by_key(|span| span.start)?, Detail::Count(spans.count() as u32)))
}

/// The first key that repeats another once bytes that are not UTF-8 are decoded to U+FFFD, and how many do.
fn decoded_repeated_key(record: &[u8]) -> Option<(Span, Detail)> {
    let text = String::from_utf8_lossy(record);
    let mut scratch = Scratch::default();
    // The record is whole, and decoding changes that as little as its depth.
    let _ = Cursor::new(text.as_bytes(), 0, &mut scratch).value();
    let (first, detail) = first_note(&scratch, FlawKind::RepeatedKey)?;
    let [from, to] = [first.start, first.end].map(|at| before_decoding(record, at as usize));
    Some((Span::new(from, to), detail))
}

/// Where in the bytes a character stands that begins at byte `at` of the decoded text.
fn before_decoding(bytes: &[u8], at: usize) -> usize {
    let (mut from, mut decoded) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        if at <= decoded + chunk.valid().len() {
            return from + at - decoded;
        }
        from += chunk.valid().len() + chunk.invalid().len();
        decoded += chunk.valid().len() + char::REPLACEMENT_CHARACTER.len_utf8();
    }
    from
}

/// A line that was too long to look into.
fn skipped_line(chunk: &Chunk, visit: &mut impl FnMut(Found<'_>)) {
    let (reason, start, end) = (Reason::TooLong, chunk.offset, chunk.offset + chunk.skipped);
    visit(Found::Rejected { start, end, reason });
    let detail = Detail::Rejected(reason, None);
    visit(Found::Defect(Defect { kind: DefectKind::JsonObject, line: 1, piece: start, start, end, detail }));
}

fn blank(line: &Line<'_>, start: usize, end: usize, visit: &mut impl FnMut(Found<'_>)) {
    if start < end {
        visit(Found::Blank { start: line.offset + start as u64, end: line.offset + end as u64 });
    }
}

/// A defect of the piece that begins at byte `piece` of its line; the span counts from there.
fn span_defect(kind: DefectKind, line: &Line<'_>, piece: usize, span: Span, detail: Detail) -> Found<'static> {
    let piece = line.offset + piece as u64;
    let at = |byte: u32| piece + u64::from(byte);
    // An empty key is shown by the quote that ends it.
    let end = at(span.end.max(span.start + 1));
    Found::Defect(Defect { kind, line: line.number, piece, start: at(span.start), end, detail })
}

impl Cut {
    /// The byte at which reading the range failed; its first one where that should begin an object;
    /// the whole of NUL bytes, and of what is not looked into.
    fn place(&self) -> Span {
        if matches!(self.piece, Piece::Rejected(Reason::Nul | Reason::TooLong)) {
            return Span::new(0, self.end - self.start);
        }
        let inside = self.fault.filter(|fault| fault.kind != FaultKind::Expected("an object"));
        let at = inside.map_or(self.start, |fault| fault.at).clamp(self.start, self.end - 1) - self.start;
        Span::new(at, at + 1)
    }

    fn detail(&self) -> Detail {
        match self.piece {
            Piece::Rejected(reason) => Detail::Rejected(reason, self.fault.map(|fault| fault.kind)),
            _ => Detail::None,
        }
    }
}
