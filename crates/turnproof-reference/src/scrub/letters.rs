//! *Letters* are replaced by letters of the same class, by a key. A short text without words is permuted: two texts of
//! one form never become the same. A text with words is made of new consonants alone, so that it spells nothing.

use twox_hash::XxHash3_64;

/// What the replacements follow from.
#[derive(Clone, Debug)]
pub(super) struct Key(u64);

impl Key {
    pub(super) fn new(seed: &str) -> Self {
        Self(XxHash3_64::oneshot(seed.as_bytes()))
    }

    /// Numbers that follow from the key and these bytes.
    pub(super) fn numbers(&self, purpose: u8, bytes: &[u8]) -> Numbers {
        Numbers(XxHash3_64::oneshot_with_seed(self.0 ^ u64::from(purpose).wrapping_mul(0x9E37_79B9_7F4A_7C15), bytes))
    }
}

/// A sequence of numbers (splitmix64).
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: u32) -> u32 {
        (self.next() % u64::from(most)) as u32
    }
}

const CONSONANTS: [char; 20] =
    ['b', 'c', 'd', 'f', 'g', 'h', 'j', 'k', 'l', 'm', 'n', 'p', 'q', 'r', 's', 't', 'v', 'w', 'x', 'z'];

/// Those that begin no literal.
const INERT: [char; 17] = ['b', 'c', 'd', 'g', 'h', 'j', 'k', 'l', 'm', 'p', 'q', 'r', 's', 'v', 'w', 'x', 'z'];

/// The letters that may stand in place of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Lower,
    Upper,
    Digit,
    /// 1 to 9: in numbers, where a zero says how many digits they have.
    NonZero,
    /// `a` to `f`, in words of hexadecimal digits.
    Hex,
    /// In ranges that are damaged, where a letter could begin a literal or an exponent.
    TornLower,
    TornUpper,
    /// Of two bytes in UTF-8: Cyrillic.
    TwoLower,
    TwoUpper,
    /// Of three bytes: CJK ideographs.
    Three,
    /// Of four bytes: CJK ideographs of plane 2.
    Four,
}

impl Class {
    /// The class of a letter or digit; `None` for what is neither.
    pub(super) fn of(letter: char) -> Option<Self> {
        match letter {
            'a'..='z' => Some(Self::Lower),
            'A'..='Z' => Some(Self::Upper),
            '0'..='9' => Some(Self::Digit),
            _ if letter.is_ascii() || !letter.is_alphanumeric() => None,
            _ => Some(match letter.len_utf8() {
                2 if letter.is_uppercase() => Self::TwoUpper,
                2 => Self::TwoLower,
                3 => Self::Three,
                _ => Self::Four,
            }),
        }
    }

    /// Whether letters of the class make words.
    pub(super) const fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::TornLower | Self::TornUpper)
    }

    /// The first letter and the number of letters, where they follow each other.
    const fn range(self) -> (u32, u32) {
        match self {
            Self::Lower | Self::TornLower => ('a' as u32, 26),
            Self::Upper | Self::TornUpper => ('A' as u32, 26),
            Self::Digit => ('0' as u32, 10),
            Self::NonZero => ('1' as u32, 9),
            Self::Hex => ('a' as u32, 6),
            Self::TwoLower => (0x430, 32),
            Self::TwoUpper => (0x410, 32),
            Self::Three => (0x4E00, 20_000),
            Self::Four => (0x2_0000, 40_000),
        }
    }

    /// A letter that is drawn.
    fn draw(self, numbers: &mut Numbers) -> char {
        match self {
            Self::Lower => CONSONANTS[numbers.below(20) as usize],
            Self::Upper => CONSONANTS[numbers.below(20) as usize].to_ascii_uppercase(),
            Self::TornLower => INERT[numbers.below(17) as usize],
            Self::TornUpper => INERT[numbers.below(17) as usize].to_ascii_uppercase(),
            _ => {
                let (first, count) = self.range();
                char::from_u32(first + numbers.below(count)).unwrap_or('x')
            }
        }
    }
}

/// One letter that is to be replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    pub(super) letter: char,
    pub(super) class: Class,
    /// Where it is; not looked at here.
    pub(super) place: usize,
}

/// The most letters of a text that is permuted.
const SHORT: usize = 48;

/// From so many letters on, a run of them is a word.
const WORD: usize = 4;

/// Replaces all letters; `again` counts the attempts for one text.
pub(super) fn replace(key: &Key, letters: &mut [Letter], again: u32) {
    let is_word = |run: &[Letter]| run.len() >= WORD && run[0].class.is_letter();
    let follows =
        |one: &Letter, next: &Letter| one.class.is_letter() == next.class.is_letter() && one.place + 1 == next.place;
    let is_drawn =
        |letter: &Letter| !letter.letter.is_ascii() || matches!(letter.class, Class::TornLower | Class::TornUpper);
    if letters.len() > SHORT || letters.iter().any(is_drawn) || letters.chunk_by(follows).any(is_word) {
        return draw(key, letters, again);
    }
    for _ in 0..=again {
        permute(key, letters);
    }
}

fn draw(key: &Key, letters: &mut [Letter], again: u32) {
    let mut text: String = letters.iter().map(|letter| letter.letter).collect();
    text.extend(char::from_u32(again));
    let mut numbers = key.numbers(1, text.as_bytes());
    letters.iter_mut().for_each(|letter| letter.letter = letter.class.draw(&mut numbers));
}

/// Permutes the texts of one form: a Feistel network over the letters at even and at odd places.
fn permute(key: &Key, letters: &mut [Letter]) {
    let form: Vec<u8> = letters.iter().map(|letter| letter.class as u8).collect();
    for round in 0..6 {
        let half = round % 2;
        let others = letters.iter().skip(1 - half).step_by(2).map(|letter| letter.letter as u8);
        let known: Vec<u8> = form.iter().copied().chain([round as u8]).chain(others).collect();
        let mut numbers = key.numbers(2, &known);
        for letter in letters.iter_mut().skip(half).step_by(2) {
            let (first, count) = letter.class.range();
            let at = (letter.letter as u32 - first + numbers.below(count)) % count;
            letter.letter = char::from_u32(first + at).unwrap_or('x');
        }
    }
}
