//! Hashes *renamed*: notes of requests name texts by their hashes, and must name them still when the texts are changed
//! in place.

use std::collections::HashMap;

use serde_json::from_str;

use super::Keep;
use super::canonical::{CachePoints, canonical, turn};
use super::hash::Hash;
use super::lines::Lines;
use super::notes::{Blob, Line, Shape, is_of_requests};
use crate::json::decoded;
use crate::transcript::Record;

/// How many digits a hash has.
const DIGITS: usize = 64;

/// What the texts of a file are called before and after they are changed, without a change of length.
#[derive(Default)]
pub(crate) struct Renamed {
    lines: [Lines; 2],
    hashes: HashMap<Hash, Hash>,
}

impl Renamed {
    /// Takes the next record of the file and its changed form, in which it writes each hash that named its text. One
    /// that did not stays as it is.
    pub(crate) fn record(&mut self, record: &Record<'_>, changed: &mut [u8]) {
        let kind = record.type_name();
        if !is_of_requests(&kind) {
            return;
        }
        let texts = [decoded(record.bytes), decoded(changed)];
        let pairs = match &*kind {
            "api-request" => Vec::new(),
            "api-request-shape" => noted(&texts, shape),
            "api-request-blob" => noted(&texts, blob),
            kind => self.said(kind == "user", &texts),
        };
        self.hashes.extend(pairs);
        if kind.starts_with("api-request") {
            self.write(record.bytes, changed);
        }
    }

    /// The turns that a line of the conversation may end.
    fn said(&mut self, is_user: bool, texts: &[impl AsRef<str>; 2]) -> Vec<(Hash, Hash)> {
        let mut turns = self.lines.iter_mut().zip(texts).map(|(lines, text)| {
            let Ok(Line { message, .. }) = from_str(text.as_ref()) else { return Vec::new() };
            match is_user {
                true => lines.user(&message, (0, 0), Keep::Hashes),
                false => lines.reply(&message, (0, 0), Keep::Hashes).into_iter().collect(),
            }
        });
        let (before, after) = (turns.next().unwrap_or_default(), turns.next().unwrap_or_default());
        before.into_iter().zip(after).map(|((before, _), (after, _))| (before, after)).collect()
    }

    /// Writes the new names of hashes over the old ones, which are strings alone.
    fn write(&self, bytes: &[u8], changed: &mut [u8]) {
        for start in memchr::memchr_iter(b'"', bytes).map(|quote| quote + 1) {
            let Some(digits) = bytes.get(start..start + DIGITS) else { return };
            let is_whole = bytes.get(start + DIGITS) == Some(&b'"') && digits.iter().all(u8::is_ascii_hexdigit);
            let Some(name) = str::from_utf8(digits).ok().filter(|_| is_whole) else { continue };
            if let Some(hash) = self.hashes.get(&Hash::named(name)) {
                changed[start..start + DIGITS].copy_from_slice(hash.to_string().as_bytes());
            }
        }
    }
}

/// The hashes of a noted text before and after its change, where it is named by the first.
fn noted(texts: &[impl AsRef<str>; 2], read: fn(&str) -> Option<(Hash, Hash)>) -> Vec<(Hash, Hash)> {
    let [before, after] = texts;
    let pair = read(before.as_ref()).filter(|(named, is)| named == is).zip(read(after.as_ref()));
    pair.map(|((named, _), (_, is))| (named, is)).into_iter().collect()
}

/// The hash that names a shape, and that of its text.
fn shape(json: &str) -> Option<(Hash, Hash)> {
    let shape: Shape<'_> = from_str(json).ok()?;
    Some((Hash::named(&shape.shape_hash), Hash::of(&canonical(shape.shape.get(), CachePoints::Dropped)?)))
}

/// The hash that names a turn, and that of its text.
fn blob(json: &str) -> Option<(Hash, Hash)> {
    let blob: Blob<'_> = from_str(json).ok()?;
    Some((Hash::named(&blob.hash), Hash::of(&turn(blob.message.get())?)))
}
