//! A *renamed* call is one whose id the API refuses, so that the request has it under another id; here is which call of
//! the request is which call of the messages.

use std::collections::{HashMap, HashSet, VecDeque};

use turnproof_format::{SERVER_CALL, is_call_id, is_server_call_id};

use crate::json::Value;

use crate::rules::value::{kind, text};

/// A call by its id, and by everything else that it has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named<'a> {
    pub id: &'a str,
    pub call: &'a Value,
    /// Whether the API accepts the id as it is; only other ids may be replaced.
    pub is_legal: bool,
}

impl<'a> Named<'a> {
    pub(super) fn of(call: &'a Value) -> Self {
        let id = text(call, "id").unwrap_or_default();
        Self { id, call, is_legal: is_legal(kind(call), id) }
    }

    /// The call without its id, as text.
    fn body(&self) -> String {
        let mut body = self.call.clone();
        if let Value::Object(members) = &mut body {
            members.remove("id");
        }
        body.to_string()
    }
}

/// Which call of a request is which call of the messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Renames {
    /// For each given call, the id that it had in the messages, if that is known.
    pub originals: Vec<Option<String>>,
    /// What each id of the request was in the messages, if it was another one.
    pub replaced: HashMap<String, String>,
    /// The given calls whose new id another given call has too.
    pub clashes: Vec<usize>,
}

/// Finds the calls of the request among those of the messages: by their ids and all else that they have; then, for ids
/// that may be replaced, by what else they have; then by their ids alone, and at last by their order.
pub(super) fn renames(wanted: &[Named<'_>], given: &[Named<'_>]) -> Renames {
    let mut by_id: HashMap<&str, usize> = wanted.iter().enumerate().map(|(index, call)| (call.id, index)).collect();
    if wanted.iter().all(|call| call.is_legal) {
        let owners: Vec<Option<usize>> = given.iter().map(|call| by_id.remove(call.id)).collect();
        return sort_out(wanted, given, &owners);
    }
    let bodies = |calls: &[Named<'_>]| calls.iter().map(Named::body).collect::<Vec<String>>();
    let (bodies, bodies_given) = (bodies(wanted), bodies(given));
    let mut owners: Vec<Option<usize>> = vec![None; given.len()];
    let mut found: HashSet<usize> = HashSet::new();
    let mut claim = |place: usize, index: Option<usize>| {
        owners[place] = index.filter(|index| found.insert(*index));
        owners[place].is_none()
    };
    let same_id = |place: usize| by_id.get(given[place].id).copied();
    // A second call with the same id may be a doubled call, so it is looked at last.
    let mut seen = HashSet::new();
    let (mut places, repeats): (Vec<usize>, Vec<usize>) =
        (0..given.len()).partition(|&place| seen.insert(given[place].id));
    places.extend(repeats);
    let in_order = in_order(wanted, given, &bodies, &bodies_given, &places);
    places.retain(|&place| in_order.get(&place).is_none_or(|&index| claim(place, Some(index))));
    places.retain(|&place| claim(place, same_id(place).filter(|&index| bodies[index] == bodies_given[place])));
    // An id that an earlier call got is replaced too, though it is legal.
    let taken: HashSet<&str> = given.iter().map(|call| call.id).collect();
    let is_replaced = |call: &Named<'_>| !call.is_legal || taken.contains(call.id);
    let mut by_body: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (index, _) in wanted.iter().enumerate().filter(|(_, call)| is_replaced(call)) {
        by_body.entry(&bodies[index]).or_default().push_back(index);
    }
    places.retain(|&place| {
        let alike = by_body.get_mut(bodies_given[place].as_str());
        alike.is_none_or(|alike| std::iter::from_fn(|| alike.pop_front()).all(|index| claim(place, Some(index))))
    });
    places.retain(|&place| claim(place, same_id(place)));
    let is_left = |index: &usize| !wanted[*index].is_legal && !found.contains(index);
    let rest: Vec<usize> = (0..wanted.len()).filter(is_left).collect();
    for (place, index) in places.into_iter().zip(rest) {
        owners[place] = Some(index);
    }
    sort_out(wanted, given, &owners)
}

/// Calls that are alike but for their ids, where one of them may have got the id of another: their order says which is
/// which. For each such given call the place of the wanted one.
fn in_order(
    wanted: &[Named<'_>],
    given: &[Named<'_>],
    bodies: &[String],
    bodies_given: &[String],
    places: &[usize],
) -> HashMap<usize, usize> {
    let mut alike: HashMap<&str, [Vec<usize>; 2]> = HashMap::new();
    for (index, body) in bodies.iter().enumerate() {
        alike.entry(body).or_default()[0].push(index);
    }
    for &place in places {
        alike.entry(&bodies_given[place]).or_default()[1].push(place);
    }
    let may_have_got_it = |[indexes, places]: &&[Vec<usize>; 2]| {
        let taken: HashSet<&str> = places.iter().map(|&place| given[place].id).collect();
        let has_illegal = indexes.iter().any(|&index| !wanted[index].is_legal);
        let is_any_taken = || indexes.iter().any(|&index| taken.contains(wanted[index].id));
        indexes.len() == places.len() && has_illegal && is_any_taken()
    };
    let pairs = alike.values().filter(may_have_got_it);
    pairs.flat_map(|[indexes, places]| places.iter().copied().zip(indexes.iter().copied())).collect()
}

fn sort_out(wanted: &[Named<'_>], given: &[Named<'_>], owners: &[Option<usize>]) -> Renames {
    let mut first: HashMap<&str, Option<String>> = HashMap::new();
    let mut renames = Renames::default();
    for (index, (call, owner)) in given.iter().zip(owners).enumerate() {
        let original = owner.and_then(|owner| wanted.get(owner)).map(|wanted| wanted.id.to_owned());
        let original = match (first.get(call.id), original) {
            (None, original) => {
                if let Some(original) = original.as_ref().filter(|original| **original != call.id) {
                    renames.replaced.insert(call.id.to_owned(), original.clone());
                }
                first.insert(call.id, original.clone());
                original
            }
            (Some(_), Some(original)) => {
                renames.clashes.push(index);
                Some(original)
            }
            (Some(first), None) => first.clone(),
        };
        renames.originals.push(original);
    }
    renames
}

/// Whether the API accepts the id of a call of this type.
pub(super) fn is_legal(kind: &str, id: &str) -> bool {
    if kind == SERVER_CALL { is_server_call_id(id) } else { is_call_id(id) }
}
