//! Which *text* of a request tells of which attachment. The words are the subject's, so it is found by what it must
//! tell, and by its place among the user's texts.

use std::collections::HashSet;

use super::attachment::{Stance, Telling};
use crate::vocabulary::is_space;

/// A text that a request should have, or may have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'e> {
    /// These words.
    Words(&'e str),
    /// What an attachment tells, by its place among the tellings.
    Tells(usize, &'e Telling),
}

/// For each text, the place of the attachment that it tells of. As many texts as possible are found in the wanted
/// order; then those that are out of order, and those of attachments that no text may tell of. Each is given with its
/// turn, which decides where the order leaves it open.
pub(super) fn assign(
    wanted: &[(usize, Wanted<'_>)],
    tellings: &[Telling],
    texts: &[(usize, &str)],
) -> Vec<Option<usize>> {
    let is_whole = |((_, one), (_, text)): (&(usize, Wanted<'_>), &(usize, &str))| worth(*one, text) == WHOLE;
    if wanted.len() == texts.len() && wanted.iter().zip(texts).all(is_whole) {
        return wanted.iter().map(|(_, wanted)| wanted.place()).collect();
    }
    let found = in_order(wanted, texts);
    let wanted: Vec<Wanted<'_>> = wanted.iter().map(|(_, wanted)| *wanted).collect();
    let texts: Vec<&str> = texts.iter().map(|(_, text)| *text).collect();
    let mut left: Vec<Wanted<'_>> = wanted.clone();
    let mut index = 0;
    left.retain(|_| {
        index += 1;
        !found.contains(&Some(index - 1))
    });
    let of_text = |(text, found): (&&str, Option<usize>)| match found {
        Some(index) => wanted[index].place(),
        None => match left.iter().position(|wanted| worth(*wanted, text) > LEAST) {
            Some(index) => left.swap_remove(index).place(),
            None => tellings.iter().position(|telling| betrays(telling, text)),
        },
    };
    let mut assigned: Vec<Option<usize>> = texts.iter().zip(found).map(of_text).collect();
    leave_doubles(&mut assigned, tellings, &texts);
    assigned
}

/// Takes from free attachments each text that is one of another attachment again.
fn leave_doubles(assigned: &mut [Option<usize>], tellings: &[Telling], texts: &[&str]) {
    let is = |place: Option<usize>, stance| place.is_some_and(|place| tellings[place].stance == stance);
    let asked: HashSet<&str> =
        texts.iter().zip(&*assigned).filter(|(_, place)| is(**place, Stance::Asked)).map(|(text, _)| *text).collect();
    for (text, place) in texts.iter().zip(assigned) {
        if is(*place, Stance::Free) && asked.contains(text) {
            *place = None;
        }
    }
}

impl Wanted<'_> {
    fn place(self) -> Option<usize> {
        match self {
            Self::Words(_) => None,
            Self::Tells(place, _) => Some(place),
        }
    }
}

/// For each text the wanted one that it is, so that the order is kept and the whole is worth most.
fn in_order(wanted: &[(usize, Wanted<'_>)], texts: &[(usize, &str)]) -> Vec<Option<usize>> {
    let width = wanted.len() + 1;
    // The best from a text and a wanted one on, with whether they belong together.
    let mut best = vec![(0u64, false); width * (texts.len() + 1)];
    for (place, (turn, text)) in texts.iter().enumerate().rev() {
        for (index, (its_turn, one)) in wanted.iter().enumerate().rev() {
            let here = place * width + index;
            let apart = best[here + 1].0.max(best[here + width].0);
            let together = match worth(*one, text) {
                0 => 0,
                worth => 2 * worth + u64::from(turn == its_turn) + best[here + width + 1].0,
            };
            best[here] = (apart.max(together), together > apart);
        }
    }
    let mut found = vec![None; texts.len()];
    let (mut place, mut index) = (0, 0);
    while place < texts.len() && index < wanted.len() {
        let here = place * width + index;
        if best[here].1 {
            found[place] = Some(index);
            (place, index) = (place + 1, index + 1);
        } else if best[here].0 == best[here + 1].0 {
            index += 1;
        } else {
            place += 1;
        }
    }
    found
}

/// What a text is worth that says what is wanted, in the form in which it should.
const WHOLE: u64 = 2 << 20;

/// What a text is worth that says what is wanted, and is not wrapped.
const BARE: u64 = 1 << 20;

/// What a text is worth that need not be there.
const LEAST: u64 = 1;

/// How good it is to take a text for a wanted one; 0 when it cannot be.
fn worth(wanted: Wanted<'_>, text: &str) -> u64 {
    let telling = match wanted {
        Wanted::Words(words) => return if words == text { WHOLE } else { 0 },
        Wanted::Tells(_, telling) => telling,
    };
    let tells = || telling.told.iter().all(|told| text.contains(told.as_str()));
    let is_whole = || is_wrapped(text) || (telling.is_own && telling.told.iter().all(|told| told == text));
    match telling.stance {
        Stance::Free if is_wrapped(text) => LEAST,
        Stance::Asked if tells() && is_whole() => WHOLE,
        Stance::Asked if tells() && !telling.told.is_empty() && !telling.is_own => BARE,
        Stance::Asked | Stance::Free | Stance::Never => 0,
    }
}

/// Whether a text holds what an attachment keeps back, when no text may tell of it.
fn betrays(telling: &Telling, text: &str) -> bool {
    telling.stance == Stance::Never && telling.never.iter().any(|never| text.contains(never.as_str()))
}

/// Whether a text stands in an element that nothing inside ends.
pub(super) fn is_wrapped(text: &str) -> bool {
    let text = text.trim_matches(is_space);
    let Some(inside) = text.strip_prefix('<') else { return false };
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let end = inside.find(|letter| !is_part(letter)).unwrap_or(inside.len());
    let (name, rest) = inside.split_at(end);
    let closing = format!("</{name}>");
    let is_opened = rest.starts_with(['>', ' ']) && rest.contains('>');
    name.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && is_opened
        && text.find(&closing) == text.len().checked_sub(closing.len())
}
