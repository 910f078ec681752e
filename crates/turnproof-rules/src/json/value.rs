//! A *value* is JSON as a rule looks at it: small, and cheap to make and to drop.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Index, IndexMut};

use serde_json::Number;

use super::Object;
use super::words::Str;

/// A JSON value. It is used as `serde_json::Value` is, and takes a quarter of the memory: the members of an object lie side
/// by side, and the names and words of the format are not copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Str),
    /// A list.
    Array(Vec<Value>),
    /// An object.
    Object(Object),
}

static NULL: Value = Value::Null;

impl Value {
    /// The member of an object, or the element of a list; `None` for any other value.
    pub fn get<P: Place>(&self, place: P) -> Option<&Self> {
        place.of(self)
    }

    /// The member of an object, or the element of a list, to be changed.
    pub fn get_mut<P: Place>(&mut self, place: P) -> Option<&mut Self> {
        place.of_mut(self)
    }

    /// What a JSON pointer (RFC 6901) leads to.
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        steps(pointer)?.try_fold(self, |value, step| match value {
            Self::Object(members) => members.get(&step),
            Self::Array(elements) => elements.get(element(&step)?),
            _ => None,
        })
    }

    /// What a JSON pointer leads to, to be changed.
    pub fn pointer_mut(&mut self, pointer: &str) -> Option<&mut Self> {
        steps(pointer)?.try_fold(self, |value, step| match value {
            Self::Object(members) => members.get_mut(&step),
            Self::Array(elements) => elements.get_mut(element(&step)?),
            _ => None,
        })
    }

    /// The value, with `null` left in its place.
    pub fn take(&mut self) -> Self {
        std::mem::take(self)
    }

    /// Whether it is `null`.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether it is `true` or `false`.
    pub const fn is_boolean(&self) -> bool {
        matches!(self, Self::Bool(_))
    }

    /// Whether it is a number.
    pub const fn is_number(&self) -> bool {
        matches!(self, Self::Number(_))
    }

    /// Whether it is a whole number from 0 to 2⁶⁴ − 1.
    pub fn is_u64(&self) -> bool {
        self.as_u64().is_some()
    }

    /// Whether it is a number that is kept as a double.
    pub fn is_f64(&self) -> bool {
        matches!(self, Self::Number(number) if number.is_f64())
    }

    /// Whether it is a string.
    pub const fn is_string(&self) -> bool {
        matches!(self, Self::String(_))
    }

    /// Whether it is a list.
    pub const fn is_array(&self) -> bool {
        matches!(self, Self::Array(_))
    }

    /// Whether it is an object.
    pub const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// The flag; `None` for any other value.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(flag) = self { Some(*flag) } else { None }
    }

    /// The whole number from −2⁶³ to 2⁶³ − 1; `None` for any other value.
    pub fn as_i64(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.as_i64() } else { None }
    }

    /// The whole number from 0 to 2⁶⁴ − 1; `None` for any other value.
    pub fn as_u64(&self) -> Option<u64> {
        if let Self::Number(number) = self { number.as_u64() } else { None }
    }

    /// The number, as the nearest double; `None` for any other value.
    pub fn as_f64(&self) -> Option<f64> {
        if let Self::Number(number) = self { number.as_f64() } else { None }
    }

    /// The string; `None` for any other value.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The list; `None` for any other value.
    pub const fn as_array(&self) -> Option<&Vec<Self>> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// The list, to be changed; `None` for any other value.
    pub const fn as_array_mut(&mut self) -> Option<&mut Vec<Self>> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// The object; `None` for any other value.
    pub const fn as_object(&self) -> Option<&Object> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    /// The object, to be changed; `None` for any other value.
    pub const fn as_object_mut(&mut self) -> Option<&mut Object> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }
}

/// The steps of a JSON pointer; `None` when it is none.
fn steps(pointer: &str) -> Option<impl Iterator<Item = String>> {
    let steps = match pointer {
        "" => "",
        _ => pointer.strip_prefix('/')?,
    };
    let count = if pointer.is_empty() { 0 } else { usize::MAX };
    Some(steps.split('/').take(count).map(|step| step.replace("~1", "/").replace("~0", "~")))
}

/// The number of an element, as a JSON pointer writes it.
fn element(step: &str) -> Option<usize> {
    let is_written_so = step == "0" || !step.starts_with(['0', '+']);
    step.parse().ok().filter(|_| is_written_so)
}

/// Where something is in a value: the name of a member, or the number of an element.
pub trait Place: Copy {
    /// What is there.
    fn of(self, value: &Value) -> Option<&Value>;
    /// What is there, to be changed.
    fn of_mut(self, value: &mut Value) -> Option<&mut Value>;
}

impl Place for &str {
    fn of(self, value: &Value) -> Option<&Value> {
        value.as_object()?.get(self)
    }

    fn of_mut(self, value: &mut Value) -> Option<&mut Value> {
        value.as_object_mut()?.get_mut(self)
    }
}

impl Place for &&str {
    fn of(self, value: &Value) -> Option<&Value> {
        (*self).of(value)
    }

    fn of_mut(self, value: &mut Value) -> Option<&mut Value> {
        (*self).of_mut(value)
    }
}

impl Place for &Str {
    fn of(self, value: &Value) -> Option<&Value> {
        self.as_str().of(value)
    }

    fn of_mut(self, value: &mut Value) -> Option<&mut Value> {
        self.as_str().of_mut(value)
    }
}

