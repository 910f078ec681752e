//! What is *chosen* of a part: its beginning, its end, and what stands around findings. The rest is named by its lines.

use turnproof_suite::table::count;

use super::parts::Part;
use super::row::Rows;

/// What is shown of a part, by places in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Record(usize),
    /// Left out, from one place to before another.
    Gap {
        from: usize,
        to: usize,
    },
}

/// How much of a part is shown: of its beginning, of its end, and findings between.
const OF_CONVERSATION: (usize, usize, usize) = (300, 500, 100);
const OF_OTHERS: (usize, usize, usize) = (80, 40, 40);

/// What is shown of a part.
pub(super) fn chosen(part: &Part, rows: &Rows<'_>) -> Vec<Shown> {
    let is_marked = |at: usize| rows.is_marked(part.records[at]);
    choose(part.records.len(), if part.is_open { OF_CONVERSATION } else { OF_OTHERS }, is_marked)
}

fn choose(
    length: usize,
    (first, last, marked): (usize, usize, usize),
    is_marked: impl Fn(usize) -> bool,
) -> Vec<Shown> {
    let mut wanted = vec![length <= first + last; length];
    let mut near = 0;
    for at in 0..length {
        let is_near = near < marked && is_marked(at);
        near += usize::from(is_near);
        let reach = if is_near { at.saturating_sub(1)..(at + 2).min(length) } else { at..at + 1 };
        if is_near || at < first || at + last >= length {
            wanted[reach].iter_mut().for_each(|wanted| *wanted = true);
        }
    }
    let mut shown = Vec::new();
    for (at, is_wanted) in wanted.into_iter().enumerate() {
        match (is_wanted, shown.last_mut()) {
            (true, _) => shown.push(Shown::Record(at)),
            (false, Some(Shown::Gap { to, .. })) => *to = at + 1,
            (false, _) => shown.push(Shown::Gap { from: at, to: at + 1 }),
        }
    }
    shown
}

/// How much is shown, where something is left out.
pub(super) fn in_words(part: &Part, shown: &[Shown]) -> Option<String> {
    let records = shown.iter().filter(|shown| matches!(shown, Shown::Record(_))).count() as u64;
    let all = part.records.len() as u64;
    (records < all).then(|| {
        format!(
            "{} of {} records are shown: the first, the last, and those around findings. turnproof resume prints all.",
            count(records),
            count(all)
        )
    })
}
