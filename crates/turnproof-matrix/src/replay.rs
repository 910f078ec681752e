//! A *replay* plays the kept cases alone, and says which still break their rule.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::Failure;
use crate::adapter::Adapter;
use crate::again::{Again, again};
use crate::kept::Kept;

/// What a library did with its kept cases.
enum Replayed {
    Skipped(String),
    Cases(Vec<(Kept, Again)>),
}

/// Plays the kept cases of each library. The exit code is 1 when one does not break its rule any more.
pub(crate) fn replay(pool: &ThreadPool, adapters: &[Adapter], folder: &Path) -> Result<ExitCode, Failure> {
    let replayed: Vec<(&Adapter, Replayed)> = pool.install(|| {
        let all = adapters.par_iter().with_max_len(1);
        all.map(|adapter| Ok((adapter, replay_one(adapter, &folder.join(&adapter.folder))?)))
            .collect::<Result<_, Failure>>()
    })?;
    let mut out = io::stdout().lock();
    let (mut still, mut other) = (0, 0);
    for (adapter, replayed) in &replayed {
        match replayed {
            Replayed::Skipped(why) => writeln!(out, "skipped: {}: {why}", adapter.folder)?,
            Replayed::Cases(cases) => {
                for (kept, again) in cases {
                    let name = format!("{}/{}", adapter.folder, kept.file);
                    match again {
                        Again::Breaks => {
                            still += 1;
                            writeln!(out, "breaks: {name}")?;
                        }
                        Again::Else(how) => {
                            other += 1;
                            writeln!(out, "NOT ANY MORE: {name}: {how}")?;
                        }
                    }
                }
            }
        }
    }
    writeln!(out, "{still} still break their rule, {other} do not")?;
    Ok(ExitCode::from(u8::from(other > 0)))
}

fn replay_one(adapter: &Adapter, folder: &Path) -> Result<Replayed, Failure> {
    let kept = Kept::all(folder)?;
    if kept.is_empty() {
        return Ok(Replayed::Skipped("it has no kept cases".to_owned()));
    }
    if let Err(why) = adapter.install() {
        return Ok(Replayed::Skipped(why));
    }
    let program = match adapter.start() {
        Ok(program) => program,
        Err(error) => return Ok(Replayed::Skipped(format!("it does not start: {error}"))),
    };
    let play = |kept: Kept| {
        let again = again(&program, &kept);
        (kept, again)
    };
    let cases = kept.into_iter().map(play).collect();
    program.stop();
    Ok(Replayed::Cases(cases))
}