impl Place for &String {
    fn of(self, value: &Value) -> Option<&Value> {
        self.as_str().of(value)
    }

    fn of_mut(self, value: &mut Value) -> Option<&mut Value> {
        self.as_str().of_mut(value)
    }
}

impl Place for usize {
    fn of(self, value: &Value) -> Option<&Value> {
        value.as_array()?.get(self)
    }

    fn of_mut(self, value: &mut Value) -> Option<&mut Value> {
        value.as_array_mut()?.get_mut(self)
    }
}

impl<P: Place> Index<P> for Value {
    type Output = Self;

    /// `null` when there is nothing.
    fn index(&self, place: P) -> &Self {
        self.get(place).unwrap_or(&NULL)
    }
}

impl IndexMut<&str> for Value {
    /// A member, which is made where there is none; `null` becomes an object.
    ///
    /// # Panics
    ///
    /// When the value is neither an object nor `null`.
    fn index_mut(&mut self, name: &str) -> &mut Self {
        if self.is_null() {
            *self = Self::Object(Object::new());
        }
        match self {
            Self::Object(members) => members.or_null(name),
            other => panic!("{other} has no member `{name}`"),
        }
    }
}

impl IndexMut<usize> for Value {
    /// An element.
    ///
    /// # Panics
    ///
    /// When the value is no list, or has no such element.
    fn index_mut(&mut self, place: usize) -> &mut Self {
        match self {
            Self::Array(elements) => &mut elements[place],
            other => panic!("{other} has no element {place}"),
        }
    }
}

impl fmt::Display for Value {
    /// JSON without white space; indented with `{:#}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let json = if f.alternate() { serde_json::to_string_pretty(self) } else { serde_json::to_string(self) };
        f.write_str(&json.map_err(|_| fmt::Error)?)
    }
}

macro_rules! texts {
    ($($text:ty),*) => {
        $(
            impl From<$text> for Value {
                fn from(text: $text) -> Self {
                    Self::String(text.into())
                }
            }
        )*
    };
}

texts!(&str, String, &String, Cow<'_, str>, Str, &Str);

impl From<&&str> for Value {
    fn from(text: &&str) -> Self {
        Self::from(*text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<f64> for Value {
    /// `null` for a number that is not finite.
    fn from(number: f64) -> Self {
        Number::from_f64(number).map_or(Self::Null, Self::Number)
    }
}

impl From<Number> for Value {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<Object> for Value {
    fn from(members: Object) -> Self {
        Self::Object(members)
    }
}

impl From<&Self> for Value {
    fn from(value: &Self) -> Self {
        value.clone()
    }
}

impl<T: Into<Self>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Self {
        elements.into_iter().collect()
    }
}

impl<T: Clone + Into<Self>> From<&[T]> for Value {
    fn from(elements: &[T]) -> Self {
        elements.iter().cloned().collect()
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl<T: Into<Self>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Self::Array(elements.into_iter().map(Into::into).collect())
    }
}

impl<N: Into<Str>> FromIterator<(N, Self)> for Value {
    fn from_iter<I: IntoIterator<Item = (N, Self)>>(members: I) -> Self {
        Self::Object(members.into_iter().collect())
    }
}

impl From<serde_json::Value> for Value {
    fn from(value: serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(flag) => Self::Bool(flag),
            serde_json::Value::Number(number) => Self::Number(number),
            serde_json::Value::String(text) => Self::from(text),
            serde_json::Value::Array(elements) => elements.into_iter().collect(),
            serde_json::Value::Object(members) => {
                members.into_iter().map(|(name, value)| (name, Self::from(value))).collect()
            }
        }
    }
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(flag),
            Value::Number(number) => Self::Number(number),
            Value::String(text) => Self::String(text.into()),
            Value::Array(elements) => elements.into_iter().map(Self::from).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, value)| (String::from(name), Self::from(value))).collect()
            }
        }
    }
}

impl PartialEq<serde_json::Value> for Value {
    fn eq(&self, other: &serde_json::Value) -> bool {
        match (self, other) {
            (Self::Array(ours), serde_json::Value::Array(theirs)) => ours == theirs,
            (Self::Object(ours), serde_json::Value::Object(theirs)) => {
                ours.len() == theirs.len()
                    && theirs.iter().all(|(name, their)| ours.get(name).is_some_and(|our| our == their))
            }
            (Self::String(our), serde_json::Value::String(their)) => our == their,
            (Self::Number(our), serde_json::Value::Number(their)) => our == their,
            (Self::Bool(our), serde_json::Value::Bool(their)) => our == their,
            (our, their) => our.is_null() && their.is_null(),
        }
    }
}

impl PartialEq<Value> for serde_json::Value {
    fn eq(&self, other: &Value) -> bool {
        other == self
    }
}

macro_rules! whole_numbers {
    ($($number:ty),*) => {
        $(
            impl From<$number> for Value {
                fn from(number: $number) -> Self {
                    Self::Number(number.into())
                }
            }

            impl PartialEq<$number> for Value {
                fn eq(&self, other: &$number) -> bool {
                    matches!(self, Self::Number(number) if *number == Number::from(*other))
                }
            }
        )*
    };
}

whole_numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64, isize);

impl PartialEq<str> for Value {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<&str> for Value {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == Some(*other)
    }
}

impl PartialEq<String> for Value {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == Some(other)
    }
}

impl PartialEq<bool> for Value {
    fn eq(&self, other: &bool) -> bool {
        self.as_bool() == Some(*other)
    }
}
