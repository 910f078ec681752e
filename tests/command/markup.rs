//! The *markup* of a page, read as a browser reads it.

use std::collections::{BTreeMap, BTreeSet};

use html5ever::parse_document;
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// An element of the page.
pub(crate) struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    /// Its text, that of elements in it included.
    pub text: String,
    /// The id of the section that it stands in.
    pub section: Option<String>,
}

impl Element {
    /// Whether it is of a class.
    pub(crate) fn is(&self, class: &str) -> bool {
        self.attributes.get("class").is_some_and(|classes| classes.split(' ').any(|other| other == class))
    }
}

/// The elements of a page, in order; the page has no parse error.
pub(crate) fn elements(page: &str) -> Vec<Element> {
    let dom: RcDom = parse_document(RcDom::default(), Default::default()).one(page);
    let errors = dom.errors.borrow();
    assert!(errors.is_empty(), "{:?}", &errors[..errors.len().min(5)]);
    let mut found = Vec::new();
    collect(&dom.document, None, &mut found);
    found
}

fn collect(node: &Handle, section: Option<&str>, found: &mut Vec<Element>) -> String {
    let at = found.len();
    let mut own_section = section.map(str::to_owned);
    if let NodeData::Element { name, attrs, .. } = &node.data {
        let attributes: BTreeMap<String, String> = attrs
            .borrow()
            .iter()
            .map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string()))
            .collect();
        if &*name.local == "section" {
            own_section = attributes.get("id").cloned();
        }
        let section = own_section.clone();
        found.push(Element { name: name.local.to_string(), attributes, text: String::new(), section });
    }
    let mut text = match &node.data {
        NodeData::Text { contents } => contents.borrow().to_string(),
        _ => String::new(),
    };
    for child in node.children.borrow().iter() {
        text.push_str(&collect(child, own_section.as_deref(), found));
    }
    if let (NodeData::Element { .. }, Some(element)) = (&node.data, found.get_mut(at)) {
        element.text.clone_from(&text);
    }
    text
}

/// The ids on a page: each stands once.
pub(crate) fn ids(elements: &[Element]) -> BTreeSet<&str> {
    let all: Vec<&str> = elements.iter().filter_map(|element| Some(element.attributes.get("id")?.as_str())).collect();
    let ids: BTreeSet<&str> = all.iter().copied().collect();
    assert_eq!(ids.len(), all.len(), "an id stands twice");
    ids
}
