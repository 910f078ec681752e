//! The *smallest* case that shows something: what is simpler is tried, until nothing simpler shows it.

/// The simplest case found, in so many tries, that still shows what the first one shows. `simpler` gives what is simpler
/// than a case by one thing, the largest things first. No case is tried twice.
///
/// ```
/// use turnproof_suite::smallest::smallest;
///
/// let less = |number: &u32| [number / 2, number.saturating_sub(1)];
/// assert_eq!(smallest(1000, 50, less, &mut |number| *number >= 13), 13);
/// ```
pub fn smallest<C: Clone + PartialEq, I: IntoIterator<Item = C>>(
    case: C,
    tries: usize,
    simpler: impl Fn(&C) -> I,
    shows: &mut dyn FnMut(&C) -> bool,
) -> C {
    let mut current = case;
    let mut tried: Vec<C> = Vec::new();
    'smaller: loop {
        for candidate in simpler(&current) {
            if tried.contains(&candidate) {
                continue;
            }
            if tried.len() >= tries {
                return current;
            }
            tried.push(candidate.clone());
            if shows(&candidate) {
                current = candidate;
                continue 'smaller;
            }
        }
        return current;
    }
}
