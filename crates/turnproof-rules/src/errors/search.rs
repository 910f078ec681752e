//! The *search* for the page of an error, by the words that it has in common with the texts on pages.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::words::{Piece, Word, message, words};
use super::{ErrorText, Origin, all};

/// What is known of a text.
#[derive(Debug, Default)]
pub struct Answer {
    /// What fits it: the best first, then what fits other parts of it.
    pub found: Vec<Found>,
    /// Where nothing fits, what has most in common with it: at most three.
    pub near: Vec<Near>,
}

/// An error that fits a text.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Its page.
    pub origin: Origin,
    /// The error.
    pub error: &'static ErrorText,
}

/// An error that has words in common with a text.
#[derive(Clone, Debug)]
pub struct Near {
    /// Its page.
    pub origin: Origin,
    /// The error.
    pub error: &'static ErrorText,
    /// The words that both have, in the order of the text.
    pub common: Vec<String>,
}

/// How many words a placeholder stands for at most.
const MOST_ANY: usize = 100;

/// How many pages are named where nothing fits.
const NEAREST: usize = 3;

/// Words of what is around an error in a body or a log.
const AROUND: [&str; 10] =
    ["api", "bad", "code", "error", "http", "invalid_request_error", "message", "request", "status", "type"];

/// Finds the page of an error: its text alone, a whole body, or a line of a log around it. Of several that fit, the one
/// with the longest words in common is the best.
pub fn look_up(text: &str) -> Answer {
    let asked = words(message(text)).iter().filter(|word| !AROUND.contains(&&*word.text)).count();
    let text = words(text);
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    text.iter().enumerate().for_each(|(at, word)| places.entry(&word.text).or_default().push(at));
    let mut fitting: Vec<(Fit, Found)> = Vec::new();
    for (origin, error) in all() {
        let fit = best_fit(&text, &places, &error.pieces);
        if let Some(fit) = fit.filter(|fit| fit.is_enough(asked)) {
            fitting.push((fit, Found { origin, error }));
        }
    }
    // A text may end too early, but what lacks the beginning of an error is worse than any that has it. The sort is
    // stable: of equal ones, the first in the catalogue stays first.
    fitting.sort_by_key(|(fit, _)| std::cmp::Reverse((fit.leads, fit.letters, fit.is_whole, fit.share())));
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut found = Vec::new();
    for (fit, one) in fitting {
        let overlaps = |other: &Range<usize>| fit.range.start < other.end && other.start < fit.range.end;
        if found.is_empty() || fit.is_whole && !taken.iter().any(overlaps) {
            found.push(one);
            taken.push(fit.range);
        }
    }
    let near = if found.is_empty() { nearest(&text) } else { Vec::new() };
    Answer { found, near }
}

/// How a text and a template fit.
#[derive(Clone, Debug)]
struct Fit {
    /// Whether the text has the beginning of the template, and whether it has the whole.
    leads: bool,
    is_whole: bool,
    /// How many words they have in common, and how many letters these have.
    words: usize,
    letters: usize,
    /// How many letters the words of the template have.
    of_template: usize,
    /// The words of the text.
    range: Range<usize>,
}

impl Fit {
    /// Whether a text of so many words is about this error: it has all of it, a long beginning or most of it, or is a
    /// piece of it.
    fn is_enough(&self, asked: usize) -> bool {
        let is_beginning = self.leads && self.words >= 5 && self.letters >= 20;
        let is_most = self.letters * 5 >= self.of_template * 3;
        let is_piece = self.words * 5 >= asked * 3;
        self.is_whole || self.words >= 3 && self.letters >= 12 && (is_beginning || is_most || is_piece)
    }

    /// How much of the template the text has, in percent.
    fn share(&self) -> usize {
        self.letters * 100 / self.of_template.max(1)
    }
}

/// The place in the text where most of a template fits. `places` says where each word of the text is.
fn best_fit(text: &[Word], places: &HashMap<&str, Vec<usize>>, template: &[Piece]) -> Option<Fit> {
    let of_template = template.iter().map(letters).sum();
    let mut best: Option<Fit> = None;
    for (begin, piece) in template.iter().enumerate() {
        let Some(first) = word_of(piece) else { continue };
        let leads = template.iter().take(begin).all(|piece| *piece == Piece::Any);
        let rest = template.get(begin..).unwrap_or_default();
        for &from in places.get(&*first.text).into_iter().flatten() {
            let (taken, end) = follow(text, from, rest);
            let common = rest.get(..taken).unwrap_or_default();
            let words = common.iter().filter_map(word_of).count();
            let letters = common.iter().map(letters).sum();
            let is_whole = leads && taken == rest.len();
            let fit = Fit { leads, is_whole, words, letters, of_template, range: from..end };
            if best.as_ref().is_none_or(|best| (fit.letters, fit.is_whole) > (best.letters, best.is_whole)) {
                best = Some(fit);
            }
        }
    }
    best
}

fn letters(piece: &Piece) -> usize {
    match piece {
        Piece::Word(word) => word.text.chars().count(),
        Piece::Any => 0,
    }
}

/// Follows a template, which begins with a word, from a place of the text on: how many pieces fit, and where they end.
fn follow(text: &[Word], from: usize, template: &[Piece]) -> (usize, usize) {
    let (mut taken, mut at) = (0, from);
    while let Some(piece) = template.get(taken) {
        match piece {
            Piece::Word(word) if text.get(at) == Some(word) => (taken, at) = (taken + 1, at + 1),
            Piece::Word(_) => break,
            Piece::Any => {
                // What follows begins where most of it fits: the text may end too early.
                let run: Vec<&Word> = template.iter().skip(taken + 1).map_while(word_of).collect();
                let fitting = |start: usize| (start..).zip(&run).take_while(|(at, word)| text.get(*at) == Some(*word));
                let starts = at..=(at + MOST_ANY).min(text.len());
                let most = starts.max_by_key(|&start| (fitting(start).count(), std::cmp::Reverse(start)));
                (taken, at) = (taken + 1, most.unwrap_or(at));
            }
        }
    }
    (taken, at)
}

fn word_of(piece: &Piece) -> Option<&Word> {
    match piece {
        Piece::Word(word) => Some(word),
        Piece::Any => None,
    }
}

/// The errors of different pages that have most in common with a text. A word counts the more, the fewer errors have it.
fn nearest(text: &[Word]) -> Vec<Near> {
    let distinct =
        |error: &'static ErrorText| error.pieces.iter().filter_map(word_of).map(|word| &*word.text).collect();
    let errors: Vec<(Origin, &ErrorText, BTreeSet<&str>)> =
        all().map(|(origin, error)| (origin, error, distinct(error))).collect();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    errors.iter().flat_map(|(.., words)| words).for_each(|word| *counts.entry(word).or_default() += 1);
    let mut near: Vec<(usize, Near)> = Vec::new();
    for (origin, error, words) in &errors {
        let mut common: Vec<String> = Vec::new();
        for word in text.iter().map(|word| &word.text) {
            if words.contains(&**word) && word.len() > 3 && !AROUND.contains(&&**word) && !common.contains(word) {
                common.push(word.clone());
            }
        }
        let weight = common.iter().map(|word| 1000 / counts.get(&**word).copied().unwrap_or(1)).sum();
        if weight > 0 {
            near.push((weight, Near { origin: *origin, error, common }));
        }
    }
    near.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let mut pages = BTreeSet::new();
    let near = near.into_iter().map(|(_, near)| near).filter(|near| pages.insert(near.origin.id()));
    near.take(NEAREST).collect()
}
