//! *Text* as JSON strings hold it, with escapes and letters beyond ASCII as often as real
//! sessions have them: of 1,000 bytes about 12 line ends, 6 quotes and 9 bytes of such letters.

/// A generator of numbers (SplitMix64): small, fast, the same everywhere.
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// True once in `times`.
    pub(super) fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// A version 4 uuid.
    pub(super) fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        format!(
            "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xFFFF,
            high & 0xFFF,
            low >> 48 & 0x3FFF | 0x8000,
            low & 0xFFFF_FFFF_FFFF
        )
    }

    /// Letters and digits, as in ids and signatures.
    pub(super) fn letters(&mut self, count: usize) -> String {
        const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        (0..count).map(|_| char::from(LETTERS[self.below(62) as usize])).collect()
    }

    fn pick<'a>(&mut self, pool: &[&'a str]) -> &'a str {
        pool[self.below(pool.len() as u64) as usize]
    }
}

const PROSE: &[&str] = &[
    "the valve opens when the pressure falls, ",
    "so the test must wait for the pump to stop. ",
    "I will read the module first and then change one thing. ",
    "it fails on the second run only; ",
    "see `src/valve.rs`, where the limit is set twice. ",
    "that is a naïve reading — the café’s menu proves it. ",
    "the name \\\"idle\\\" is used for two states. ",
    "\\n\\n1. move the check up\\n2. delete the old path\\n\\n",
    "every caller passes the same value, so the parameter can go, ",
];

const CODE: &[&str] = &[
    "    let pressure = valve.pressure().unwrap_or_default();\\n",
    "    assert_eq!(pump.state(), State::Idle, \\\"pump should rest\\\");\\n",
    "fn opens_when_the_pressure_falls() {\\n",
    "}\\n\\n",
    "   142→    for stroke in engine.strokes().filter(|stroke| stroke.is_power()) {\\n",
    "\\t\\tif (pressure > limit) { return \\\"too high\\\"; }\\n",
    "test valve::tests::opens_when_the_pressure_falls ... ok\\n",
    "warning: unused variable: `stroke` --> crates/turnproof-reference/src/engine/stroke.rs:88:13\\n",
    "// the limit comes from the data sheet of the maker, page 12, and holds for all sizes of piston\\n",
    "  name = \\\"engine\\\", version 0.3.1, edition 2024, published never\\n",
    "    const message = `écart de ${delta} µm`; // façade\\n",
    "/home/ada/work/engine/target/debug/deps/engine-5a1c2e7d90b3f846.d: src/lib.rs src/valve.rs src/piston.rs\\n",
];

/// Sentences of `least` to about `most` bytes.
pub(super) fn prose(random: &mut Random, least: u64, most: u64) -> String {
    fill(random, PROSE, least, most)
}

/// Program text and tool output of `least` to about `most` bytes, short ones more often.
pub(super) fn code(random: &mut Random, least: u64, most: u64) -> String {
    let most = least + 1 + random.below(most - least);
    fill(random, CODE, least, most)
}

fn fill(random: &mut Random, pool: &[&str], least: u64, most: u64) -> String {
    let size = (least + random.below(most - least)) as usize;
    let mut text = String::with_capacity(size + 128);
    while text.len() < size {
        text.push_str(random.pick(pool));
    }
    text
}
