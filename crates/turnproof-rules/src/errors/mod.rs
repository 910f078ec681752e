//! The *errors* that people paste: what hosts and clients say, and the page of each.
//!
//! An error that belongs to a rule is in the front matter of the rule's page. Each other one is in that of a page in
//! `errors/`. A text is a template: `{n}` is a number, and any other word in braces is something that differs.

use std::fmt;

mod page;
mod path;
mod search;
mod words;

pub use page::{ErrorPage, PAGES, page};
pub use path::{ErrorPath, call_in, path_in};
pub use search::{Answer, Found, Near, look_up};

use crate::rules::{Basis, CATALOGUE, Rule, Sayer, meaning};

use words::{Piece, pieces};

/// A text that somebody gives as an error.
#[derive(Debug)]
pub struct ErrorText {
    /// Who gives it.
    pub said: &'static [Said],
    /// The text, with placeholders.
    pub text: &'static str,
    /// Its words.
    pieces: Vec<Piece>,
}

/// That somebody gives an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Said {
    /// Who.
    pub by: Sayer,
    /// How that is known.
    pub known: Basis,
    /// When it was seen: a year, with or without a month.
    pub date: Option<&'static str>,
}

impl ErrorText {
    /// Reads a line of a list: `anthropic recorded 2026-05, vertex reported: "…"`.
    pub(crate) fn read(line: &'static str) -> Result<Self, String> {
        let form = || "it is not `who how when: \"text\"`".to_owned();
        let (key, text) = line.split_once(": \"").ok_or_else(form)?;
        let text: String = serde_json::from_str(&format!("\"{text}")).map_err(|error| error.to_string())?;
        let said: Vec<Said> = key.split(", ").map(Said::read).collect::<Option<_>>().ok_or_else(form)?;
        let pieces = pieces(&text);
        if !pieces.iter().any(|piece| matches!(piece, Piece::Word(_))) {
            return Err("a text has words".to_owned());
        }
        Ok(Self { said: said.leak(), text: text.leak(), pieces })
    }
}

impl Said {
    fn read(text: &'static str) -> Option<Self> {
        let mut words = text.split(' ');
        let (by, known) = (meaning(words.next()?)?, meaning(words.next()?)?);
        let date = words.next();
        let is_date = |date: &str| date.len() >= 4 && date.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        (date.is_none_or(is_date) && words.next().is_none()).then_some(Self { by, known, date })
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { by, known, date } = self;
        let who = match by {
            Sayer::Anthropic => "api.anthropic.com",
            Sayer::BedrockConverse => "Bedrock Converse",
            Sayer::BedrockInvoke => "Bedrock InvokeModel",
            Sayer::Vertex => "Vertex",
            Sayer::Client => "the client",
        };
        let date = date.map(|date| format!(" {date}")).unwrap_or_default();
        write!(f, "{who} ({}{date})", known.name())
    }
}

/// The page that an error is on.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// The page of a rule.
    Rule(&'static Rule),
    /// A page of its own.
    Page(&'static ErrorPage),
}

impl Origin {
    /// What `turnproof explain` takes.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.id,
            Self::Page(page) => page.id,
        }
    }

    /// The rule that must hold, or what the error means, in one line.
    pub fn title(self) -> &'static str {
        match self {
            Self::Rule(rule) => rule.title,
            Self::Page(page) => page.title,
        }
    }
}

/// Every error with its page: those of rules in the order of the catalogue, then those on pages of their own.
pub fn all() -> impl Iterator<Item = (Origin, &'static ErrorText)> {
    let of_rules = CATALOGUE.iter().flat_map(|rule| rule.errors.iter().map(|error| (Origin::Rule(rule), error)));
    let others = PAGES.iter().flat_map(|page| page.errors.iter().map(|error| (Origin::Page(page), error)));
    of_rules.chain(others)
}

/// The rules that share the errors on a page.
pub fn sharing(origin: Origin) -> impl Iterator<Item = &'static Rule> {
    CATALOGUE.iter().copied().filter(move |rule| rule.errors_of.contains(&origin.id()))
}
