//! A list of messages, as JSON text or as elements that lists share.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::plain::Plain;
use crate::json;

/// A list in JSON. It is given as text or as elements; the other form is made when it is asked for. Copies share all.
///
/// ```
/// use turnproof_rules::operation::{Element, List};
///
/// let list: List = [r#"{"type":"user"}"#, r#"{"type":"system"}"#].map(Element::new).into_iter().collect();
/// assert_eq!(list.text(), r#"[{"type":"user"},{"type":"system"}]"#);
/// assert_eq!(list.first(1).text(), r#"[{"type":"user"}]"#);
/// ```
#[derive(Clone, Debug, Default)]
pub struct List(Arc<Forms>);

/// The forms of a list.
#[derive(Debug, Default)]
struct Forms {
    text: OnceLock<String>,
    elements: OnceLock<Vec<Element>>,
    /// The list as rules look at it, or why it is no JSON.
    plain: OnceLock<Result<Plain, String>>,
}

/// An element of a list: its JSON text. Copies share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element(Arc<str>);

impl Element {
    /// The element with this JSON text.
    pub fn new(json: impl Into<Arc<str>>) -> Self {
        Self(json.into())
    }

    /// The JSON text.
    pub fn json(&self) -> &str {
        &self.0
    }
}

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

    /// The list as rules look at it, or why it is no JSON. It is read once.
    pub fn plain(&self) -> Result<Plain, String> {
        let read = || Plain::read(self.text()).map_err(|error| error.to_string());
        self.0.plain.get_or_init(read).clone()
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
        Arc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl Eq for List {}

impl From<String> for List {
    /// The list with this JSON text.
    fn from(text: String) -> Self {
        Self(Arc::new(Forms { text: text.into(), ..Forms::default() }))
    }
}

impl FromIterator<Element> for List {
    fn from_iter<I: IntoIterator<Item = Element>>(elements: I) -> Self {
        Self(Arc::new(Forms { elements: Vec::from_iter(elements).into(), ..Forms::default() }))
    }
}
