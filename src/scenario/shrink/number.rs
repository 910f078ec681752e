//! Smaller *numbers*.

/// Smaller numbers: 0, then ever nearer to the number itself.
pub(super) fn nearer(number: u64) -> impl Iterator<Item = u64> {
    let mut distance = number;
    std::iter::from_fn(move || {
        (distance > 0).then(|| {
            let smaller = number - distance;
            distance /= 2;
            smaller
        })
    })
}

/// Up to this number each smaller one is tried.
const EACH: u8 = 64;

/// Smaller numbers of a pool: each, from 0 on; of a large number those that come ever nearer.
pub(super) fn lower(number: u8) -> impl Iterator<Item = u8> {
    let each = 0..number.min(EACH);
    let beyond = (number > EACH).then(|| nearer(number.into())).into_iter().flatten();
    each.chain(beyond.map(|number| number as u8).filter(|number| *number >= EACH))
}
