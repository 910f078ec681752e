//! The *damage benchmark*: sessions that were damaged on purpose, and what each repair tool makes of them.

mod case;
mod measure;
mod page;
mod reader;
mod tool;

use std::fs;
use std::io::{self, Write};
use std::process::ExitCode;

use turnproof_suite::scenario::SESSION_DAMAGES;

use crate::adapter::Adapter;
use crate::{Arguments, Failure};
use case::{Case, cases};
use measure::{Measured, measure};
use page::Page;
use reader::Reader;
use tool::Tool;

/// What every tool made of a case, in the order of the tools.
pub(crate) struct Row {
    pub case: Case,
    pub measured: Vec<Measured>,
}

/// Runs the benchmark, and writes its tables. The exit code is 1 where another tool brings back more than turnproof in
/// a row of them.
pub(crate) fn run(adapters: Vec<Adapter>, arguments: &Arguments, sessions: usize) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let does = |adapter: &Adapter, operation: &str| adapter.about.operations.iter().any(|name| name == operation);
    let (readers, others): (Vec<Adapter>, Vec<Adapter>) =
        adapters.into_iter().partition(|adapter| adapter.folder == reader::OFFICIAL);
    let mut tools = vec![Tool::None, Tool::Ours];
    for adapter in others.into_iter().filter(|adapter| does(adapter, "repair")) {
        match Tool::start(adapter) {
            Ok(tool) => tools.push(tool),
            Err(why) => writeln!(out, "skipped: {why}")?,
        }
    }
    let mut reader = match readers.into_iter().next().map(Reader::start) {
        Some(Ok(reader)) => Some(reader),
        Some(Err(why)) => {
            writeln!(out, "skipped: {}: {why}", reader::OFFICIAL)?;
            None
        }
        None => None,
    };
    let mut rows = Vec::new();
    for case in cases(arguments.seed, sessions) {
        let measured = tools.iter().map(|tool| measure(tool, &case, reader.as_mut())).collect();
        rows.push(Row { case, measured });
        if rows.len().is_multiple_of(100) {
            eprintln!("{} cases", rows.len());
        }
    }
    let page = Page {
        seed: arguments.seed,
        date: arguments.date.clone(),
        tools: &tools,
        reader: reader.as_ref(),
        rows: &rows,
    };
    fs::create_dir_all(&arguments.out)?;
    fs::write(arguments.out.join("repairs.md"), page.markdown())?;
    fs::write(arguments.out.join("repairs.jsonl"), page.lines())?;
    let better = page.better_than_ours();
    page.cases_better_than_ours().iter().try_for_each(|case| writeln!(out, "more in one case: {case}"))?;
    better.iter().try_for_each(|row| writeln!(out, "MORE IN A ROW: {row}"))?;
    let (kinds, cases) = (SESSION_DAMAGES.len(), rows.len());
    writeln!(
        out,
        "{kinds} kinds of damage, {cases} cases, written to {}: repairs.md, repairs.jsonl",
        arguments.out.display()
    )?;
    Ok(if better.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
