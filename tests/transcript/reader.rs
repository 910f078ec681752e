//! The reader against the model, on random bytes.

use std::fmt;
use std::io::{self, Read};
use std::sync::LazyLock;

use crate::corpus;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use turnproof_reference::message::Typed;
use turnproof_reference::transcript::{Chunks, DefectKind, Found, Scanner, Transcript};
use turnproof_rules::operation::Parsed;
use turnproof_rules::rules::right_reading;

/// A file's bytes, shown as escaped text.
#[derive(Clone)]
struct File(Vec<u8>);

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b\"{}\"", self.0.escape_ascii())
    }
}

/// What the reader found, as plain data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reading {
    /// Records with their `type` and `uuid`, and rejected ranges with their reason; each with its line.
    pieces: Vec<(u64, u64, u64, Piece)>,
    /// Records, rejected ranges and blanks, in the order in which they came.
    ranges: Vec<(u64, u64)>,
    /// Rule, line, first byte of the piece, first byte concerned, and the byte after the last one.
    defects: Vec<(&'static str, u64, u64, u64, u64)>,
    /// First bytes of records with a known field of a wrong type.
    misfits: Vec<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Record { kind: Option<String>, uuid: Option<String> },
    Rejected(String),
}

/// Reads a file in chunks of a size from a source.
fn read_from(source: impl Read, size: usize, file: &[u8]) -> Reading {
    let mut reading = Reading::default();
    let mut chunks = Chunks::new(source, size);
    let mut scanner = Scanner::default();
    let mut lines = 0;
    while let Some(chunk) = chunks.next_chunk().unwrap() {
        assert!(file[chunk.offset as usize..].starts_with(&chunk.bytes));
        lines += scanner.chunk(&chunk, |found| note(&mut reading, found, lines, file));
    }
    reading
}

fn note(reading: &mut Reading, found: Found<'_>, lines: u64, file: &[u8]) {
    match found {
        Found::Record(record) => {
            let (start, end) = (record.start, record.end());
            assert_eq!(record.bytes, &file[start as usize..end as usize], "an untouched record");
            let kind = record.head.type_name.map(|span| record.text(span).into_owned());
            let uuid = record.uuid().map(|uuid| uuid.into_owned());
            reading.pieces.push((lines + record.line, start, end, Piece::Record { kind, uuid }));
            reading.ranges.push((start, end));
            if record.entry().expect("an object").misfit().is_some() {
                reading.misfits.push(start);
            }
        }
        Found::Blank { start, end } => reading.ranges.push((start, end)),
        Found::Rejected { start, end, reason } => {
            reading.pieces.push((line_at(file, start), start, end, Piece::Rejected(reason.name().to_owned())));
            reading.ranges.push((start, end));
        }
        Found::Defect(defect) => {
            let (line, rule) = (lines + defect.line, defect.kind.rule());
            reading.defects.push((rule, line, defect.piece, defect.start, defect.end));
        }
    }
}

fn read(file: &[u8]) -> Reading {
    read_from(file, 1 << 18, file)
}

/// The line of a byte, from 1.
fn line_at(file: &[u8], byte: u64) -> u64 {
    file[..byte as usize].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1
}

/// What the model finds, in the same shape and in file order.
fn pieces_of_the_model(file: &[u8], model: &Parsed) -> Vec<(u64, u64, u64, Piece)> {
    let records = model.records.iter().map(|record| {
        let piece = Piece::Record { kind: record.kind.clone(), uuid: record.uuid.clone() };
        (line_at(file, record.start), record.start, record.end, piece)
    });
    let rejected = model
        .rejected
        .iter()
        .map(|range| (line_at(file, range.start), range.start, range.end, Piece::Rejected(range.reason.clone())));
    let mut pieces: Vec<_> = records.chain(rejected).collect();
    pieces.sort_by_key(|&(_, start, ..)| start);
    pieces
}

