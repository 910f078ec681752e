//! Sentences for people: a text with named values, put together when somebody reads it. Nothing decides by its words.

use std::fmt::{self, Display, Formatter};

/// A text in which `{name}` is the place of a value. `{name:?}` quotes the value, and `{{` is a brace.
///
/// ```
/// use turnproof_rules::rules::{Sentence, SentenceValue};
///
/// let found = Sentence::new("the parent, on line {line}, is {kind:?}", vec![("line", 4_u64.into()), ("kind", "progress".into())]);
/// assert_eq!(found.to_string(), r#"the parent, on line 4, is "progress""#);
/// assert_eq!(found.values()[0], ("line", SentenceValue::Number(4)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence {
    template: &'static str,
    values: Vec<(&'static str, SentenceValue)>,
}

/// A value of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum SentenceValue {
    /// A number: a count, a line, an index.
    Number(u64),
    /// A text: an id, a name, JSON, or words of the subject.
    Text(String),
}

impl Sentence {
    /// A sentence of a template and the values that it names.
    pub fn new(template: &'static str, values: Vec<(&'static str, SentenceValue)>) -> Self {
        Self { template, values }
    }

    /// The text without its values.
    pub fn template(&self) -> &'static str {
        self.template
    }

    /// The values by name, in the order of the template.
    pub fn values(&self) -> &[(&'static str, SentenceValue)] {
        &self.values
    }

    fn value(&self, name: &str) -> Option<&SentenceValue> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// A sentence without values.
impl From<&'static str> for Sentence {
    fn from(template: &'static str) -> Self {
        Self { template, values: Vec::new() }
    }
}

impl Display for Sentence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // A text without values is no template: its braces are braces.
        if self.values.is_empty() {
            return f.write_str(self.template);
        }
        let mut rest = self.template;
        while let Some(at) = rest.find(['{', '}']) {
            f.write_str(&rest[..at])?;
            let brace = &rest[at..=at];
            rest = &rest[at + 1..];
            if rest.starts_with(brace) {
                f.write_str(brace)?;
                rest = &rest[1..];
                continue;
            }
            let Some((name, after)) = rest.split_once('}') else { break };
            rest = after;
            match name.strip_suffix(":?") {
                Some(name) => self.value(name).map_or(Ok(()), |value| write!(f, "{value:?}", value = Quoted(value)))?,
                None => self.value(name).map_or(Ok(()), |value| write!(f, "{value}"))?,
            }
        }
        f.write_str(rest)
    }
}

impl Display for SentenceValue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// A value as Rust quotes it.
struct Quoted<'a>(&'a SentenceValue);

impl fmt::Debug for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            SentenceValue::Number(number) => write!(f, "{number}"),
            SentenceValue::Text(text) => write!(f, "{text:?}"),
        }
    }
}

macro_rules! from_numbers {
    ($($number:ty)*) => {$(
        impl From<$number> for SentenceValue {
            fn from(number: $number) -> Self {
                Self::Number(number as u64)
            }
        }

        impl From<&$number> for SentenceValue {
            fn from(number: &$number) -> Self {
                Self::from(*number)
            }
        }

        impl From<&&$number> for SentenceValue {
            fn from(number: &&$number) -> Self {
                Self::from(**number)
            }
        }
    )*};
}

from_numbers!(u8 u16 u32 u64 usize);

impl From<String> for SentenceValue {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for SentenceValue {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&str> for SentenceValue {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<&&str> for SentenceValue {
    fn from(text: &&str) -> Self {
        Self::from(*text)
    }
}

impl From<&&&str> for SentenceValue {
    fn from(text: &&&str) -> Self {
        Self::from(**text)
    }
}

impl From<&&String> for SentenceValue {
    fn from(text: &&String) -> Self {
        Self::from(*text)
    }
}

/// A sentence within a sentence.
impl From<Sentence> for SentenceValue {
    fn from(sentence: Sentence) -> Self {
        Self::Text(sentence.to_string())
    }
}

impl From<&Sentence> for SentenceValue {
    fn from(sentence: &Sentence) -> Self {
        Self::Text(sentence.to_string())
    }
}

/// `sentence!("{count} records of session {session}", count, session = own.name())`: a [`Sentence`]. That the template
/// names each value, and no other, is checked when it is compiled.
macro_rules! sentence {
    ($template:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        $(let $name = $crate::rules::SentenceValue::from(sentence!(@value $name $($value)?));)*
        if false {
            let _ = format_args!($template $(, $name = $name)*);
        }
        $crate::rules::Sentence::new($template, vec![$((stringify!($name), $name)),*])
    }};
    (@value $name:ident) => { &$name };
    (@value $name:ident $value:expr) => { $value };
}

pub(crate) use sentence;
