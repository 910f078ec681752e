//! The *fields* of turns and blocks: what must be there, what must not, and that it is Unicode. The table of
//! [shapes](shape) says which.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use turnproof_format::{is_own_member as is_internal, is_tool_name};

use crate::json::{Object, Value};

use super::view::{Block, Role, Turn, turns};
use crate::operation::{Form, Host, Request};
use crate::rules::shape::{self, Flaw, Path, Sort};
use crate::rules::value::{list, text};
use crate::rules::{Place, Report, Sentence};

pub(super) fn no_internal_fields(request: &Request, host: Host, report: &mut Report<'_>) {
    if request.form == Form::Converse {
        return;
    }
    for turn in turns(request) {
        let mut add = |place: Place, found: Sentence, error: String| {
            report.predict(place, "internal-member", found, "only members that the API knows", error);
        };
        flaws(turn, host, Sort::Extra, &mut |place, _, flaw| {
            if is_internal(&flaw.member) {
                add(place, flaw.found, flaw.error);
            }
        });
        for block in turn.blocks_and_parts().filter(|block| is_strange(*block)) {
            for name in block.fields().into_iter().flat_map(|fields| fields.keys()).filter(|name| is_internal(name)) {
                let found = sentence!("{block} has the member `{name}`", block = block.in_words(), name = &**name);
                add(block.place(), found, format!("{}: Extra inputs are not permitted", block.member(name)));
            }
        }
    }
}

/// Whether a block or a part is of a type that has no shape here.
fn is_strange(block: Block<'_>) -> bool {
    match block.is_part() {
        true => shape::part_of_result(block.kind()).is_none(),
        false => shape::block(block.kind()).is_none(),
    }
}

pub(super) fn known_members(request: &Request, host: Host, report: &mut Report<'_>) {
    if request.form == Form::Converse {
        return;
    }
    for turn in turns(request) {
        flaws(turn, host, Sort::Extra, &mut |place, _, flaw| {
            if !is_internal(&flaw.member) {
                report.predict(place, flaw.kind, flaw.found, "only members that the type has", flaw.error);
            }
        });
    }
}

/// Gives the flaws of one sort in a turn and in its blocks, each with its place and its block.
pub(super) fn flaws<'a>(turn: Turn<'a>, host: Host, sort: Sort, add: &mut dyn FnMut(Place, Option<Block<'a>>, Flaw)) {
    for (block, flaw) in all_flaws(turn, host).iter().filter(|(_, flaw)| flaw.sort == sort) {
        let block = block.and_then(|index| turn.blocks().nth(index));
        add(block.map_or_else(|| turn.place(), Block::place), block, flaw.clone());
    }
}

/// The flaws of a turn, each with the index of its block.
type Flaws = Rc<[(Option<usize>, Flaw)]>;

/// Where a turn lies, its index, and the host that it is for.
type Look = (usize, usize, Host);

thread_local! {
    /// The flaws of turns that were looked at of late. Several rules ask for them, and most requests
    /// of a case have the same turns. The object keeps its place.
    static LOOKED_AT: RefCell<HashMap<Look, (Object, Flaws)>> = RefCell::default();
}

/// Of how many turns flaws are kept.
const KEPT: usize = 512;

fn all_flaws(turn: Turn<'_>, host: Host) -> Flaws {
    let shared = turn.value.as_object().and_then(|object| Some((object, object.address()?)));
    let Some((object, address)) = shared else { return look_at(turn, host) };
    let key = (address, turn.index, host);
    LOOKED_AT.with_borrow_mut(|looked_at| {
        if looked_at.len() == KEPT {
            looked_at.clear();
        }
        let (_, flaws) = looked_at.entry(key).or_insert_with(|| (object.clone(), look_at(turn, host)));
        Rc::clone(flaws)
    })
}