/// Asserts what must hold for the reader on any bytes.
fn judge(file: &[u8]) -> Result<(), TestCaseError> {
    let reading = read(file);
    let mut at = 0;
    for &(start, end) in &reading.ranges {
        prop_assert!(start == at && end > start, "a range from {start} to {end} after byte {at}");
        at = end;
    }
    prop_assert_eq!(at, file.len() as u64, "bytes at the end that are in no range");

    let model = right_reading(file);
    let pieces = pieces_of_the_model(file, &model);
    prop_assert_eq!(&reading.pieces, &pieces, "pieces");
    let mut reports: Vec<_> = reading.defects.iter().map(|&(rule, line, piece, ..)| (rule, line, piece)).collect();
    reports.sort_by_key(|&(rule, _, piece)| (piece, rule));
    let expected = model.reports.iter().flatten();
    // The piece in which a report begins.
    let piece_of = |byte: u64| pieces.iter().map(|&(_, start, ..)| start).filter(|&start| start <= byte).max();
    let piece_of = |byte: u64| piece_of(byte).unwrap_or(byte);
    let placed = expected.map(|due| (due.rule.as_str(), piece_of(due.start)));
    let mut due: Vec<_> = placed.map(|(rule, piece)| (rule, line_at(file, piece), piece)).collect();
    due.sort_by_key(|&(rule, _, piece)| (piece, rule));
    prop_assert_eq!(reports, due, "reports");
    for &(rule, _, start, first, end) in &reading.defects {
        let piece = pieces.iter().find(|(_, own, last, _)| *own == start && first < end && end <= *last);
        prop_assert!(start <= first && piece.is_some(), "{} at {}..{}", rule, first, end);
    }

    let is_misfit = |defect: &&(&str, u64, u64, u64, u64)| defect.0 == "wire/typed-fields";
    let misfits: Vec<u64> = reading.defects.iter().filter(is_misfit).map(|defect| defect.2).collect();
    prop_assert_eq!(&reading.misfits, &misfits, "records with a known field of a wrong type");
    Ok(())
}

/// Reads a file in pieces of given lengths, which repeat.
struct Drops<'a> {
    rest: &'a [u8],
    lengths: Vec<usize>,
    next: usize,
}

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.lengths[self.next % self.lengths.len()];
        self.next += 1;
        let length = length.min(buffer.len());
        self.rest.read(&mut buffer[..length])
    }
}

/// The case files that are small enough for the model, which takes quadratic time.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let files = corpus::cases().into_iter().map(|case| case.bytes);
    files.filter(|bytes| (1..4096).contains(&bytes.len())).collect()
});

