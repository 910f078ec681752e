//! A *reply* while its lines come: a few numbers, whatever it said.

use super::line::{Tokens, UsageLine};

/// What is kept of a reply. Lines of one file come one after the other, and files too.
#[derive(Clone, Debug)]
pub(super) struct Reply {
    /// The session of its head: its first line that is no copy, else its first line.
    pub(super) session: u32,
    /// The model of its head.
    pub(super) model: u32,
    /// Whether its head is a copy.
    has_copied_head: bool,
    /// Whether all its lines are of a subagent.
    pub(super) is_sidechain: bool,
    /// The file of its last line.
    file: u32,
    /// What the lines of that file say.
    here: Tokens,
    here_estimated: u64,
    /// The greatest numbers of the files before.
    before: Tokens,
    before_estimated: u64,
}

impl Reply {
    /// A reply whose first line this is. Session and model are numbers that stand for names.
    pub(super) fn begun_by(line: &UsageLine<'_>, file: u32, session: u32, model: u32) -> Self {
        Self {
            session,
            model,
            has_copied_head: line.is_copy,
            is_sidechain: true,
            file,
            here: Tokens::default(),
            here_estimated: 0,
            before: Tokens::default(),
            before_estimated: 0,
        }
    }

    /// Takes the next line; `estimated` is about how many tokens it has.
    pub(super) fn take(&mut self, line: &UsageLine<'_>, file: u32, [session, model]: [u32; 2], estimated: u64) {
        if self.has_copied_head && !line.is_copy {
            (self.has_copied_head, self.session, self.model) = (false, session, model);
        }
        self.is_sidechain &= line.is_sidechain;
        if self.file != file {
            self.before = self.tokens();
            self.before_estimated = self.estimated();
            (self.file, self.here, self.here_estimated) = (file, Tokens::default(), 0);
        }
        // Totals take the place of earlier ones.
        self.here = std::array::from_fn(|sort| line.tokens[sort].or(self.here[sort]));
        self.here_estimated = self.here_estimated.saturating_add(estimated);
    }

    /// The tokens that it cost.
    pub(super) fn tokens(&self) -> Tokens {
        std::array::from_fn(|sort| self.here[sort].max(self.before[sort]))
    }

    /// About how many tokens it wrote.
    pub(super) fn estimated(&self) -> u64 {
        self.here_estimated.max(self.before_estimated)
    }

    /// Whether no line said what it cost.
    pub(super) fn is_unknown(&self) -> bool {
        self.tokens().iter().all(Option::is_none)
    }
}
