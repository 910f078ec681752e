//! An *object* is a JSON object: members in the order of their names, each name once.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::Value;
use super::words::Str;

/// A JSON object. Its members are in the order of their names, in one piece of memory: most objects are small. Those that
/// were read from the same text may share it until one of them is changed.
#[derive(Clone)]
pub struct Object(Members);

#[derive(Clone)]
enum Members {
    Own(Vec<Member>),
    Shared(Arc<Vec<Member>>),
}

type Member = (Str, Value);

/// The order of names. The first byte differs in most of them.
#[inline]
fn order(name: &str, other: &str) -> Ordering {
    name.as_bytes().first().cmp(&other.as_bytes().first()).then_with(|| name.cmp(other))
}

/// Up to so many members are looked through from the first on, which is faster than halving.
const FEW: usize = 16;

impl Object {
    /// One without members.
    pub const fn new() -> Self {
        Self(Members::Own(Vec::new()))
    }

    #[inline]
    fn members(&self) -> &[Member] {
        match &self.0 {
            Members::Own(members) => members,
            Members::Shared(members) => members,
        }
    }

    /// The members, to be changed; copied when they are shared.
    fn members_mut(&mut self) -> &mut Vec<Member> {
        if let Members::Shared(members) = &mut self.0 {
            self.0 = Members::Own(Arc::unwrap_or_clone(std::mem::take(members)));
        }
        match &mut self.0 {
            Members::Own(members) => members,
            Members::Shared(members) => Arc::make_mut(members),
        }
    }

    /// The same object, whose copies share its members.
    pub(super) fn shared(self) -> Self {
        match self.0 {
            Members::Own(members) => Self(Members::Shared(Arc::new(members))),
            shared @ Members::Shared(_) => Self(shared),
        }
    }

    /// Where the members lie that several objects may share; `None` when they are its own. While one of these objects
    /// lives, no other members lie there.
    pub(crate) fn address(&self) -> Option<usize> {
        match &self.0 {
            Members::Own(_) => None,
            Members::Shared(members) => Some(Arc::as_ptr(members).addr()),
        }
    }

    /// Whether both share their members.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        matches!((&self.0, &other.0), (Members::Shared(one), Members::Shared(other)) if Arc::ptr_eq(one, other))
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members().is_empty()
    }

    /// The member of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        Some(&self.members()[self.place(name)?].1)
    }

    /// The member of this name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = self.place(name)?;
        Some(&mut self.members_mut()[place].1)
    }

    /// Whether there is a member of this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Sets a member, and gives the one that it replaces.
    pub fn insert(&mut self, name: impl Into<Str>, value: Value) -> Option<Value> {
        let name = name.into();
        match self.search(name.as_str()) {
            Ok(place) => Some(std::mem::replace(&mut self.members_mut()[place].1, value)),
            Err(place) => {
                self.members_mut().insert(place, (name, value));
                None
            }
        }
    }

    /// The member of this name, set to `null` before if there is none.
    pub fn or_null(&mut self, name: &str) -> &mut Value {
        let place = self.search(name).unwrap_or_else(|place| {
            self.members_mut().insert(place, (name.into(), Value::Null));
            place
        });
        &mut self.members_mut()[place].1
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let place = self.place(name)?;
        Some(self.members_mut().remove(place).1)
    }

    /// Keeps the members for which this holds.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&Str, &mut Value) -> bool) {
        self.members_mut().retain_mut(|(name, value)| is_kept(name, value));
    }

    /// The names, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Str> + ExactSizeIterator + Clone {
        self.members().iter().map(|(name, _)| name)
    }

    /// The members' values, in the order of their names.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.members().iter().map(|(_, value)| value)
    }

    /// The members' values, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Value> + ExactSizeIterator {
        self.members_mut().iter_mut().map(|(_, value)| value)
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Str, &Value)> + ExactSizeIterator + Clone {
        self.members().iter().map(|(name, value)| (name, value))
    }

    /// Names and values, in the order of the names; the values can be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&Str, &mut Value)> + ExactSizeIterator {
        self.members_mut().iter_mut().map(|(name, value)| (&*name, value))
    }

    /// The object of these members; of several of one name the last one counts.
    pub(super) fn of(mut members: Vec<Member>) -> Self {
        if !members.is_sorted_by(|(name, _), (next, _)| order(name, next).is_lt()) {
            // The last of a name comes first, and stays.
            members.reverse();
            members.sort_by(|(name, _), (next, _)| order(name, next));
            members.dedup_by(|(next, _), (name, _)| next == name);
        }
        Self(Members::Own(members))
    }

    fn place(&self, name: &str) -> Option<usize> {
        if self.members().len() <= FEW {
            let first = name.as_bytes().first();
            let is_it = |other: &str| other.len() == name.len() && other.as_bytes().first() == first && other == name;
            return self.members().iter().position(|(other, _)| is_it(other));
        }
        self.search(name).ok()
    }

    fn search(&self, name: &str) -> Result<usize, usize> {
        self.members().binary_search_by(|(other, _)| order(other, name))
    }
}

impl Default for Object {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.members() == other.members()
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Object").field(&self.members()).finish()
    }
}

impl Index<&str> for Object {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

impl IndexMut<&str> for Object {
    fn index_mut(&mut self, name: &str) -> &mut Value {
        self.or_null(name)
    }
}

impl<N: Into<Str>> FromIterator<(N, Value)> for Object {
    /// Of several members of one name the last one counts.
    fn from_iter<I: IntoIterator<Item = (N, Value)>>(members: I) -> Self {
        Self::of(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl<N: Into<Str>> Extend<(N, Value)> for Object {
    fn extend<I: IntoIterator<Item = (N, Value)>>(&mut self, members: I) {
        for (name, value) in members {
            self.insert(name, value);
        }
    }
}

impl IntoIterator for Object {
    type Item = Member;
    type IntoIter = std::vec::IntoIter<Member>;

    fn into_iter(self) -> Self::IntoIter {
        match self.0 {
            Members::Own(members) => members.into_iter(),
            Members::Shared(members) => Arc::unwrap_or_clone(members).into_iter(),
        }
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a Str, &'a Value);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, Member>, fn(&'a Member) -> (&'a Str, &'a Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members().iter().map(|(name, value)| (name, value))
    }
}
