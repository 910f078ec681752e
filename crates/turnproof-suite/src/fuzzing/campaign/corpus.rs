//! The *corpus* is what inputs are made of: generated conversations and the examples of the rules, which are built in,
//! and files of a folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use twox_hash::XxHash3_64;

use crate::operation::check_response::replies;
use crate::operation::{Accumulated, Checked, CheckedResponse, Operation, Reading, Request, Resumed};
use crate::rules::{CATALOGUE, Judge, Rule};
use crate::scenario::{Case, Profile, Scenario};

use super::super::accumulate::stream_text;
use super::super::mutate::{Shape, cross, mutate};
use super::shape_of;

/// The longest input, in bytes. A file that is longer is cut at ends of lines.
pub const LONGEST: usize = 16 << 10;

/// How often another copy is tried where one is no request any more.
const COPIES: u32 = 16;

/// What inputs are made of.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    /// The pieces of the files by shape, at most [`LONGEST`] bytes each.
    pieces: [Vec<Vec<u8>>; 3],
    name: Option<String>,
}

impl Corpus {
    /// What is built in, and the files of a folder and its folders, in the order of their paths. A file that is a request
    /// makes requests, and is left out when it is longer than [`LONGEST`]; one that begins as server-sent events do makes
    /// streams; all others make transcripts.
    ///
    /// # Errors
    /// When the folder or a file in it cannot be read.
    pub fn of_folder(folder: &Path) -> Result<Self, (PathBuf, io::Error)> {
        let mut pieces: [Vec<Vec<u8>>; 3] = Default::default();
        let mut hash = 0;
        for path in files(folder)? {
            let bytes = fs::read(&path).map_err(|error| (path, error))?;
            hash = XxHash3_64::oneshot_with_seed(hash, &bytes);
            match shape_of_file(&bytes) {
                Shape::Request if bytes.len() <= LONGEST => pieces[Shape::Request as usize].push(bytes),
                Shape::Request => {}
                shape => pieces[shape as usize].extend(pieces_of(&bytes)),
            }
        }
        Ok(Self { pieces, name: Some(format!("corpus {hash:016x}")) })
    }

    /// How many pieces there are beside what is built in.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(Vec::len).sum()
    }

    /// Whether there is only what is built in.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A name that another corpus does not have.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("built in")
    }

    /// Input number `number` of a seed for an operation; the same each time.
    pub fn input(&self, operation: Operation, seed: u64, number: u64) -> Vec<u8> {
        let shape = shape_of(operation);
        let mut dice = Dice { seed, text: operation.name(), number, throws: 0 };
        let start = self.start(operation, &mut dice);
        // Some stay as they are: what is right must be taken too.
        if dice.once_in(16) {
            return start;
        }
        // Two documents spliced are none.
        let start = match shape != Shape::Request && dice.once_in(6) {
            true => cross(&start, &self.start(operation, &mut dice), dice.throw() as u32, LONGEST),
            false => start,
        };
        let first = dice.throw() as u32;
        for copy in 0..COPIES {
            let changed = mutate(&start, shape, first.wrapping_add(copy), LONGEST);
            if shape != Shape::Request || std::str::from_utf8(&changed).is_ok_and(|text| Request::read(text).is_ok()) {
                return changed;
            }
        }
        start
    }

    /// What an input is made of: one of the files, an example, or what is generated.
    fn start(&self, operation: Operation, dice: &mut Dice<'_>) -> Vec<u8> {
        let pieces = &self.pieces[shape_of(operation) as usize];
        if !pieces.is_empty() && dice.once_in(2) {
            return pieces[dice.below(pieces.len())].clone();
        }
        let examples = examples(shape_of(operation));
        if dice.once_in(4) && !examples.is_empty() {
            return examples[dice.below(examples.len())].clone();
        }
        generated(operation, dice)
    }
}

/// What a generated conversation gives for an operation.
fn generated(operation: Operation, dice: &mut Dice<'_>) -> Vec<u8> {
    let profile = Profile::ALL[dice.below(Profile::ALL.len())];
    let scenario = Scenario::from_seed(dice.seed, dice.throw() >> 16, profile);
    let case = Case::of(&scenario);
    match operation {
        Operation::Accumulate => {
            let stream = case.streams().iter().find(|items| !items.is_empty()).map(|items| stream_text(items));
            stream.and_then(|stream| pieces_of(&stream).into_iter().next())
        }
        Operation::CheckRequest => Some(turns(case.messages()).into_bytes()).filter(|turns| turns.len() <= LONGEST),
        Operation::CheckResponse => {
            replies(case.streams()).into_iter().next().and_then(|reply| pieces_of(reply.as_bytes()).into_iter().next())
        }
        _ => pieces_of(case.transcript()).into_iter().next(),
    }
    .unwrap_or_default()
}

