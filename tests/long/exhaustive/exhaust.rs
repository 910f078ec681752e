//! *Exhausting* an alphabet: every sequence of its letters up to a length, on all threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;
use turnproof_rules::operation::Plain;

use super::alphabet::Letter;

/// A sequence of an alphabet: the messages as JSON text, and as values.
pub(super) struct Sequence {
    /// The messages as JSON text.
    pub texts: Vec<String>,
    /// The messages, read.
    pub values: Vec<Value>,
}

impl Sequence {
    /// The sequence, letter by letter in words.
    pub(super) fn describe(letters: &[Letter]) -> String {
        let words: Vec<String> = letters.iter().map(|(letter, words, _)| format!("{letter} {words}")).collect();
        words.join("; ")
    }
}

/// Each letter of an alphabet at one place of a sequence: as JSON text, and read.
fn spelled(alphabet: &[Letter], place: usize) -> Vec<(String, Value)> {
    let spell = |letter: &Letter| {
        let text = letter.2.replace('@', &place.to_string());
        let value = Plain::read(&text).expect("JSON").into_value().into();
        (text, value)
    };
    alphabet.iter().map(spell).collect()
}

/// The places in the alphabet of the letters of the sequence with this number, among all of one length.
fn letters_of(alphabet: usize, length: usize, number: usize) -> Vec<usize> {
    (0..length as u32).rev().map(|place| number / alphabet.pow(place) % alphabet).collect()
}

/// What is wrong with a sequence.
pub(super) struct Failure {
    /// The sequence.
    pub letters: Vec<Letter>,
    /// What is wrong.
    pub why: String,
}

/// Checks every sequence of at most `longest` letters, on all threads. Returns how many there are, and the failures of
/// the shortest length that has any, in order.
pub(super) fn exhaust(
    alphabet: &[Letter],
    longest: usize,
    check: impl Fn(&Sequence) -> Result<(), String> + Sync,
) -> (usize, Vec<Failure>) {
    let mut checked = 0;
    let spelled: Vec<_> = (0..longest).map(|place| spelled(alphabet, place)).collect();
    for length in 0..=longest {
        let count = alphabet.len().pow(length as u32);
        let next = AtomicUsize::new(0);
        let failures = Mutex::new(Vec::new());
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return;
                }
                let letters = letters_of(alphabet.len(), length, number);
                let messages = spelled.iter().zip(&letters).map(|(place, &letter)| place[letter].clone());
                let (texts, values) = messages.unzip();
                if let Err(why) = check(&Sequence { texts, values }) {
                    let letters = letters.into_iter().map(|letter| alphabet[letter]).collect();
                    failures.lock().expect("no panic").push((number, Failure { letters, why }));
                }
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        checked += count;
        let mut failures = failures.into_inner().expect("no panic");
        if !failures.is_empty() {
            failures.sort_by_key(|(number, _)| *number);
            return (checked, failures.into_iter().map(|(_, failure)| failure).collect());
        }
    }
    (checked, Vec::new())
}

#[test]
fn all_sequences_are_tried_and_each_once() {
    use super::alphabet::{EVERYDAY, letters};

    let seen = Mutex::new(Vec::new());
    let (checked, failures) = exhaust(&letters(EVERYDAY)[..3], 3, |sequence| {
        seen.lock().expect("no panic").push(sequence.texts.concat());
        Ok(())
    });
    let mut seen = seen.into_inner().expect("no panic");
    seen.sort();
    seen.dedup();
    assert_eq!((checked, failures.len(), seen.len()), (1 + 3 + 9 + 27, 0, 1 + 3 + 9 + 27));
}
