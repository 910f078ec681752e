//! The *words* of a verdict: what follows for who holds the session, and the commands to run next.

use std::fmt;

use turnproof_reference::repair::Refusal;
use turnproof_reference::transcript::resume::NotFound;
use turnproof_rules::rules::{Judge, find};

use super::{Acceptance, ApiError, Class, Lost, Verdict};

impl Verdict {
    /// What follows for who holds the session, a sentence each without a full stop.
    pub fn consequences(&self) -> Vec<String> {
        let mut said = Vec::new();
        let mut say = |is_so: bool, text: &dyn Fn() -> String| said.extend(is_so.then(text));
        let plural = |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let Lost { ranges, bytes, results, parents } = self.lost;
        say(self.foreign.is_some(), &|| self.foreign.map(|foreign| foreign.to_string()).unwrap_or_default());
        let is_session = self.class != Class::NotASession;
        say(!is_session && self.foreign.is_none(), &|| "no record of a session is in it".into());
        say(is_session && self.not_found.is_some(), &|| {
            self.not_found.as_ref().map(ToString::to_string).unwrap_or_default()
        });
        say(self.comes_back > 0, &|| {
            let of = self.agent.as_ref().map(|agent| format!(" of the subagent {agent}")).unwrap_or_default();
            let summarised = self
                .summarised
                .map(|(count, line)| format!(", {} summarised at line {line}", plural(count, "was", "were")));
            let messages = plural(self.messages, "message", "messages");
            let summarised = summarised.unwrap_or_default();
            format!("{} of {messages}{of} come back{summarised}{}", self.comes_back, self.left_in_words())
        });
        say(self.without_bridges < self.comes_back, &|| {
            format!("a reader that stops at the gap shows {}", self.without_bridges)
        });
        if let Acceptance::Refused(refusals) = &self.acceptance {
            refusals.iter().take(1).for_each(|refusal| say(true, &|| format!("the API refuses it: {}", refusal.error)));
        }
        self.doubts.iter().take(1).for_each(|doubt| say(true, &|| format!("the API may refuse it: {}", doubt.error)));
        if let Some(api_error @ ApiError { line, error }) = &self.api_error {
            let refused = match &self.acceptance {
                Acceptance::Refused(refusals) => &refusals[..],
                _ => &self.doubts,
            };
            let words = match refused {
                [] => format!(": {error}; its cause is not in the file"),
                [first, ..] if first.error == *error => String::new(),
                _ => format!(": {error}"),
            };
            let is_legal = self.class == Class::Healthy && self.acceptance == Acceptance::Accepted;
            say(true, &|| match is_legal && refused.is_empty() && api_error.is_of_form() {
                true => format!("line {line}: the API refused it then, and what is sent now is legal"),
                false => format!("line {line}: the API refused this conversation{words}"),
            });
        }
        let fixed = self.fixed_by_client.first().filter(|_| self.acceptance == Acceptance::Accepted && self.open == 0);
        say(fixed.is_some(), &|| {
            let rule = fixed.map_or("", |fixed| fixed.rule);
            format!("a client older than 2.1.332 may be refused for {rule}")
        });
        say(self.open > 0, &|| plural(self.open, "call", "calls") + " at the end without a result");
        say(self.comes_back > 0 && self.acceptance == Acceptance::NotAsked, &|| {
            "it is too large to ask whether the API takes it".into()
        });
        say(self.hidden > 0, &|| {
            let places = plural(self.hidden, "place", "places");
            format!(
                "at {places} NULs, a byte order mark or a second record on a line hide records from readers of lines"
            )
        });
        say(self.circles > 0, &|| {
            let circles = plural(self.circles, "circle", "circles");
            format!("parents run in {circles}, in which some readers do not end")
        });
        say(self.repeated > 0, &|| {
            let messages = plural(self.repeated, "message has", "messages have");
            format!("{messages} a uuid that stands again further down")
        });
        say(self.preserved_missing > 0, &|| {
            let boundaries = plural(self.preserved_missing, "boundary", "boundaries");
            format!("what {boundaries} should preserve cannot be found")
        });
        say(!self.left_out.is_empty(), &|| self.left_out.to_string());
        say(self.carriage_returns > 0, &|| plural(self.carriage_returns, "line ends", "lines end") + " with CR LF");
        let names = || self.broken.keys().copied().collect::<Vec<_>>().join(", ");
        say(self.is_damaged_otherwise(), &|| format!("a repair fixes what breaks {}", names()));
        say(bytes > 0, &|| {
            format!("lost for good: {} in {}", plural(bytes, "byte", "bytes"), plural(ranges, "place", "places"))
        });
        say(results > 0, &|| plural(results, "result was", "results were") + " never written");
        say(parents > 0, &|| plural(parents, "parent was", "parents were") + " never written");
        said
    }

    /// What is on branches that were left.
    fn left_in_words(&self) -> String {
        let Some((count, line)) = self.left else { return String::new() };
        let are = if count == 1 { "is" } else { "are" };
        format!(", {count} {are} on a branch that was left, from line {line} on")
    }

    /// Whether nothing but broken rules tells of damage.
    fn is_damaged_otherwise(&self) -> bool {
        self.class == Class::Damaged && !self.is_visibly_damaged() && self.lost.parents == 0
    }

    /// Whether a repair makes it whole. It does not fix what depends on sizes or on the caller.
    pub fn is_repairable(&self) -> bool {
        let is_of_form = |refusal: &Refusal| {
            find(refusal.rule).is_some_and(|rule| !matches!(rule.judge, Judge::Request { structural: false, .. }))
        };
        match (&self.class, &self.acceptance) {
            (Class::Damaged, _) => true,
            (Class::Unreadable, _) => matches!(self.not_found, Some(NotFound::Nameless { .. })),
            (Class::Refused, Acceptance::Refused(refusals)) => self.is_damaged() || refusals.iter().any(is_of_form),
            _ => false,
        }
    }

    /// The command to run next on a file of this name, where something is wrong with it.
    pub fn command(&self, file: &str) -> Option<String> {
        match self.class.is_broken() {
            true if self.is_repairable() => Some(format!("turnproof repair {}", quoted(file))),
            true => Some(self.explaining(file)),
            false => None,
        }
    }

    /// The command that shows which messages of a file of this name come back.
    pub fn explaining(&self, file: &str) -> String {
        let agent = self.agent.as_ref().map(|agent| format!(" --agent {}", quoted(agent))).unwrap_or_default();
        format!("turnproof resume{agent} --explain {}", quoted(file))
    }
}

/// A name as a shell takes it.
pub fn quoted(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%=~".contains(&byte) || !byte.is_ascii();
    if !name.is_empty() && name.bytes().all(is_plain) && !name.starts_with('~') {
        return name.to_owned();
    }
    format!("'{}'", name.replace('\'', r"'\''"))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class.name(), self.consequences().join("; "))
    }
}
