//! The *front matter* of a page: what programs read of it, a `key: value` on each line between two lines `---`.
//!
//! The value of `errors` is a list. Each of its lines begins with `  - ` and is a key and a text in quotes, as JSON and
//! YAML have them.

use crate::errors::ErrorText;

/// What is wrong with the page of a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{page}.md:{line}: {what}")]
pub struct PageError {
    /// The page, in the folder of the crate: `rules/wire/utf8`.
    pub page: String,
    /// The line of the page, from 1.
    pub line: usize,
    /// What is wrong there.
    pub what: String,
}

/// A value that is one of a few words.
pub(crate) trait Word: Copy + 'static {
    /// The words, each with what it means.
    const WORDS: &'static [(&'static str, Self)];
}

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])+ $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[doc = $doc])+ $variant,)+ }

        impl $name {
            /// The word on the page of a rule, and in reports.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl Word for $name {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant),)+];
        }
    };
}

words! {
    /// How bad it is that a rule is broken.
    #[derive(serde::Serialize)]
    #[serde(rename_all = "lowercase")]
    Severity {
        /// Worth knowing, but not wrong.
        Info = "info",
        /// A deduction, or something that readers can cope with.
        Warning = "warning",
        /// Something that loses data, or that a reader or the API refuses.
        Error = "error",
    }
}

words! {
    /// Who must keep a rule.
    Audience {
        /// Pipelines that do what SPEC.md says, step by step.
        Pipelines = "pipelines",
        /// Every program that does the operation, also one that knows nothing else of SPEC.md.
        Libraries = "libraries",
        /// Every client of the Messages API (SPEC 10.4.2).
        EveryClient = "every client",
    }
}

words! {
    /// The histories of which a rule is asked, as of every client.
    History {
        /// Any history.
        Any = "any",
        /// Histories that are legal as they are.
        Legal = "legal",
        /// Legal histories in which results come in the order of the calls.
        InOrder = "in order",
    }
}

words! {
    /// Which violations are what older clients wrote, and every reader takes.
    Legacy {
        /// Some of them.
        InPart = "in part",
        /// Each of them.
        Always = "always",
    }
}

words! {
    /// What a legal history suffered when a library breaks a rule.
    Harm {
        /// It was refused.
        Refused = "refused",
        /// The request breaks a rule that the API enforces.
        MadeIllegal = "made illegal",
        /// Something that was said is lost.
        Lost = "lost",
        /// Something is lost, unless it is there in another form.
        LostOrChanged = "lost or changed",
        /// All that was said is there, in another form or order.
        Changed = "changed",
    }
}

words! {
    /// What a repair does about violations in a file.
    Repair {
        /// It repairs some of them.
        May = "may",
        /// It leaves none.
        Must = "must",
    }
}

words! {
    /// The list in which a place such as `messages.3` counts.
    CountedIn {
        /// What the subject made.
        Output = "output",
        /// What it was given.
        Input = "input",
        /// What it made of its own output when it undid a folding.
        Undone = "undone",
        /// What went over a bridge.
        Bridged = "bridged",
        /// Those of them that people see.
        BridgedAndSeen = "bridged and seen",
        /// What went over a bridge of folded messages.
        BridgedOutput = "bridged output",
        /// The answer to the same question, asked for again.
        Again = "again",
    }
}

words! {
    /// Who gives an error.
    Sayer {
        /// api.anthropic.com.
        Anthropic = "anthropic",
        /// Amazon Bedrock, by the Converse API.
        BedrockConverse = "bedrock-converse",
        /// Amazon Bedrock, by InvokeModel.
        BedrockInvoke = "bedrock-invoke",
        /// Google Vertex AI.
        Vertex = "vertex",
        /// The client, or a library in it.
        Client = "client",
    }
}

words! {
    /// How it is known that an error is given.
    Basis {
        /// In a recording of an exchange.
        Recorded = "recorded",
        /// In public documentation, or in published types.
        Documented = "documented",
        /// In a public report of a user.
        Reported = "reported",
        /// From other errors of the same form.
        Inferred = "inferred",
    }
}

/// The value that a word means.
pub(crate) fn meaning<T: Word>(text: &str) -> Option<T> {
    T::WORDS.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning)
}