/// The messages of user and assistant as turns, as they are.
fn turns(messages: &[String]) -> String {
    let turn = |message: &String| {
        let message: serde_json::Value = serde_json::from_str(message).ok()?;
        let role = message["type"].as_str().filter(|role| matches!(*role, "user" | "assistant"))?;
        Some(serde_json::json!({"role": role, "content": message["message"]["content"]}).to_string())
    };
    format!("[{}]", messages.iter().filter_map(turn).collect::<Vec<_>>().join(",\n"))
}

/// The examples of the rules that have this shape.
fn examples(shape: Shape) -> &'static [Vec<u8>] {
    static EXAMPLES: OnceLock<Vec<(Shape, Vec<u8>)>> = OnceLock::new();
    static BY_SHAPE: [OnceLock<Vec<Vec<u8>>>; 3] = [const { OnceLock::new() }; 3];
    let all = EXAMPLES.get_or_init(|| CATALOGUE.iter().filter_map(|rule| example(rule)).collect());
    BY_SHAPE[shape as usize].get_or_init(|| {
        all.iter()
            .filter(|(of, bytes)| *of == shape && bytes.len() <= LONGEST)
            .map(|(_, bytes)| bytes.clone())
            .collect()
    })
}

fn example(rule: &Rule) -> Option<(Shape, Vec<u8>)> {
    let json = rule.example;
    Some(match rule.judge {
        Judge::Transcript(_) => (Shape::Transcript, json.to_vec()),
        Judge::Parse(_) => (
            Shape::Transcript,
            serde_json::from_slice::<Reading>(json).map_or_else(|_| json.to_vec(), |reading| reading.bytes),
        ),
        Judge::Resume(_) => (Shape::Transcript, serde_json::from_slice::<Resumed>(json).ok()?.file),
        Judge::Accumulate(_) => (Shape::Stream, stream_text(&serde_json::from_slice::<Accumulated>(json).ok()?.items)),
        Judge::Request { .. } => (Shape::Request, json.to_vec()),
        Judge::CheckResponse(_) => {
            (Shape::Stream, serde_json::from_slice::<CheckedResponse>(json).ok()?.response.into_bytes())
        }
        Judge::CheckRequest(_) => (Shape::Request, serde_json::from_slice::<Checked>(json).ok()?.request.into_bytes()),
        _ => return None,
    })
}

/// What a file looks like.
fn shape_of_file(bytes: &[u8]) -> Shape {
    if std::str::from_utf8(bytes).is_ok_and(|text| Request::read(text).is_ok()) {
        return Shape::Request;
    }
    let is_stream = [&b"event:"[..], b"data:", b": "].iter().any(|beginning| bytes.starts_with(beginning));
    if is_stream { Shape::Stream } else { Shape::Transcript }
}

/// Runs of whole lines of at most [`LONGEST`] bytes; a longer line is cut.
fn pieces_of(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        for part in line.chunks(LONGEST) {
            match pieces.last_mut().filter(|piece| piece.len() + part.len() <= LONGEST) {
                Some(piece) => piece.extend_from_slice(part),
                None => pieces.push(part.to_vec()),
            }
        }
    }
    pieces
}

/// All files in a folder and its folders, in the order of their paths.
fn files(folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let of_folder = |error| (folder.to_owned(), error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(of_folder)? {
        paths.push(entry.map_err(of_folder)?.path());
    }
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        match path.symlink_metadata().map_err(|error| (path.clone(), error))? {
            data if data.is_dir() => found.extend(files(&path)?),
            _ if path.is_file() => found.push(path),
            _ => {}
        }
    }
    Ok(found)
}

/// Numbers that look random: those of an input.
struct Dice<'a> {
    seed: u64,
    text: &'a str,
    number: u64,
    throws: u64,
}

impl Dice<'_> {
    fn throw(&mut self) -> u64 {
        self.throws += 1;
        let mut bytes = self.text.as_bytes().to_vec();
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&self.throws.to_le_bytes());
        XxHash3_64::oneshot_with_seed(self.seed, &bytes)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.throw() % count.max(1) as u64) as usize
    }

    fn once_in(&mut self, times: u64) -> bool {
        self.throw().is_multiple_of(times)
    }
}
