//! The operation `short_id`: an id to its short form.

use serde::{Deserialize, Serialize};

use super::derive_uuid::Answer;
use crate::subject::Subject;
use crate::{Answers, Depth, Material, Observation};

/// The short id that a subject made of a uuid, asked twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortened {
    /// The id to shorten.
    pub uuid: String,
    /// The answer.
    pub answer: Answer,
    /// The answer, asked again.
    pub again: Answer,
}

impl Observation for Shortened {
    type WorkedOut<'a> = ();

    /// Asks for the short form of each id, twice.
    fn observe(subject: &dyn Subject, material: &dyn Material, _: Depth) -> Option<Answers<Self>> {
        let shorten = |uuid: &str| {
            let answer = subject.short_id(uuid).into_answer()?;
            let again = subject.short_id(uuid).into_answer()?;
            Some(Self { uuid: uuid.to_owned(), answer, again })
        };
        material.ids().into_iter().map(shorten).collect::<Option<Vec<_>>>().map(Ok)
    }
}
