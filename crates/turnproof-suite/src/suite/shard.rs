//! A *shard* is one of n equal parts of a run.

use std::fmt;
use std::str::FromStr;

/// Part `index` of `count`, counted from 1 and written `1/2`. The cases of all parts together are
/// those of the whole, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The whole run.
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// The part of a run of `case` + 1 cases that holds this case alone: each n-th case is in a part, so the last of n
    /// parts of n cases holds the last case.
    pub const fn of_case(case: u64) -> Self {
        let count = case.saturating_add(1);
        Self { index: count, count }
    }

    /// How many parts the run has.
    pub(super) const fn count(self) -> u64 {
        self.count
    }

    /// Whether a case belongs to the part.
    pub fn has(self, case: u64) -> bool {
        case % self.count == self.index - 1
    }

    /// How many of the first `cases` cases belong to the part.
    pub fn share_of(self, cases: u64) -> u64 {
        cases / self.count + u64::from(cases % self.count >= self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(index, count)| {
            let (index, count) = (index.parse().ok()?, count.parse().ok()?);
            (1..=count).contains(&index).then_some(Self { index, count })
        });
        parts.ok_or_else(|| format!("`{text}` is no part of a run; write 1/4 for the first of four"))
    }
}
