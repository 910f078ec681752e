//! What people *ask* a repair for, beyond what is wrong: to give something up, to go on with another branch, to make a
//! session one of another id or folder. Each change says the option that asks for it.

mod dropped;
mod identity;
mod results;
mod taken;

use std::str::FromStr;

use super::RepairError;
use super::file::File;

/// What is asked of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Blocks of the conversation become texts that say what was there.
    Drop(Dropped),
    /// Texts of results of the conversation are at most so many bytes.
    ShrinkResults(usize),
    /// The branch with the record of this line becomes the end of the conversation.
    Take(u64),
    /// Each record that names a session names this one.
    OneSessionId(String),
    /// Each record that names the directory of the first one, or one below it, names this one instead.
    MoveTo(String),
}

/// Which blocks become texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// Images and documents.
    Media,
    /// Thinking.
    Thinking,
    /// Calls of server tools and their results: of one tool, or of all.
    ServerTools(Option<String>),
    /// References to tools: to one tool, or to all.
    References(Option<String>),
}

impl FromStr for Dropped {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, name) = match text.split_once('=') {
            Some((what, name)) => (what, Some(name.to_owned())),
            None => (text, None),
        };
        match (what, &name) {
            ("media", None) => Ok(Self::Media),
            ("thinking", None) => Ok(Self::Thinking),
            ("server-tools", _) => Ok(Self::ServerTools(name)),
            ("references", _) => Ok(Self::References(name)),
            _ => {
                Err("say media, thinking, server-tools or references, the last two with =NAME for one tool".to_owned())
            }
        }
    }
}

/// Does what is asked for, in this order.
pub(super) fn fix(file: &mut File, asked: &[Asked]) -> Result<(), RepairError> {
    for one in asked {
        match one {
            Asked::Drop(dropped) => dropped::fix(file, dropped),
            Asked::ShrinkResults(most) => results::fix(file, *most),
            Asked::Take(line) => taken::fix(file, *line)?,
            Asked::OneSessionId(id) => identity::one_session(file, id),
            Asked::MoveTo(folder) => identity::move_to(file, folder),
        }
    }
    Ok(())
}
