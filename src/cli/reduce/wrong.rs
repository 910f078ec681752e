//! What a program does *wrong* with a session, as `turnproof fuzz` judges it.

use std::cell::Cell;

use turnproof_rules::operation::Operation;
use turnproof_rules::rules::Rule;
use turnproof_suite::fuzzing::campaign::{HANGS, Problem};
use turnproof_suite::subject::program::Program;

use super::super::Failure;
use super::super::subject::Listening;

/// The operations that are asked about a session, the first one first.
const ASKED: [Operation; 2] = [Operation::Parse, Operation::Resume];

/// A problem that a program has with a session.
pub(super) struct Wrong<'p> {
    program: Listening<'p>,
    problem: Problem,
    /// How often the time limit of an answer may still pass.
    hangs_left: Cell<usize>,
}

impl<'p> Wrong<'p> {
    /// The first problem of a program with a session, and how many others it has there; `None` when it has none.
    pub(super) fn first(
        program: &'p Program,
        named: Option<&str>,
        rules: Option<&[&Rule]>,
        session: &[u8],
    ) -> Result<Option<(Self, usize)>, Failure> {
        let listening = Listening(program);
        for operation in operations(program, named)? {
            let problems = Problem::all(&listening, operation, session, rules);
            let others = problems.len().saturating_sub(1);
            if let Some(problem) = problems.into_iter().next() {
                let problem = problem.asked_least(&listening, session);
                return Ok(Some((Self { program: listening, problem, hangs_left: Cell::new(HANGS) }, others)));
            }
        }
        Ok(None)
    }

    /// Whether the program has it with another session; `None` when it took too long too often.
    pub(super) fn is_shown_by(&self, session: &[u8], is_patient: bool) -> Option<bool> {
        let is_hang = self.problem.is_hang() && !is_patient;
        if is_hang && self.hangs_left.get() == 0 {
            return None;
        }
        let shows = self.problem.is_shown_by(&self.program, session);
        if is_hang && shows {
            self.hangs_left.set(self.hangs_left.get() - 1);
        }
        Some(shows)
    }

    /// The problem in words.
    pub(super) fn words(&self) -> String {
        self.problem.to_string()
    }
}

/// What is asked: what is named, or else all of them that the program does.
fn operations(program: &Program, named: Option<&str>) -> Result<Vec<Operation>, Failure> {
    let is_wanted = |operation: &Operation| {
        program.announces(operation.name()) && named.is_none_or(|named| named == operation.name())
    };
    match ASKED.into_iter().filter(is_wanted).collect::<Vec<_>>() {
        none if none.is_empty() => {
            let announced = program.announcement().operations.join(", ");
            let wanted = named.unwrap_or("parse or resume");
            Err(Failure::Usage(format!("the subject does not announce {wanted}; it announces {announced}")))
        }
        operations => Ok(operations),
    }
}
