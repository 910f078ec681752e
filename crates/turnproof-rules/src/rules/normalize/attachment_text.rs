//! Which *text* of a request belongs to which attachment. The words are the subject's, so it is found by what it must
//! say, and by its place among the user's texts.

use std::collections::HashSet;

use super::attachment::{AttachmentText, Stance};
use crate::vocabulary::is_space;

/// A text that a request should have, or may have.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'e> {
    /// These words.
    Words(&'e str),
    /// What an attachment says, by its place among the texts of attachments.
    Text(usize, &'e AttachmentText),
}

/// For each text, the place of the attachment that it belongs to. As many texts as possible are found in the wanted
/// order; then those that are out of order, and those of attachments that must not be sent. Each is given with its
/// turn, which decides where the order leaves it open.
pub(super) fn assign(
    wanted: &[(usize, Wanted<'_>)],
    attachment_texts: &[AttachmentText],
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
            None => attachment_texts.iter().position(|attachment_text| betrays(attachment_text, text)),
        },
    };
    let mut assigned: Vec<Option<usize>> = texts.iter().zip(found).map(of_text).collect();
    leave_doubles(&mut assigned, attachment_texts, &texts);
    assigned
}

/// Takes from free attachments each text that is one of another attachment again.
fn leave_doubles(assigned: &mut [Option<usize>], attachment_texts: &[AttachmentText], texts: &[&str]) {
    let is = |place: Option<usize>, stance| place.is_some_and(|place| attachment_texts[place].stance == stance);
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
            Self::Text(place, _) => Some(place),
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
    let attachment_text = match wanted {
        Wanted::Words(words) => return if words == text { WHOLE } else { 0 },
        Wanted::Text(_, attachment_text) => attachment_text,
    };
    let says_all = || attachment_text.said.iter().all(|said| text.contains(said.as_str()));
    let is_whole =
        || is_wrapped(text) || (attachment_text.is_own && attachment_text.said.iter().all(|said| said == text));
    match attachment_text.stance {
        Stance::Free if is_wrapped(text) => LEAST,
        Stance::Asked if says_all() && is_whole() => WHOLE,
        Stance::Asked if says_all() && !attachment_text.said.is_empty() && !attachment_text.is_own => BARE,
        Stance::Asked | Stance::Free | Stance::Never => 0,
    }
}

/// Whether a text holds what an attachment keeps back, when no text may say it.
fn betrays(attachment_text: &AttachmentText, text: &str) -> bool {
    attachment_text.stance == Stance::Never && attachment_text.never.iter().any(|never| text.contains(never.as_str()))
}

/// Whether a text is in an element that nothing inside ends.
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
