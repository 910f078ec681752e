//! A *token* is a JSON string as it is written, with its quotes: it may have half of a surrogate pair in it.

/// A text as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token(String);

impl Token {
    /// A text.
    pub(crate) fn of(text: &str) -> Self {
        Self(serde_json::Value::from(text).to_string())
    }

    /// A text as it is written in JSON; `None` for what is no JSON string.
    pub(crate) fn written(token: &str) -> Option<Self> {
        let is_string = token.len() >= 2 && serde_json::from_str::<&serde_json::value::RawValue>(token).is_ok();
        (is_string && token.starts_with('"')).then(|| Self(token.to_owned()))
    }

    /// It with half of a surrogate pair behind it.
    pub(crate) fn with_half_a_pair(&self) -> Self {
        Self(format!("\"{}\\ud83d\"", self.inside()))
    }

    /// What is between the quotes.
    pub(crate) fn inside(&self) -> &str {
        &self.0[1..self.0.len() - 1]
    }

    /// It as it is written.
    pub(crate) fn as_json(&self) -> &str {
        &self.0
    }

    /// It in equal pieces, at most so many, cut between characters and escapes. An empty text has none.
    pub(crate) fn pieces(&self, most: usize) -> Vec<Self> {
        let inside = self.inside();
        let starts: Vec<usize> = units(inside).collect();
        if starts.is_empty() {
            return Vec::new();
        }
        let length = starts.len().div_ceil(most.max(1));
        let cuts: Vec<usize> = starts.into_iter().step_by(length).chain([inside.len()]).collect();
        cuts.windows(2).map(|ends| Self(format!("\"{}\"", &inside[ends[0]..ends[1]]))).collect()
    }
}

/// Where the characters and escapes of the inside of a JSON string begin.
fn units(inside: &str) -> impl Iterator<Item = usize> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let (at, rest) = (next, inside.get(next..)?);
        next += match rest.as_bytes() {
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => rest.chars().next()?.len_utf8(),
        };
        Some(at)
    })
}
