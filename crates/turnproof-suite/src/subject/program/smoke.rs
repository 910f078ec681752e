//! A *smoke test* asks a program a handful of cases that are made by hand, and says in words what it gets wrong.
//!
//! It looks at how the program answers, not at whether the answers are right: that is what a run of the suite is for.

use std::time::{Duration, Instant};

use serde::Serialize;

use super::crash::Crash;
use super::dialogue::Dialogue;
use super::wire::Answer;
use super::{METHODS, Program, Setup, StartError, schema, words};
use crate::operation::form::excerpt;

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Look {
    /// What was looked at: `start`, a method, `stop`, ….
    pub at: String,
    /// What came of it.
    pub verdict: Verdict,
    /// What was found, in words.
    pub found: String,
    /// The end of what the program wrote to standard error meanwhile, where it went wrong.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub said: String,
}

/// What came of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is as it should be.
    Right,
    /// It works, and is worth knowing.
    Note,
    /// The suite cannot judge this.
    Wrong,
}

/// An answer that takes longer makes a run long.
const SLOW: Duration = Duration::from_secs(1);

/// The cases: a method and its input.
const CASES: &str = include_str!("smoke.jsonl");

/// Asks the cases of what the program announces, until the setup's stop is set.
///
/// # Errors
/// When it cannot be started, or does not say which operations it does.
pub fn smoke(setup: Setup) -> Result<Vec<Look>, StartError> {
    let program = Program::start(Setup { jobs: 1, ..setup.clone() })?;
    let mut looks = vec![started(&program)];
    let cases = CASES.lines().filter_map(|line| line.split_once(' ')).filter(|(method, _)| program.announces(method));
    let asked = cases.map(|(method, input)| Some(asked(&program, method, input)));
    let more: [fn(&Program) -> Option<Look>; 2] = [strange, numbered];
    let more = more.into_iter().map(|look| look(&program));
    for look in asked.chain(more) {
        // Then nobody waited for the answer.
        if setup.stop.is_set() {
            return Ok(looks);
        }
        looks.extend(look);
    }
    if program.once().is_none() {
        program.stop();
        let look = stopped(&setup);
        if !setup.stop.is_set() {
            looks.push(look?);
        }
    }
    Ok(looks)
}

/// Starts a program, and stops it at once: one that was asked much may have died of it.
fn stopped(setup: &Setup) -> Result<Look, StartError> {
    let (dialogue, _) = Dialogue::start(&words(&setup.command)?, setup)?;
    Ok(match dialogue.stop() {
        Ok(()) => look("stop", Verdict::Right, "it ended with exit code 0"),
        Err(end) => look("stop", Verdict::Wrong, &end.to_string()),
    })
}

fn look(at: &str, verdict: Verdict, found: &str) -> Look {
    Look { at: at.to_owned(), verdict, found: found.to_owned(), said: String::new() }
}

fn started(program: &Program) -> Look {
    let announced = program.announcement();
    let found = format!("`{}` announces {}", announced.name, announced.operations.join(", "));
    look("start", Verdict::Right, &found)
}

/// Asks one case, and looks at the form of the answer.
fn asked(program: &Program, method: &str, input: &str) -> Look {
    let at = Instant::now();
    let (answer, said) = program.answer(method, input);
    let took = at.elapsed();
    let answer = answer.and_then(|said| form(method, &said.answer).map(|form| (form, said.line)));
    match answer {
        Ok((Form::Output, _)) if took > SLOW => {
            let words = format!("it answers, and is slow: a question took {:.1} s", took.as_secs_f64());
            look(method, Verdict::Note, &words)
        }
        Ok((Form::Output, _)) => look(method, Verdict::Right, "its answer has the right shape"),
        Ok((Form::Rejected, line)) => {
            let words = format!("it refuses a plain case, which no rule lets it: {}", excerpt(&line));
            look(method, Verdict::Note, &words)
        }
        Ok((Form::Unsupported, line)) => {
            let words = format!("it announces this, and then does not do it: {}", excerpt(&line));
            look(method, Verdict::Wrong, &words)
        }
        Err(crash) => Look { said, ..look(method, Verdict::Wrong, &format!("{crash}{}", hint(&crash))) },
    }
}

/// Asks for something that nobody announces.
fn strange(program: &Program) -> Option<Look> {
    let at = "an operation that it did not announce";
    let method = METHODS.iter().copied().find(|method| !program.announces(method)).unwrap_or("make_tea");
    let (answer, said) = program.answer(method, "{}");
    Some(match answer.map(|said| said.answer) {
        Ok(Answer { unsupported: Some(_), .. }) => look(at, Verdict::Right, "it answers `unsupported`"),
        Ok(_) => {
            let words = format!("it answers `{method}`: announce it, or answer {{\"seq\":…,\"unsupported\":\"why\"}}");
            look(at, Verdict::Note, &words)
        }
        Err(crash) => {
            let words = format!("`{method}`: {crash}; answer {{\"seq\":…,\"unsupported\":\"why\"}} instead");
            Look { said, ..look(at, Verdict::Note, &words) }
        }
    })
}

/// Asks a question whose number does not follow the last one; says nothing of a program that does not answer, or that
/// is started again for each question.
fn numbered(program: &Program) -> Option<Look> {
    if program.once().is_some() {
        return None;
    }
    let case = CASES.lines().find_map(|line| line.split_once(' ').filter(|(method, _)| program.announces(method)));
    let (method, input) = case?;
    let (mut dialogue, _) = Dialogue::start(&words(&program.setup.command).ok()?, &program.setup).ok()?;
    dialogue.skip_to(1_000_000);
    match dialogue.ask(method, input) {
        Ok(_) => Some(look("seq", Verdict::Right, "its answers repeat the number of the question")),
        Err(crash @ (Crash::OtherSeq | Crash::NoSeq)) => {
            let words = format!("{crash}: repeat the number of the question, do not count answers");
            Some(look("seq", Verdict::Wrong, &words))
        }
        Err(_) => None,
    }
}

/// Which of the three sorts of answers one is.
enum Form {
    Output,
    Rejected,
    Unsupported,
}

/// The sort of an answer, if its output has the shape that the method wants.
fn form(method: &str, answer: &Answer) -> Result<Form, Crash> {
    match (&answer.output, &answer.rejected) {
        (Some(output), _) => schema::check_output(method, output).map(|()| Form::Output),
        (None, Some(_)) => Ok(Form::Rejected),
        (None, None) => Ok(Form::Unsupported),
    }
}

/// What to do about a crash.
const fn hint(crash: &Crash) -> &'static str {
    match crash {
        Crash::NoAnswer { .. } => {
            "; standard output is for answers, one a line as JSON: print everything else to standard error"
        }
        Crash::Silent { .. } => "; end each answer with a line feed, and flush standard output behind it",
        Crash::OtherSeq | Crash::NoSeq => "; repeat the `seq` of the question",
        Crash::Ended { .. } => {
            "; catch what is thrown, and answer {\"seq\":…,\"rejected\":{\"message\":\"…\"}} where it is right"
        }
        Crash::Shape { .. } => "; `turnproof schema` prints the shapes",
        _ => "",
    }
}
