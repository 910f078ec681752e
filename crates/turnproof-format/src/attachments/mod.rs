//! *Attachments*: what the model is to know of each kind, what must never be sent, and how the reference says it.
//!
//! To add a kind is to add its row to [`ATTACHMENTS`]. A path such as `files[].uri` leads from member to member, and
//! into each element of a list.

mod table;

pub use table::ATTACHMENTS;

/// What becomes of a kind of attachment in a request (SPEC.md section 6.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Its `type`.
    pub kind: &'static str,
    /// The values of `hookEvent` for which the row holds; empty when it holds for all. The first row that holds counts.
    pub events: &'static [&'static str],
    /// The paths of what the model must know; [`A_TEXT`]; or a path after [`MEDIUM_OF`].
    pub told: &'static [&'static str],
    /// The paths of what must not be sent, or [`EVERYTHING`].
    pub never: &'static [&'static str],
    /// The paths of what may be sent, or not; or [`EVERYTHING`].
    pub free: &'static [&'static str],
    /// How the reference begins its text. Where no line says anything, there is a text only if [`A_TEXT`] is wanted.
    pub head: &'static str,
    /// How the reference says the rest; without lines, it says what is at the paths of `told`.
    pub lines: &'static [Line],
    /// Examples for the generators.
    pub examples: &'static [Example],
}

/// An example of an attachment: its name in plans, and its JSON. `$` stands for a text, `@` for the id of a call.
pub type Example = (&'static str, &'static str);

/// Of `told`: the kind itself is news, so there is a text whatever the members say.
pub const A_TEXT: &str = "a text";

/// Of `never` and `free`: all that the attachment has.
pub const EVERYTHING: &str = "everything";

/// Of `told`: the object at the path behind this is an image or a document.
pub const MEDIUM_OF: &str = "medium of ";

/// One part of the reference's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// A label, and the texts and whole numbers at a path.
    Say(&'static str, &'static str),
    /// The same, said in front of other words, and never alone.
    Beside(&'static str, &'static str),
    /// The elements at a path: of each the texts of some members, and then more lines.
    Each(&'static str, &'static [&'static str], &'static [Line]),
}

/// What a row says where it says nothing.
const NONE: Attachment =
    Attachment { kind: "", events: &[], told: &[], never: &[], free: &[], head: "", lines: &[], examples: &[] };

/// The row for an attachment of this type, of a hook at this event; `None` for kinds that nobody knows.
pub fn attachment(kind: &str, event: &str) -> Option<&'static Attachment> {
    let holds = |row: &&Attachment| row.kind == kind && (row.events.is_empty() || row.events.contains(&event));
    ATTACHMENTS.iter().find(holds)
}

impl Attachment {
    /// Whether the kind itself is news.
    pub fn is_news(&self) -> bool {
        self.told.contains(&A_TEXT)
    }

    /// The paths at which it has images and documents.
    pub fn media(&self) -> impl Iterator<Item = &'static str> {
        self.told.iter().filter_map(|entry| entry.strip_prefix(MEDIUM_OF))
    }

    /// The paths of the texts that the model must know.
    pub fn texts(&self) -> impl Iterator<Item = &'static str> {
        self.told.iter().copied().filter(|entry| *entry != A_TEXT && !entry.starts_with(MEDIUM_OF))
    }
}

/// Every example, in the order of the rows.
pub const EXAMPLES: [Example; count()] = {
    let mut examples = [("", ""); count()];
    let (mut row, mut at) = (0, 0);
    while row < ATTACHMENTS.len() {
        let of_row = ATTACHMENTS[row].examples;
        let mut next = 0;
        while next < of_row.len() {
            examples[at] = of_row[next];
            at += 1;
            next += 1;
        }
        row += 1;
    }
    examples
};

const fn count() -> usize {
    let (mut count, mut row) = (0, 0);
    while row < ATTACHMENTS.len() {
        count += ATTACHMENTS[row].examples.len();
        row += 1;
    }
    count
}
