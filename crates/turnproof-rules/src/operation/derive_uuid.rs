//! The operation `derive_uuid`: parent id and index to the derived id.

use serde::{Deserialize, Serialize};

use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// What a subject answers when it makes an id: the id, or why it refuses.
pub type Answer = Result<String, String>;

/// The ids that a subject derived from one parent; each index was asked twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Derived {
    /// The parent's id.
    pub parent: String,
    /// The block indexes.
    pub indexes: Vec<u64>,
    /// The answer to each index.
    pub answers: Vec<Answer>,
    /// The answer to each index, asked again after all of them.
    pub again: Vec<Answer>,
}

impl Observation for Derived {
    type WorkedOut<'a> = ();

    /// Asks for the ids of each parent and index, then for all of them again.
    fn observe(subject: &dyn Subject, material: &dyn Material, _: Depth) -> Option<Answers<Self>> {
        let indexes = material.indexes();
        let derive = |parent: &str| {
            let ask = |index: &u64| subject.derive_uuid(parent, *index).into_answer();
            let answers = indexes.iter().map(ask).collect::<Option<Vec<_>>>()?;
            let again = indexes.iter().map(ask).collect::<Option<Vec<_>>>()?;
            Some(Self { parent: parent.to_owned(), indexes: indexes.to_vec(), answers, again })
        };
        material.ids().into_iter().map(derive).collect::<Option<Vec<_>>>().map(Ok)
    }
}