fn look_at(turn: Turn<'_>, host: Host) -> Flaws {
    let mut flaws = Vec::new();
    let of_turn = shape::untyped(if turn.role() == Role::System { "{direction}" } else { "{turn}" });
    let path = Path::turn(turn.index);
    shape::look_at_members(turn.value, of_turn, &path, host, &mut |flaw| flaws.push((None, flaw)));
    for (index, block) in turn.blocks().enumerate().filter(|(_, block)| !block.is_whole()) {
        look_at_block(block, host, &mut |flaw| flaws.push((Some(index), flaw)));
    }
    flaws.into()
}

fn look_at_block(block: Block<'_>, host: Host, add: &mut dyn FnMut(Flaw)) {
    let (turn, index) = block.place_in_order();
    let turn = Path::turn(turn);
    let content = turn.member("content");
    let path = content.element(index);
    let kind = match block.field("type") {
        _ if block.is_malformed() => return add(shape::flaw(Sort::Lacking, &path, "Input should be an object")),
        None => return add(shape::missing(&path.member("type"))),
        Some(Value::String(kind)) => kind,
        Some(_) => return add(shape::flaw(Sort::Lacking, &path.member("type"), "Input should be a valid string")),
    };
    let known = shape::block(kind);
    if known.is_none_or(|known| !shape::has(host, known)) {
        let at_host = shape::blocks().iter().filter(|shape| shape::has(host, shape));
        add(shape::unknown_tag(&path, kind, at_host.map(|shape| shape.name)));
    }
    if let Some(known) = known {
        shape::look_at_members(block.value(), known, &path.member(kind), host, add);
    }
}

pub(super) fn valid_unicode(request: &Request, _: Host, report: &mut Report<'_>) {
    for path in &request.lone_surrogates {
        let found = sentence!("half of a surrogate pair in {path}", path);
        let error = "The request body is not valid JSON: no low surrogate in string";
        report.predict(place_of(path), "lone-surrogate", found, "whole characters", error);
    }
}

/// The place of a path such as `messages.2.content.0.text`.
fn place_of(path: &str) -> Place {
    let mut steps = path.split('.');
    let index = match steps.next() {
        Some("messages") => steps.next().and_then(|step| step.parse().ok()),
        _ => None,
    };
    let block = match steps.next() {
        Some("content") => steps.next().and_then(|step| step.parse().ok()),
        _ => None,
    };
    index.map_or(Place::Whole, |index| Place::Message { index, block })
}

pub(super) fn required_fields(request: &Request, host: Host, report: &mut Report<'_>) {
    if request.form == Form::Converse {
        return;
    }
    lack_of_body(request, host, report);
    for turn in turns(request) {
        for (kind, found, error) in [lack_of_turn(turn), lack_of_content(turn, host)].into_iter().flatten() {
            report.predict(turn.place(), kind, found, "what the type requires", error);
        }
        flaws(turn, host, Sort::Lacking, &mut |place, block, flaw| {
            if is_left_to_others(block, &flaw) {
                return;
            }
            if may_be_null(block, &flaw) && matches!(host, Host::Anthropic | Host::Vertex) {
                report.warn(place, "null-caller", flaw.found, "no `caller`, or an object", flaw.error);
            } else {
                report.predict(place, flaw.kind, flaw.found, "what the type requires", flaw.error);
            }
        });
    }
}

/// Whether the member is the `caller` of a call, and null: Bedrock alone was seen to refuse it since May 2026.
fn may_be_null(block: Option<Block<'_>>, flaw: &Flaw) -> bool {
    flaw.member == "caller"
        && block.is_some_and(|block| block.is("tool_use") && block.field("caller").is_some_and(Value::is_null))
}

/// Whether another rule judges the member: `thinking/signed`, or `pairing/input-object`.
fn is_left_to_others(block: Option<Block<'_>>, flaw: &Flaw) -> bool {
    let Some(block) = block.filter(|block| block.turn.role() == Role::Assistant) else { return false };
    match (block.kind(), flaw.member.as_str()) {
        ("thinking", "signature") | ("redacted_thinking", "data") => true,
        ("tool_use", "input") => flaw.kind != shape::MISSING,
        _ => false,
    }
}

