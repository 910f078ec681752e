//! A *turn* as the client sends it.

use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::json::{ObjectWriter, Text, named, push_quoted};
use crate::message::{Block, Content, Typed};

named! {
    /// Who speaks. Newer models take reminders as turns of their own.
    pub enum ClientRole {
        User = "user",
        Assistant = "assistant",
        System = "system",
    }
    /// The role's name in a request.
    name
}

/// A turn of a request as the client sends it.
///
/// Written as JSON it is `{"role": …, "content": a text, or blocks}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientTurn {
    /// Who speaks.
    pub role: ClientRole,
    /// What is said. A message that stands alone keeps its text as it is.
    pub content: Content,
}

impl ClientTurn {
    pub(super) fn new(role: ClientRole, blocks: Vec<Block>) -> Self {
        Self { role, content: Content::Blocks(blocks) }
    }

    pub(super) fn plain(role: ClientRole, text: impl Into<Text>) -> Self {
        Self { role, content: Content::Text(text.into()) }
    }

    /// The turn as JSON.
    pub fn to_json(&self) -> String {
        let mut json = String::new();
        let mut object = ObjectWriter::begin(&mut json);
        push_quoted(object.member("role"), self.role.name());
        self.content.write_to(object.member("content"));
        object.end();
        json
    }
}

impl Serialize for ClientTurn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut turn = serializer.serialize_struct("ClientTurn", 2)?;
        turn.serialize_field("role", self.role.name())?;
        turn.serialize_field("content", &self.content)?;
        turn.end()
    }
}
