//! A *special* byte is one at which the plain part of a JSON string ends: a quote, a backslash or a control character.

/// So many bytes are looked at in one step: first at once for keys and words, then more of them for what is long.
const STEP: usize = 8;
const FAR_STEP: usize = 32;

/// The first special byte from `at` on; the length of `bytes` when there is none.
#[inline]
pub(super) fn find_special(bytes: &[u8], at: usize) -> usize {
    // Most keys end in the first two steps; what is longer is mostly much longer.
    let Some([first, second]) = bytes.get(at..).and_then(first_steps) else { return find_at_end(bytes, at) };
    match (special_bytes(first), special_bytes(second)) {
        (0, 0) => find_far(bytes, at + 2 * STEP),
        (0, flags) => at + STEP + place(flags),
        (flags, _) => at + place(flags),
    }
}

#[inline]
fn first_steps(bytes: &[u8]) -> Option<[[u8; STEP]; 2]> {
    let (steps, _) = bytes.first_chunk::<{ 2 * STEP }>()?.as_chunks();
    Some([steps[0], steps[1]])
}

/// The same, where much is to be passed.
fn find_far(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<FAR_STEP>) {
        if chunk.iter().fold(false, |found, byte| found | is_special(*byte)) {
            break;
        }
        at += FAR_STEP;
    }
    find_at_end(bytes, at)
}

/// The same, step by step.
fn find_at_end(bytes: &[u8], at: usize) -> usize {
    let (steps, rest) = bytes.get(at..).unwrap_or_default().as_chunks::<STEP>();
    for (number, step) in steps.iter().enumerate() {
        let flags = special_bytes(*step);
        if flags != 0 {
            return at + number * STEP + place(flags);
        }
    }
    let at = at.min(bytes.len()) + steps.len() * STEP;
    at + rest.iter().take_while(|byte| !is_special(**byte)).count()
}

/// With this bit turned round, the quote is a space, and the space is not: one comparison finds controls and quotes.
const QUOTE_BELOW_SPACE: u8 = b'"' ^ b' ';

#[inline]
const fn is_special(byte: u8) -> bool {
    byte ^ QUOTE_BELOW_SPACE <= b' ' || byte == b'\\'
}

const ONES: u64 = u64::from_ne_bytes([1; STEP]);
const HIGHS: u64 = ONES << 7;

/// The high bit of each special byte, the first byte lowest; above the first of them perhaps others.
#[inline]
fn special_bytes(step: [u8; STEP]) -> u64 {
    let word = u64::from_le_bytes(step);
    let all = |byte: u8| ONES * u64::from(byte);
    let low = (word ^ all(QUOTE_BELOW_SPACE)).wrapping_sub(all(b' ' + 1));
    let backslash = (word ^ all(b'\\')).wrapping_sub(ONES);
    (low | backslash) & !word & HIGHS
}

/// The place of the byte of the lowest flag.
#[inline]
const fn place(flags: u64) -> usize {
    flags.trailing_zeros() as usize / 8
}