/// What a whole body lacks. Bedrock and Vertex name the model in the address of the request.
fn lack_of_body(request: &Request, host: Host, report: &mut Report<'_>) {
    let Some(body) = request.body.as_object() else { return };
    let names_model = matches!(host, Host::Portable | Host::Anthropic);
    let problem = |name: &str, is_fit: fn(&Value) -> bool, error: &str| match body.get(name) {
        None => {
            Some(("missing-in-body", sentence!("a body without `{name}`", name), format!("{name}: Field required")))
        }
        Some(value) if !is_fit(value) => {
            let found = sentence!("`{name}` is not what it must be", name);
            Some(("wrong-type-in-body", found, format!("{name}: {error}")))
        }
        Some(_) => None,
    };
    let model = problem("model", Value::is_string, "Input should be a valid string").filter(|_| names_model);
    let is_count = |value: &Value| value.as_u64().is_some_and(|count| count > 0);
    let most = problem("max_tokens", is_count, "Input should be greater than or equal to 1");
    if let Some((kind, found, error)) = model {
        report.predict(Place::Whole, kind, found, "what a request requires", error);
    }
    match most {
        Some((.., error)) if is_of_count_tokens(body) && host != Host::Portable => {
            let (found, expected) = ("a body of `count_tokens`", "`max_tokens`, where it is sent to `/v1/messages`");
            report.warn(Place::Whole, "count-tokens", found, expected, error);
        }
        Some((kind, found, error)) => {
            report.predict(Place::Whole, kind, found, "what a request requires", error);
        }
        None => {}
    }
    for (index, tool) in list(&request.body, "tools").iter().enumerate() {
        if let Some(name) = text(tool, "name").filter(|name| !is_tool_name(name)) {
            let error = format!("tools.{index}.name: {}", shape::BAD_NAME);
            let found = sentence!("the tool's name {name:?}", name);
            report.predict(Place::Whole, "tool-name", found, "a name of up to 128 letters", error);
        }
    }
}

/// Whether a body without `max_tokens` has only members that `count_tokens` takes.
fn is_of_count_tokens(body: &Object) -> bool {
    const TAKEN: [&str; 11] = [
        "model",
        "system",
        "tools",
        "tool_choice",
        "thinking",
        "cache_control",
        "context_management",
        "mcp_servers",
        "output_config",
        "output_format",
        "betas",
    ];
    body.keys().all(|name| TAKEN.contains(&&**name))
}

/// What a turn lacks: the kind, what is found, and the error.
type Lack = (&'static str, &'static str, String);

fn lack_of_turn(turn: Turn<'_>) -> Option<Lack> {
    match turn.value.get("role") {
        _ if !turn.value.is_object() => {
            let error = format!("{}: Input does not match the expected shape.", turn.path());
            Some(("no-object", "a turn that is no object", error))
        }
        None => Some(("no-role", "a turn without a role", format!("{}.role: Field required", turn.path()))),
        Some(_) if turn.role() == Role::Other => {
            let error = format!("{}.role: Input should be 'user' or 'assistant'", turn.path());
            Some(("unknown-role", "a turn of a role that does not exist", error))
        }
        Some(_) => None,
    }
}

fn lack_of_content(turn: Turn<'_>, host: Host) -> Option<Lack> {
    match turn.value.as_object()?.get("content") {
        None if turn.role() == Role::System => None,
        None => Some(("no-content", "a turn without content", format!("{}.content: Field required", turn.path()))),
        Some(Value::String(_) | Value::Array(_)) => None,
        Some(content) => {
            let error = match host {
                Host::BedrockInvoke if content.is_object() => content_for_invoke(turn.index),
                _ => format!("{}.content: Input should be a valid list", turn.path()),
            };
            Some(("wrong-content", "content that is neither text nor a list", error))
        }
    }
}

/// What Bedrock's own check of bodies says of an object as content.
fn content_for_invoke(index: usize) -> String {
    let path = format!("#/messages/{index}/content");
    format!(
        "Malformed input request: #: subject must not be valid against schema {{\"required\":[\"messages\"]}}{path}: \
         expected type: String, found: JSONObject{path}: expected type: JSONArray, found: JSONObject, please reformat \
         your input and try again."
    )
}