/// Pieces of JSON, of damage, and of what looks like either; white space separates them.
const TOKENS: &str = r##"
{ } [ ] , : " \ 0 - 1e -0.5E+3 007 null true fals "a" "" {} [] {" {"a \u \ud83d \uDE00 \ud83d\ude00 \u0061 \\ \" \x
"type": "type":"user" "type":"assistant" "type":"system" "type":"tombstone" "type":"progress" "t\u0079pe":"us\u0065r"
"uuid":"u1" "uuid": "uuid":null "parentUuid":null "parentUuid":"u1" "sessionId":"s" "leafUuid":1 "messageId":{}
"message":{ "message": "content": "content":[{"type":"text","text": "role":"user" "usage":{"input_tokens":
"isSidechain":true "isMeta":"" "subtype":"compact_boundary" "compactMetadata":{"preservedSegment":
"attachment":{"type": "event": "mcpMeta":{"_meta": "type":"tool_use","id": "type":"tool_result","tool_use_id":
"source": "is_error": {"type":"user","sessionId":"s"} {"type":"user"} {"type":"x","uuid":"u","messageId":0}
{"a":1,"a":2} {"a":1,"\u0061":2} {"\ud83d":1,"\ud83e":2} [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
"##;

/// Pieces that are white space, or no text.
const BYTES: &[&[u8]] = &[
    b"\n",
    b"\0",
    b"\0\0\0",
    b" ",
    b"\t",
    b"\r",
    b"\r\n",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xBF",
    b"\xFF",
    b"\xC3",
    b"\xED\xA0\xBD",
    b"\xE2\x80\xA8",
    b"\x0B",
    b"\x01",
];

fn token() -> impl Strategy<Value = Vec<u8>> {
    let tokens: Vec<&[u8]> = TOKENS.split_whitespace().map(str::as_bytes).chain(BYTES.iter().copied()).collect();
    prop_oneof![
        8 => select(tokens).prop_map(<[u8]>::to_vec),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        1 => (120..136_usize, select(&b"[{"[..])).prop_map(|(depth, open)| match open {
            b'[' => [b"[".repeat(depth), b"]".repeat(depth)].concat(),
            _ => [b"{\"a\":".repeat(depth), b"1".to_vec(), b"}".repeat(depth)].concat(),
        }),
    ]
}

/// A change to a file. The `bool` moves its place to the next byte of structure.
#[derive(Clone, Debug)]
enum Mutation {
    Insert(Index, bool, Vec<u8>),
    Replace(Index, bool, usize, Vec<u8>),
    Delete(Index, bool, usize),
    Duplicate(Index, Index),
    Truncate(Index, bool),
    /// Replaces the value of a member.
    Retype(Index, Vec<u8>),
    /// Puts a part of another file in.
    Splice(Index, bool, Index, Index, Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<Index>;
    let values: &[&[u8]] =
        &[b"null", b"1", b"\"x\"", b"[]", b"{}", b"true", b"[1]", b"[null]", b"[\"x\"]", b"{\"a\":1}"];
    prop_oneof![
        3 => (index(), any::<bool>(), token()).prop_map(|(at, near, new)| Mutation::Insert(at, near, new)),
        3 => (index(), any::<bool>(), 1..4_usize, token())
            .prop_map(|(at, near, length, new)| Mutation::Replace(at, near, length, new)),
        3 => (index(), any::<bool>(), 1..40_usize)
            .prop_map(|(at, near, length)| Mutation::Delete(at, near, length)),
        1 => (index(), index()).prop_map(|(from, to)| Mutation::Duplicate(from, to)),
        1 => (index(), any::<bool>()).prop_map(|(at, near)| Mutation::Truncate(at, near)),
        4 => (index(), select(values)).prop_map(|(at, value)| Mutation::Retype(at, value.to_vec())),
        3 => (index(), any::<bool>(), index(), index(), index())
            .prop_map(|(at, near, file, from, to)| Mutation::Splice(at, near, file, from, to)),
    ]
}

/// A place in the file, and with `near` the next byte of structure from there on.
fn place(file: &[u8], index: &Index, near: bool) -> usize {
    let at = index.index(file.len() + 1);
    let is_structure = |byte: &u8| b"{}[],:\"\\\n".contains(byte);
    let next = file[at..].iter().position(is_structure).filter(|_| near).unwrap_or(0);
    at + next
}

fn ordered(from: &Index, to: &Index, length: usize) -> (usize, usize) {
    let (from, to) = (from.index(length + 1), to.index(length + 1));
    (from.min(to), from.max(to))
}

fn mutate(file: &mut Vec<u8>, mutation: &Mutation) {
    match mutation {
        Mutation::Insert(at, near, new) => replace(file, place(file, at, *near), 0, new),
        Mutation::Replace(at, near, length, new) => replace(file, place(file, at, *near), *length, new),
        Mutation::Delete(at, near, length) => replace(file, place(file, at, *near), *length, b""),
        Mutation::Duplicate(from, to) => {
            let (from, to) = ordered(from, to, file.len());
            let copy = file[from..to].to_vec();
            replace(file, to, 0, &copy);
        }
        Mutation::Truncate(at, near) => file.truncate(place(file, at, *near)),
        Mutation::Retype(at, value) => {
            let colons: Vec<usize> =
                file.windows(2).enumerate().filter(|(_, pair)| pair == b"\":").map(|(at, _)| at + 2).collect();
            if let Some(&start) = colons.get(at.index(colons.len().max(1))) {
                let length = value_length(&file[start..]);
                replace(file, start, length, value);
            }
        }
        Mutation::Splice(at, near, other, from, to) => {
            let other = &FILES[other.index(FILES.len())];
            let (from, to) = ordered(from, to, other.len());
            replace(file, place(file, at, *near), 0, &other[from..to]);
        }
    }
}

/// The length of the JSON value that bytes begin with, roughly.
fn value_length(bytes: &[u8]) -> usize {
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<serde::de::IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => values.byte_offset(),
        _ => bytes.iter().position(|byte| b",}]\n".contains(byte)).unwrap_or(bytes.len()),
    }
}

fn replace(file: &mut Vec<u8>, at: usize, length: usize, new: &[u8]) {
    let end = (at + length).min(file.len());
    file.splice(at..end, new.iter().copied());
}

fn mutated_case() -> impl Strategy<Value = Vec<u8>> {
    let parts = (any::<Index>(), prop::collection::vec(mutation(), 0..5));
    parts.prop_map(|(file, mutations)| {
        let mut file = FILES[file.index(FILES.len())].clone();
        mutations.iter().for_each(|mutation| mutate(&mut file, mutation));
        file.truncate(16_384);
        file
    })
}

fn tokens() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(token(), 0..40).prop_map(|tokens| tokens.concat())
}

/// Case files cut at any two bytes and joined.
fn joined_cases() -> impl Strategy<Value = Vec<u8>> {
    let part = (any::<Index>(), any::<Index>(), any::<Index>());
    prop::collection::vec(part, 1..5).prop_map(|parts| {
        let mut joined = Vec::new();
        for (file, from, to) in parts {
            let file = &FILES[file.index(FILES.len())];
            let (from, to) = ordered(&from, &to, file.len());
            joined.extend_from_slice(&file[from..to]);
        }
        joined
    })
}

fn any_file() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![mutated_case(), tokens(), joined_cases()]
}

/// How many cases each property has: `PROPTEST_CASES`, or few enough for a second.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn on_any_bytes_the_reader_agrees_with_the_model(
        file in prop::collection::vec(any::<u8>(), 0..200).prop_map(File),
    ) {
        judge(&file.0)?;
    }

    #[test]
    fn on_any_tokens_the_reader_agrees_with_the_model(file in tokens().prop_map(File)) {
        judge(&file.0)?;
    }

    #[test]
    fn on_mutated_cases_the_reader_agrees_with_the_model(file in mutated_case().prop_map(File)) {
        judge(&file.0)?;
    }

    #[test]
    fn on_cases_cut_and_joined_the_reader_agrees_with_the_model(file in joined_cases().prop_map(File)) {
        judge(&file.0)?;
    }

    #[test]
    fn however_a_file_is_chunked_the_same_is_found(
        file in any_file().prop_map(File),
        sizes in prop::collection::vec(1..5000_usize, 4),
        lengths in prop::collection::vec(1..700_usize, 1..6),
    ) {
        let file = file.0;
        let whole = read(&file);
        for size in (1..file.len().min(24)).chain(sizes) {
            prop_assert_eq!(&read_from(&file[..], size, &file), &whole, "chunks of {}", size);
            let drops = Drops { rest: &file, lengths: lengths.clone(), next: 0 };
            prop_assert_eq!(&read_from(drops, size, &file), &whole, "chunks of {}, from drops", size);
        }
    }
}

#[test]
fn on_every_case_the_reader_agrees_with_the_model() {
    for case in corpus::cases() {
        judge(&case.bytes).unwrap_or_else(|problem| panic!("{}: {problem}", case.id));
    }
}

#[test]
fn every_beginning_of_a_case_is_read_as_the_model_reads_it() {
    for file in FILES.iter().filter(|file| file.len() < 900) {
        for end in 0..file.len() {
            judge(&file[..end]).unwrap_or_else(|problem| {
                panic!("{problem}\n{}", String::from_utf8_lossy(&file[..end]));
            });
        }
    }
}

#[test]
fn bytes_that_are_not_utf8_are_found_wherever_they_stand_in_a_long_record() {
    let ends: [&[u8]; 7] = ["é".as_bytes(), "€".as_bytes(), "😀".as_bytes(), b"\xff", b"\xe2\x82", b"\xc3", b""];
    for before in 200..560 {
        for end in ends {
            let record = [b"{\"type\":\"tag\",\"tag\":\"", &[b'x'; 600][..before], end, &[b'x'; 300], b"\"}"].concat();
            let wanted = std::str::from_utf8(&record).err().map(|error| error.valid_up_to() as u64);
            let transcript = Transcript::from_bytes([&record[..], b"\n"].concat());
            let found = transcript.defects().iter().find(|defect| defect.kind == DefectKind::Utf8);
            assert_eq!(found.map(|defect| defect.start), wanted, "{before} {end:?}");
        }
    }
}
