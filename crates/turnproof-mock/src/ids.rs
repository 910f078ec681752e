//! *Ids* in the forms that hosts give them. Each is made of a seed, of what it is for and of a number, and of nothing
//! else.

/// The characters of ids: digits and letters that cannot be taken for another.
const LETTERS: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Makes the ids of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ids {
    /// The seed of the run.
    pub(crate) seed: u64,
}

impl Ids {
    /// The id of a request.
    pub(crate) fn request(self, number: u64) -> String {
        format!("req_011C{}", self.letters(1, number, 0, 20))
    }

    /// The id of a message.
    pub(crate) fn message(self, number: u64) -> String {
        format!("msg_01{}", self.letters(2, number, 0, 22))
    }

    /// The id of a call of the client's tools.
    pub(crate) fn call(self, number: u64, block: u64) -> String {
        format!("toolu_01{}", self.letters(3, number, block, 22))
    }

    /// The id of a call of the host's tools.
    pub(crate) fn server_call(self, number: u64, block: u64) -> String {
        format!("srvtoolu_01{}", self.letters(4, number, block, 22))
    }

    /// The id of a call of a tool of an MCP server.
    pub(crate) fn mcp_call(self, number: u64, block: u64) -> String {
        format!("mcptoolu_01{}", self.letters(5, number, block, 22))
    }

    /// The id of a batch.
    pub(crate) fn batch(self, number: u64) -> String {
        format!("msgbatch_01{}", self.letters(6, number, 0, 22))
    }

    /// The signature of a thinking block: base64 that begins as those of the API do.
    pub(crate) fn signature(self, number: u64, block: u64) -> String {
        format!("EqQB{}", self.letters(7, number, block, 124))
    }

    fn letters(self, what: u64, number: u64, block: u64, count: usize) -> String {
        let mut state = self.seed ^ mixed(what << 56 ^ block << 40 ^ number);
        let letter = |_| {
            state = mixed(state);
            char::from(LETTERS[(state % LETTERS.len() as u64) as usize])
        };
        (0..count).map(letter).collect()
    }
}

/// The next state of a counter whose bits are well mixed (SplitMix64).
const fn mixed(state: u64) -> u64 {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let first = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let second = (first ^ first >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    second ^ second >> 31
}
