//! A *run* judges each library, confirms its breaches from their files in a new process, and writes the matrix.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::adapter::Adapter;
use crate::again::{Again, again};
use crate::class::Class;
use crate::field::Field;
use crate::judge::{Effort, Judged, judge};
use crate::kept::{Kept, KeptError};
use crate::report::{Matrix, Subject};
use crate::{Arguments, Failure};

/// What became of a library.
enum Outcome {
    Judged(Subject),
    Skipped(Adapter, String),
}

/// Judges the libraries, as many at the same time as the pool has threads.
pub(crate) fn run(pool: &ThreadPool, adapters: Vec<Adapter>, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let outcomes: Vec<Outcome> = pool.install(|| {
        // One after the other, so that each library that a thread is free for is the next one.
        let judged = adapters.into_par_iter().with_max_len(1).map(|adapter| judge_one(adapter, arguments));
        judged.collect::<Result<_, _>>()
    })?;
    let (seed, cases, date) = (arguments.seed, arguments.cases, arguments.date.clone());
    let mut matrix = Matrix { seed, cases, date, subjects: Vec::new(), skipped: Vec::new() };
    for outcome in outcomes {
        match outcome {
            Outcome::Judged(subject) => matrix.subjects.push(subject),
            Outcome::Skipped(adapter, why) => matrix.skipped.push((adapter, why)),
        }
    }
    matrix.write(&arguments.out)?;
    let mut out = io::stdout().lock();
    for (adapter, why) in &matrix.skipped {
        writeln!(out, "skipped: {}: {why}", adapter.folder)?;
    }
    for subject in &matrix.subjects {
        writeln!(out, "{}", line(subject))?;
    }
    writeln!(out, "written to {}: matrix.md, matrix.html, matrix.jsonl, cases/", arguments.out.display())?;
    Ok(ExitCode::SUCCESS)
}

/// What is printed of a library.
fn line(subject: &Subject) -> String {
    let of = |class: Class| {
        let breaches = subject.judged.iter().flat_map(|judged| &judged.breaches);
        breaches.filter(|kept| kept.class == class && kept.is_confirmed).count()
    };
    let unconfirmed =
        subject.judged.iter().flat_map(|judged| &judged.breaches).filter(|kept| !kept.is_confirmed).count();
    let cases: u64 = subject.judged.iter().map(|judged| judged.cases).sum();
    let unsupported: u64 = subject.judged.iter().flat_map(|judged| judged.unsupported.values()).sum();
    format!(
        "{}: {cases} cases, {unsupported} unsupported; breaches with a smallest case: {} of legal histories, {} anew, \
         {} passed on, {unconfirmed} not confirmed",
        subject.adapter.folder,
        of(Class::Legal),
        of(Class::Anew),
        of(Class::PassedOn),
    )
}

fn judge_one(adapter: Adapter, arguments: &Arguments) -> Result<Outcome, Failure> {
    eprintln!("{}: begins", adapter.folder);
    if let Err(why) = adapter.install() {
        return Ok(Outcome::Skipped(adapter, why));
    }
    let program = match adapter.start() {
        Ok(program) => program,
        Err(error) => return Ok(Outcome::Skipped(adapter, format!("it does not start: {error}"))),
    };
    let effort = Effort { seed: arguments.seed, cases: arguments.cases, tries: arguments.tries };
    let fields = program.operations().into_iter().filter_map(Field::of);
    let mut judged: Vec<Judged> = Vec::new();
    for field in fields {
        judged.push(judge(&program, &adapter.about, &field, effort));
    }
    program.stop();
    let folder = arguments.out.join("cases").join(&adapter.folder);
    write_cases(&folder, &mut judged)?;
    confirm(&adapter, &folder, &mut judged)?;
    if arguments.keep {
        keep(&arguments.kept.join(&adapter.folder), &judged)?;
    }
    eprintln!("{}: ends", adapter.folder);
    Ok(Outcome::Judged(Subject { adapter, judged }))
}

/// Writes the smallest cases of a library into a folder that holds nothing else. Breaches of several operations by one
/// rule get names of their own.
fn write_cases(folder: &Path, judged: &mut [Judged]) -> Result<(), Failure> {
    emptied(folder)?;
    let mut named: Vec<Kept> = Vec::new();
    for kept in judged.iter_mut().flat_map(|judged| &mut judged.breaches) {
        kept.name(&named);
        kept.save(folder)?;
        named.push(kept.clone());
    }
    Ok(())
}

/// Takes the cases out of a folder, which need not be there.
fn emptied(folder: &Path) -> Result<(), io::Error> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Plays each case again as its file has it, in a new process.
fn confirm(adapter: &Adapter, folder: &Path, judged: &mut [Judged]) -> Result<(), Failure> {
    if judged.iter().all(|judged| judged.breaches.is_empty()) {
        return Ok(());
    }
    // What cannot be started again is not confirmed.
    let Ok(program) = adapter.start() else { return Ok(()) };
    for kept in judged.iter_mut().flat_map(|judged| &mut judged.breaches) {
        let read = Kept::read(&folder.join(&kept.file))?;
        kept.is_confirmed = again(&program, &read) == Again::Breaks;
    }
    program.stop();
    Ok(())
}

/// Puts the confirmed cases in place of those that were kept.
fn keep(folder: &Path, judged: &[Judged]) -> Result<(), KeptError> {
    emptied(folder).map_err(|error| KeptError::Io { path: folder.to_owned(), error })?;
    let confirmed = judged.iter().flat_map(|judged| &judged.breaches).filter(|kept| kept.is_confirmed);
    confirmed.into_iter().try_for_each(|kept| kept.save(folder))
}
