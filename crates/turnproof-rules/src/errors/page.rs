//! The *pages of errors* that belong to no rule: what an error means, where to look and what to do.

use std::sync::LazyLock;

use super::ErrorText;
use crate::rules::{Front, PageError, unwrapped};

/// A page of errors that belong to no rule.
#[derive(Debug)]
pub struct ErrorPage {
    /// `error/name`; the page is `errors/name.md`.
    pub id: &'static str,
    /// What happened, one sentence without a full stop.
    pub title: &'static str,
    /// What it means, and when it happens.
    pub doc: &'static str,
    /// Where to look.
    pub place: &'static str,
    /// What to do.
    pub remedy: &'static str,
    /// Where it comes from.
    pub sources: &'static [&'static str],
    /// What is said.
    pub errors: &'static [ErrorText],
}

/// The names of all pages, each with the text of its file.
macro_rules! files {
    ($($name:literal)+) => {
        &[$((
            concat!("error/", $name),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/errors/", $name, ".md")),
        ),)+]
    };
}

/// Each page: its id and its text. Pages about the request are first.
const FILES: &[(&str, &str)] = files! {
    "thinking-changed" "thinking-bound" "too-long" "too-many-output-tokens" "file-format" "file-without-header"
    "too-many-pages" "invalid-json" "not-for-this-model" "all-tools-deferred" "tool-not-provided" "advisor-result"
    "converse-result-empty" "malformed-for-invoke" "content-filter" "authentication" "permission" "credit"
    "model-not-found" "rate-limit" "overloaded" "server-error" "timeout" "connection" "no-conversation"
};

/// Every page of errors that belong to no rule.
///
/// # Panics
/// When a page is not as it has to be; what is wrong is said with its file and line.
pub static PAGES: LazyLock<Vec<ErrorPage>> = LazyLock::new(|| {
    let read = |&(id, text): &(&'static str, &'static str)| ErrorPage::read(id, text);
    FILES.iter().map(|file| read(file).unwrap_or_else(|error| panic!("{error}"))).collect()
});

/// The page with this id.
pub fn page(id: &str) -> Option<&'static ErrorPage> {
    PAGES.iter().find(|page| page.id == id)
}

impl ErrorPage {
    /// Reads a page.
    ///
    /// # Errors
    /// A page that lacks a part, or has a key that nobody reads.
    pub fn read(id: &'static str, text: &'static str) -> Result<Self, PageError> {
        let name = id.trim_start_matches("error/");
        let (mut front, text) = Front::read(format!("errors/{name}"), text)?;
        let part = |text: &'static str, mark: &str| text.split_once(mark).ok_or_else(|| front.missing(mark.trim()));
        let (title, rest) = part(text.trim_start_matches('\n'), "\n")?;
        let (doc, rest) = part(rest, "\n## Where to look\n")?;
        let (place, rest) = part(rest, "\n## Remedy\n")?;
        let (remedy, sources) = part(rest, "\n## Sources\n")?;
        let sources: Vec<&'static str> = sources.lines().filter_map(|line| line.strip_prefix("- ")).collect();
        let errors = front.errors()?;
        if errors.is_empty() {
            return Err(front.missing("errors"));
        }
        front.end()?;
        Ok(Self {
            id,
            title: title.trim_start_matches("# "),
            doc: unwrapped(doc).leak(),
            place: unwrapped(place).leak(),
            remedy: unwrapped(remedy).leak(),
            sources: sources.leak(),
            errors,
        })
    }
}
