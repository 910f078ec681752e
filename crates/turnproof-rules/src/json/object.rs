//! An *object* is a JSON object: members in the order of their names, each name once.

use std::cmp::Ordering;
use std::ops::{Index, IndexMut};

use super::Value;
use super::words::Str;

/// A JSON object. Its members are in the order of their names, in one piece of memory: most objects are small.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object(Vec<Member>);

type Member = (Str, Value);

/// The order of names. The first byte tells most of them apart.
#[inline]
fn order(name: &str, other: &str) -> Ordering {
    name.as_bytes().first().cmp(&other.as_bytes().first()).then_with(|| name.cmp(other))
}

/// Up to so many members are looked through from the first on, which is faster than halving.
const FEW: usize = 16;

impl Object {
    /// One without members.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The member of this name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        Some(&self.0[self.place(name)?].1)
    }

    /// The member of this name, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = self.place(name)?;
        Some(&mut self.0[place].1)
    }

    /// Whether there is a member of this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// Sets a member, and gives the one that it replaces.
    pub fn insert(&mut self, name: impl Into<Str>, value: Value) -> Option<Value> {
        let name = name.into();
        match self.search(name.as_str()) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (name, value));
                None
            }
        }
    }

    /// The member of this name, set to `null` before if there is none.
    pub fn or_null(&mut self, name: &str) -> &mut Value {
        let place = self.search(name).unwrap_or_else(|place| {
            self.0.insert(place, (name.into(), Value::Null));
            place
        });
        &mut self.0[place].1
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let place = self.place(name)?;
        Some(self.0.remove(place).1)
    }

    /// Keeps the members for which this holds.
    pub fn retain(&mut self, mut is_kept: impl FnMut(&Str, &mut Value) -> bool) {
        self.0.retain_mut(|(name, value)| is_kept(name, value));
    }

    /// The names, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Str> + ExactSizeIterator + Clone {
        self.0.iter().map(|(name, _)| name)
    }

    /// The members' values, in the order of their names.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.0.iter().map(|(_, value)| value)
    }

    /// The members' values, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut Value> + ExactSizeIterator {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Str, &Value)> + ExactSizeIterator + Clone {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Names and values, in the order of the names; the values can be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (&Str, &mut Value)> + ExactSizeIterator {
        self.0.iter_mut().map(|(name, value)| (&*name, value))
    }

    /// The object of these members; of several of one name the last one counts.
    pub(super) fn of(mut members: Vec<Member>) -> Self {
        if !members.is_sorted_by(|(name, _), (next, _)| order(name, next).is_lt()) {
            // The last of a name comes first, and stays.
            members.reverse();
            members.sort_by(|(name, _), (next, _)| order(name, next));
            members.dedup_by(|(next, _), (name, _)| next == name);
        }
        Self(members)
    }

    fn place(&self, name: &str) -> Option<usize> {
        if self.0.len() <= FEW {
            let first = name.as_bytes().first();
            let is_it = |other: &str| other.len() == name.len() && other.as_bytes().first() == first && other == name;
            return self.0.iter().position(|(other, _)| is_it(other));
        }
        self.search(name).ok()
    }

    fn search(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| order(other, name))
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
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Object {
    type Item = (&'a Str, &'a Value);
    type IntoIter = std::iter::Map<std::slice::Iter<'a, Member>, fn(&'a Member) -> (&'a Str, &'a Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter().map(|(name, value)| (name, value))
    }
}