/// The lines of a front matter that have not been asked for.
pub(crate) struct Front {
    page: String,
    lines: Vec<(usize, &'static str, &'static str)>,
    /// The lines of the list of errors.
    errors: Vec<(usize, &'static str)>,
    /// The line that ends it.
    end: usize,
}

impl Front {
    /// Reads the front matter of a page; gives what follows it, too.
    pub(crate) fn read(name: String, page: &'static str) -> Result<(Self, &'static str), PageError> {
        let error = |line, what: &str| PageError { page: name.clone(), line, what: what.to_owned() };
        let front = page.strip_prefix("---\n").ok_or_else(|| error(1, "the page begins with `---`"))?;
        let (front, text) = front.split_once("\n---\n").ok_or_else(|| error(1, "no `---` ends the front matter"))?;
        let mut lines: Vec<(usize, &str, &str)> = Vec::new();
        let mut errors: Vec<(usize, &str)> = Vec::new();
        let mut in_errors = false;
        for (line, text) in (2..).zip(front.split('\n')) {
            if let Some(text) = text.strip_prefix("  - ").filter(|_| in_errors) {
                errors.push((line, text));
                continue;
            }
            in_errors = text == "errors:" && errors.is_empty();
            if in_errors {
                continue;
            }
            let (key, value) = text.split_once(": ").ok_or_else(|| error(line, "it is not `key: value`"))?;
            // Readers of YAML, such as GitHub, take these for something else.
            if value.contains(": ") || value.contains(" #") || value.starts_with(|c: char| !c.is_ascii_alphanumeric()) {
                return Err(error(line, "readers of YAML need quotes here"));
            }
            if lines.iter().any(|(_, other, _)| *other == key) {
                return Err(error(line, &format!("`{key}` is there already")));
            }
            lines.push((line, key, value));
        }
        let end = front.split('\n').count() + 2;
        Ok((Self { page: name, end, lines, errors }, text))
    }

    fn error(&self, line: usize, what: String) -> PageError {
        PageError { page: self.page.clone(), line, what }
    }

    fn take(&mut self, key: &str) -> Option<(usize, &'static str)> {
        let at = self.lines.iter().position(|(_, other, _)| *other == key)?;
        let (line, _, value) = self.lines.remove(at);
        Some((line, value))
    }

    /// The text of a key.
    pub(crate) fn text(&mut self, key: &str) -> Option<&'static str> {
        self.take(key).map(|(_, value)| value)
    }

    /// The ids of a key, with commas between; none without the key.
    pub(crate) fn ids(&mut self, key: &str) -> &'static [&'static str] {
        self.text(key).map_or_else(Vec::new, |ids| ids.split(", ").collect()).leak()
    }

    /// The word of a key.
    pub(crate) fn word<T: Word>(&mut self, key: &str) -> Result<Option<T>, PageError> {
        let Some((line, value)) = self.take(key) else { return Ok(None) };
        match meaning(value) {
            Some(meaning) => Ok(Some(meaning)),
            None => {
                let words: Vec<&str> = T::WORDS.iter().map(|(word, _)| *word).collect();
                Err(self.error(line, format!("`{key}` is one of: {}", words.join(", "))))
            }
        }
    }

    /// The list of errors; empty where there is none.
    pub(crate) fn errors(&mut self) -> Result<&'static [ErrorText], PageError> {
        let errors = std::mem::take(&mut self.errors).into_iter();
        let read = errors.map(|(line, text)| ErrorText::read(text).map_err(|what| self.error(line, what)));
        Ok(read.collect::<Result<Vec<_>, _>>()?.leak())
    }

    /// The number of a key.
    pub(crate) fn number(&mut self, key: &str) -> Result<Option<u8>, PageError> {
        let Some((line, value)) = self.take(key) else { return Ok(None) };
        value.parse().map(Some).map_err(|_| self.error(line, format!("`{key}` is a small number")))
    }

    /// Fails unless the key says `value`.
    pub(crate) fn must_say(&mut self, key: &str, value: &str) -> Result<(), PageError> {
        match self.take(key) {
            Some((_, found)) if found == value => Ok(()),
            Some((line, _)) => Err(self.error(line, format!("`{key}` is `{value}`, by the rule's function"))),
            None => Err(self.missing(key)),
        }
    }

    /// The error of a value that is wrong.
    pub(super) fn wrong(&self, what: &str) -> PageError {
        self.error(self.end, what.to_owned())
    }

    /// The error of a key that is needed.
    pub(crate) fn missing(&self, key: &str) -> PageError {
        self.error(self.end, format!("`{key}` is missing"))
    }

    /// Fails where a line was not asked for.
    pub(crate) fn end(self) -> Result<(), PageError> {
        match self.lines.first() {
            Some((line, key, _)) => Err(self.error(*line, format!("nothing reads `{key}` here"))),
            None => Ok(()),
        }
    }
}
