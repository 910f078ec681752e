//! *Exit codes*, the same for every command.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Exit {
    /// All rules held, or nothing was judged.
    Held = 0,
    /// A rule is broken.
    Broken = 1,
    /// The call is wrong, or an input cannot be read.
    Usage = 2,
    /// Nothing ran.
    Nothing = 4,
    /// An error in turnproof itself.
    Internal = 70,
}

/// The exit codes, for `--help`.
pub(super) const HELP: &str = "\
Exit codes:
   0  every rule held (or whoever read the output closed it)
   1  a rule is broken, or generated cases lack what they must hold
   2  the call is wrong, or an input cannot be read
   3  a subject could not be judged: it only crashed
   4  nothing ran
  70  an error in turnproof itself";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
