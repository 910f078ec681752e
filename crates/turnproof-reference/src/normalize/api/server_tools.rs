//! *Server tools* run where the model runs: a call and its result are in the same reply.
//!
//! A call is answered by the first result after it in its turn that has its id and a type that fits its name. A call
//! without a result is dropped, and so is a result without a call. A pair that repeats one of its turn is dropped too;
//! any other pair whose id is used before gets a new one. Compactions and fallbacks have left all three behind, and the
//! API refuses each (issues 56515, 65098 and 95074 of anthropics/claude-code).

use std::collections::{HashMap, VecDeque};

use turnproof_format::{MCP_CALL, MCP_RESULT, SERVER_CALL, SERVER_RESULTS, is_call_id, is_server_call_id, result_of};

use crate::json::Text;
use crate::message::Block;

use super::Pass;
use super::draft::{Draft, Part};
use super::repeated::repeated;
use super::trace::Effect;

/// The type of result that a call takes; `None` for any but [`MCP_RESULT`], since the tool's name is not known.
type Fit = Option<&'static str>;

/// A call or a result of a server tool.
enum Side {
    Call { id: Text, fit: Fit, is_offered: bool },
    Result { id: Text, type_name: &'static str },
}

/// Whether a part belongs to a server tool.
pub(crate) fn is_server_part(part: &Part<'_>) -> bool {
    match part.block() {
        Some(Block::ServerToolUse(_) | Block::ServerToolResult(..)) => true,
        Some(Block::Unknown(name, _)) => name.as_str() == MCP_CALL,
        _ => false,
    }
}

/// Keeps the pairs of a turn, each under an id of its own, and nothing else of server tools; calls that still run stay
/// when they may.
pub(super) fn pair(draft: &mut Draft<'_>, turn: usize, may_stay_open: bool, pass: &mut Pass<'_>) {
    let mut keeps = keeps(draft, turn, may_stay_open, pass).into_iter();
    draft.parts.retain_mut(|part| match keeps.next().unwrap_or(Keep::AsItIs) {
        Keep::AsItIs => true,
        Keep::As(id) => {
            pass.notes.add(part.source, Effect::Changed, || format!("{}: its id is now {id}", part.type_name()));
            part.rename(&id);
            true
        }
        Keep::Not(reason) => {
            pass.notes.dropped(part.source, || reason);
            false
        }
    });
}

/// For each part whether [`pair`] keeps it, under its id or another.
pub(super) fn stays(draft: &Draft<'_>, pass: &mut Pass<'_>) -> Vec<bool> {
    let mut keeps = keeps(draft, 0, false, pass).into_iter();
    draft.parts.iter().map(|_| !matches!(keeps.next(), Some(Keep::Not(_)))).collect()
}

/// What becomes of each part; nothing where none is of a server tool.
fn keeps(draft: &Draft<'_>, turn: usize, may_stay_open: bool, pass: &mut Pass<'_>) -> Vec<Keep> {
    if !draft.parts.iter().any(is_server_part) {
        return Vec::new();
    }
    let sides: Vec<Option<Side>> = draft.parts.iter().map(|part| side(part, pass)).collect();
    let partners = partners(&sides);
    let repeated = repeated(&draft.parts);
    let mut keeps: Vec<Keep> = Vec::with_capacity(sides.len());
    for (index, side) in sides.iter().enumerate() {
        let keep = match (side, partners[index]) {
            (None, _) => Keep::AsItIs,
            (Some(Side::Call { id, fit, is_offered }), partner) => match partner {
                None if !(may_stay_open && *is_offered) => Keep::Not("a call of a server tool without its result"),
                _ if repeated[index] => Keep::Not("a call of a server tool that a line of the same reply holds"),
                _ => kept_call(id, *fit, turn, pass),
            },
            (Some(Side::Result { .. }), Some(call)) => match &keeps[call] {
                Keep::Not(_) => Keep::Not("the result of a call that is dropped"),
                keep => keep.clone(),
            },
            (Some(Side::Result { .. }), None) => Keep::Not("a result of a server tool without its call"),
        };
        keeps.push(keep);
    }
    keeps
}

/// Whether a part stays.
#[derive(Clone)]
enum Keep {
    AsItIs,
    /// With this id.
    As(Text),
    /// It is dropped, and why.
    Not(&'static str),
}

/// A call that stays, with the id that it is sent under.
fn kept_call(id: &Text, fit: Fit, turn: usize, pass: &mut Pass<'_>) -> Keep {
    let (is_legal, prefix) = match fit {
        Some(MCP_RESULT) => (is_call_id(id), "mcptoolu_"),
        _ => (is_server_call_id(id), "srvtoolu_"),
    };
    match pass.paired.server.add(id, (turn, 0), is_legal, prefix) {
        None => Keep::AsItIs,
        Some(sent) => Keep::As(sent.into()),
    }
}

/// What a part is to server tools; nothing for other blocks.
fn side(part: &Part<'_>, pass: &Pass<'_>) -> Option<Side> {
    let offers = |name: &str| pass.options.tools.as_ref().is_none_or(|tools| tools.contains(name));
    match part.block()? {
        Block::ServerToolUse(call) => {
            let name = call.name.as_str().unwrap_or_default();
            Some(Side::Call { id: call.id.get()?.clone(), fit: result_of(SERVER_CALL, name), is_offered: offers(name) })
        }
        Block::Unknown(name, fields) if name.as_str() == MCP_CALL => {
            Some(Side::Call { id: fields.text("id")?, fit: Some(MCP_RESULT), is_offered: true })
        }
        Block::ServerToolResult(index, result) => {
            let type_name = SERVER_RESULTS.get(*index)?;
            Some(Side::Result { id: result.tool_use_id.get()?.clone(), type_name })
        }
        _ => None,
    }
}

/// For each part the index of the one that it pairs with.
fn partners(sides: &[Option<Side>]) -> Vec<Option<usize>> {
    let mut partners = vec![None; sides.len()];
    let mut open: HashMap<(&str, Fit), VecDeque<usize>> = HashMap::new();
    for (index, side) in sides.iter().enumerate() {
        match side {
            Some(Side::Call { id, fit, is_offered: true }) => {
                open.entry((id.as_str(), *fit)).or_default().push_back(index);
            }
            Some(Side::Result { id, type_name }) => {
                let fits = match *type_name {
                    MCP_RESULT => [Some(MCP_RESULT); 2],
                    type_name => [Some(type_name), None],
                };
                // The first open call that fits, of two sorts.
                let first = |fit: &Fit| open.get(&(id.as_str(), *fit)).and_then(|calls| calls.front().copied());
                let call = fits.iter().filter_map(|fit| Some((first(fit)?, *fit))).min_by_key(|(call, _)| *call);
                if let Some((call, fit)) = call {
                    open.get_mut(&(id.as_str(), fit)).and_then(VecDeque::pop_front);
                    partners[call] = Some(index);
                    partners[index] = Some(call);
                }
            }
            Some(Side::Call { is_offered: false, .. }) | None => {}
        }
    }
    partners
}
