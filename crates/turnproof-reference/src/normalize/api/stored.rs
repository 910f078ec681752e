//! A request *as stored* is what a client sends that repairs nothing: the stages that put wrong content right are left
//! out. When it is legal, every host takes the conversation as its file has it.

use crate::message::{Block, Event, Typed};

use super::draft::{Draft, Part, Role, Turn};
use super::ids::Paired;
use super::listed::Media;
use super::tidy_blocks::{self, Tidied};
use super::trace::Notes;
use super::{Options, Pass, STAGES, Stage, Surroundings};
use super::{merge, prepend_context, regroup_replies, run_stages, server_tools};

/// The request that a client without the stages that repair would send: legal for a host only if the messages are.
/// Turns may be without blocks.
pub fn as_stored(messages: &[Event]) -> Vec<Turn<'_>> {
    let stages = STAGES.iter().filter(|stage| !stage.repairs);
    of_stages(messages, stages).into_iter().map(Turn::from).collect()
}

/// The media of each message that are sent; `None` when nothing of it is sent.
pub(crate) fn sent(messages: &[Event]) -> Vec<Option<Media>> {
    let later = [regroup_replies::STAGE.name, merge::STAGE.name, prepend_context::STAGE.name];
    let stages = STAGES.iter().filter(|stage| !stage.repairs && !later.contains(&stage.name));
    let mut sent = vec![None; messages.len()];
    for draft in of_stages(messages, stages) {
        let Some(source) = draft.source else { continue };
        let media = draft.parts.iter().filter_map(Part::block).map(Media::of).fold(Media::NONE, Media::or);
        let before = sent[source as usize].unwrap_or(Media::NONE);
        sent[source as usize] = Some(before.or(media));
    }
    sent
}

fn of_stages<'a, 's>(messages: &'a [Event], stages: impl Iterator<Item = &'s Stage>) -> Vec<Draft<'a>> {
    let (options, mut paired) = (Options::default(), Paired::default());
    run_stages(messages, stages, &mut pass(&options, &mut paired))
}

fn pass<'o>(options: &'o Options, paired: &'o mut Paired) -> Pass<'o> {
    Pass { options, paired, surroundings: Surroundings::default(), notes: Notes::new(false) }
}

/// What a block has to become before a request may carry it.
pub(crate) enum Fixed {
    /// It may stay as it is.
    AsItIs,
    /// Its JSON, and what was done to it.
    Changed(String, String),
    /// It is dropped, and why.
    Gone(String),
}

/// What becomes of a block in a message of this role.
pub(crate) fn fixed(role: Role, block: &Block) -> Fixed {
    match tidy_blocks::tidy(role, &Part::of_block(0, block), None) {
        Tidied::AsItIs => Fixed::AsItIs,
        Tidied::Changed(block, how) => Fixed::Changed(block.to_json(), how.join(", ")),
        Tidied::Gone(why) => Fixed::Gone(why),
    }
}

/// For each part of an assistant's turn, whether it stays when calls of server tools without result go, and results
/// without call.
pub(crate) fn without_halves_of_server_tools(turn: &Turn<'_>) -> Vec<bool> {
    let (options, mut paired) = (Options::default(), Paired::default());
    let draft = Draft::made_up(Role::Assistant, turn.content.clone());
    server_tools::stays(&draft, &mut pass(&options, &mut paired))
}
