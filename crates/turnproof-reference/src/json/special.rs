//! A *special* byte is one at which the plain part of a JSON string ends: a quote, a backslash or a control character.

/// So many bytes are looked at in one step, for keys and words.
const STEP: usize = 8;

/// The first special byte from `at` on; the length of `bytes` when there is none.
#[inline]
pub(super) fn find_special(bytes: &[u8], at: usize) -> usize {
    // Most keys end in the first two steps; what is longer is mostly much longer.
    let Some([first, second]) = bytes.get(at..).and_then(first_steps) else { return Window::new().find(bytes, at) };
    match (special_bytes(first), special_bytes(second)) {
        (0, 0) => Window::new().find(bytes, at + 2 * STEP),
        (0, flags) => at + STEP + place(flags),
        (flags, _) => at + place(flags),
    }
}

#[inline]
fn first_steps(bytes: &[u8]) -> Option<[[u8; STEP]; 2]> {
    let (steps, _) = bytes.first_chunk::<{ 2 * STEP }>()?.as_chunks();
    Some([steps[0], steps[1]])
}

/// A *window* knows the special bytes of a part of a text, a bit each, the first one lowest. Who walks a text with one
/// looks at each byte once, however many strings begin and end there.
#[derive(Clone, Copy)]
pub(super) struct Window {
    start: usize,
    specials: u64,
}

/// The bytes of a window.
const SIZE: usize = u64::BITS as usize;

impl Window {
    /// It knows nothing yet: no text has so many bytes.
    pub(super) const fn new() -> Self {
        Self { start: usize::MAX / 2, specials: 0 }
    }

    /// The first special byte from `at` on; the length of `bytes` when there is none. Of the same text it is asked for
    /// places that lie behind each other.
    #[inline]
    pub(super) fn find(&mut self, bytes: &[u8], at: usize) -> usize {
        let inside = at.wrapping_sub(self.start);
        if inside >= SIZE {
            return self.find_beyond(bytes, at);
        }
        match self.specials >> inside {
            0 => self.find_beyond(bytes, self.start + SIZE),
            left => at + left.trailing_zeros() as usize,
        }
    }

    /// The same, where the window ends before `at`.
    fn find_beyond(&mut self, bytes: &[u8], mut at: usize) -> usize {
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let specials = match rest.first_chunk() {
                Some(part) => specials(part),
                None => specials_at_end(rest),
            };
            *self = Self { start: at, specials };
            if specials != 0 {
                return at + specials.trailing_zeros() as usize;
            }
            // What is plain for so long mostly is for much longer.
            at += SIZE + plain(&rest[SIZE..]);
        }
        bytes.len()
    }
}

/// How many bytes are plain at the beginning of a text, in whole windows.
fn plain(rest: &[u8]) -> usize {
    let (parts, _) = rest.as_chunks::<SIZE>();
    let is_plain = |part: &&[u8; SIZE]| !part.iter().fold(false, |found, byte| found | is_special(*byte));
    parts.iter().take_while(is_plain).count() * SIZE
}

/// The end of a text is followed by what is special.
fn specials_at_end(rest: &[u8]) -> u64 {
    let mut part = [0; SIZE];
    part[..rest.len()].copy_from_slice(rest);
    specials(&part)
}

/// The bit of each byte of a window among eight.
const PLACES: [u8; SIZE] = {
    let mut places = [0; SIZE];
    let mut index = 0;
    while index < SIZE {
        places[index] = 1 << (index % 8);
        index += 1;
    }
    places
};

/// A bit for each special byte. Compilers make a few vector instructions of this, also where overflow is looked for:
/// nothing is counted.
fn specials(part: &[u8; SIZE]) -> u64 {
    let mut bits = PLACES;
    for (bit, byte) in bits.iter_mut().zip(part) {
        *bit = if is_special(*byte) { *bit } else { 0 };
    }
    let (eights, _) = bits.as_chunks::<8>();
    let mut sums = [0; SIZE / 8];
    for (sum, eight) in sums.iter_mut().zip(eights) {
        *sum = eight.iter().fold(0_u8, |sum, bit| sum.wrapping_add(*bit));
    }
    u64::from_le_bytes(sums)
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
