//! A *list* of messages, events or turns, as it goes between a suite and a subject of the same process: as JSON text, or
//! as elements that lists share. What was read of an element is kept with it, so that nobody reads it twice.

use std::any::Any;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::plain::Plain;
use crate::json::{self, Value};

/// A list in JSON. It is given as text or as elements; the other form is made when it is asked for. Copies share all.
///
/// ```
/// use turnproof_rules::operation::{Element, List};
///
/// let list: List = [r#"{"type":"user"}"#, r#"{"type":"system"}"#].map(Element::new).into_iter().collect();
/// assert_eq!(list.text(), r#"[{"type":"user"},{"type":"system"}]"#);
///
/// let read = |text: &str| serde_json::from_str::<Vec<serde_json::Value>>(text);
/// assert_eq!(list.read(read)?[1]["type"], "system");
/// // What was read is kept: nobody reads the beginning of the list again.
/// let never = |_: &str| -> serde_json::Result<Vec<serde_json::Value>> { unreachable!() };
/// assert_eq!(list.first(1).read(never)?[0]["type"], "user");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct List(Arc<Forms>);

/// The forms of a list.
#[derive(Debug, Default)]
struct Forms {
    /// Whether it was given as text, which may be no list.
    is_text: bool,
    text: OnceLock<String>,
    elements: OnceLock<Vec<Element>>,
    /// The list as rules look at it, or why it is no JSON.
    plain: OnceLock<Result<Plain, String>>,
}

/// An element of a list: its JSON text, and what was read of it. Copies share both.
#[derive(Clone, Debug)]
pub struct Element(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    json: Box<str>,
    /// The value; `None` when it has to be read as a part of its list.
    value: OnceLock<Option<Value>>,
    /// What a subject read.
    read: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Element {
    /// The element with this JSON text.
    pub fn new(json: impl Into<Box<str>>) -> Self {
        Self(Arc::new(Parts { json: json.into(), value: OnceLock::new(), read: OnceLock::new() }))
    }

    /// The JSON text.
    pub fn json(&self) -> &str {
        &self.0.json
    }

    fn value(&self) -> Option<&Value> {
        self.0.value.get_or_init(|| json::value_of_element(self.json())).as_ref()
    }

    fn known<T: Any + Clone>(&self) -> Option<T> {
        self.0.read.get()?.downcast_ref().cloned()
    }

    /// Keeps what a subject read; what another one read before stays.
    fn keep<T: Any + Clone + Send + Sync>(&self, one: &T) {
        self.0.read.get_or_init(|| Box::new(one.clone()));
    }
}

impl PartialEq for Element {
    /// Whether the texts are equal.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.json() == other.json()
    }
}

impl Eq for Element {}

impl List {
    /// The list of these messages, each given as JSON text.
    pub fn of(messages: &[String]) -> Self {
        messages.iter().map(|message| Element::new(message.as_str())).collect()
    }

    /// The list as JSON text. That of a list of elements is a JSON array if each of them is JSON.
    pub fn text(&self) -> &str {
        self.0.text.get_or_init(|| {
            let texts: Vec<&str> = self.elements().iter().map(Element::json).collect();
            format!("[{}]", texts.join(","))
        })
    }

    /// The text, taken out; a copy of it when it is shared.
    pub fn into_text(self) -> String {
        self.text();
        match Arc::try_unwrap(self.0) {
            Ok(forms) => forms.text.into_inner().unwrap_or_default(),
            Err(shared) => Self(shared).text().to_owned(),
        }
    }

    /// The elements. Those of a text that is no JSON array are unspecified.
    pub fn elements(&self) -> &[Element] {
        self.0.elements.get_or_init(|| {
            let texts = self.0.text.get().and_then(|text| json::elements(text));
            texts.unwrap_or_default().into_iter().map(Element::new).collect()
        })
    }

    /// The first `count` elements as a list.
    ///
    /// # Panics
    ///
    /// When there are fewer.
    pub fn first(&self, count: usize) -> Self {
        self.elements()[..count].iter().cloned().collect()
    }

    /// What a subject reads of each element. `read` is given a list of those that are new to it, and gives one for each.
    /// From then on they are known, whatever list they stand in, to whoever reads them as a `T`.
    pub fn read<T, E>(&self, read: impl Fn(&str) -> Result<Vec<T>, E>) -> Result<Vec<T>, E>
    where
        T: Any + Clone + Send + Sync,
    {
        let elements = self.elements();
        let known: Vec<Option<T>> = elements.iter().map(Element::known).collect();
        let new: Self =
            elements.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(new, _)| new.clone()).collect();
        let count = new.elements().len();
        let was_read = match count {
            0 if !elements.is_empty() => Ok(Vec::new()),
            _ if count < elements.len() => read(new.text()),
            _ => read(self.text()),
        };
        // What is wrong, and where, is said of the whole list.
        let Some(was_read) = was_read.ok().filter(|was_read| was_read.len() == count) else { return read(self.text()) };
        let mut was_read = was_read.into_iter();
        let mut new = |element: &Element| was_read.next().inspect(|one| element.keep(one));
        Ok(elements.iter().zip(known).filter_map(|(element, known)| known.or_else(|| new(element))).collect())
    }

    /// The list as rules look at it, or why it is no JSON. It is read once.
    pub fn plain(&self) -> Result<Plain, String> {
        let values = || self.given_elements()?.iter().map(|element| element.value().cloned()).collect();
        let read = || match values() {
            Some(values) => Ok(Value::Array(values).into()),
            None => Plain::read(self.text()).map_err(|error| error.to_string()),
        };
        self.0.plain.get_or_init(read).clone()
    }

    /// The elements; `None` when the list was given as text.
    fn given_elements(&self) -> Option<&[Element]> {
        (!self.0.is_text).then(|| self.elements())
    }

    /// Whether both are the same list, as far as can be said without making a form of one of them.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        match ((self.given_elements(), other.given_elements()), (self.0.text.get(), other.0.text.get())) {
            ((Some(ours), Some(theirs)), _) if ours == theirs => true,
            (_, (Some(ours), Some(theirs))) => ours == theirs,
            _ => false,
        }
    }
}

impl Deref for List {
    type Target = str;

    /// The text.
    fn deref(&self) -> &str {
        self.text()
    }
}

impl PartialEq for List {
    /// Whether the texts are equal.
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.text() == other.text()
    }
}

impl Eq for List {}

impl From<String> for List {
    /// The list with this JSON text.
    fn from(text: String) -> Self {
        Self(Arc::new(Forms { is_text: true, text: text.into(), ..Forms::default() }))
    }
}

impl FromIterator<Element> for List {
    fn from_iter<I: IntoIterator<Item = Element>>(elements: I) -> Self {
        Self(Arc::new(Forms { elements: Vec::from_iter(elements).into(), ..Forms::default() }))
    }
}

impl Serialize for List {
    /// Writes the text, as a string.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for List {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}
