//! `turnproof test --snapshots`: what a subject makes of stored conversations, against what was reviewed.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::signals::Signals;
use crate::cli::{Exit, Failure, quietly, stdout, write_page};
use crate::report::snapshots::{SnapshotError, Update, conversations, conversations_of, page, review};

#[derive(Args)]
pub(super) struct Arguments {
    /// Instead: compare what the subject makes of stored conversations with the snapshots of this folder, which are
    /// those of insta: `cargo insta review` shows what is new or changed; INSTA_UPDATE=always accepts it
    #[arg(long, value_name = "DIR", conflicts_with_all = ["client", "seed", "cases", "time", "shard", "rules", "profile", "threads", "regressions", "known", "log"])]
    pub(super) snapshots: Option<PathBuf>,
    /// The conversations, a JSON Lines file each [default: 57 that are built in]
    #[arg(long, value_name = "DIR", requires = "snapshots")]
    conversations: Option<PathBuf>,
}

pub(super) fn run(arguments: &super::Arguments, folder: &Path) -> Result<Exit, Failure> {
    let usage = |error: SnapshotError| Failure::Usage(error.to_string());
    let named = arguments.snapshots.conversations.as_deref();
    let conversations = named.map_or(Ok(conversations()), conversations_of).map_err(usage)?;
    let signals = Signals::catch()?;
    let judged = match (arguments.subject.start(signals.stop()), signals.ended()) {
        (Err(_), Some(exit)) => return Ok(exit),
        (judged, _) => judged?,
    };
    let update = Update::of_environment();
    let reviewed = quietly(|| review(judged.subject(), &conversations, folder, update)).map_err(usage)?;
    judged.stop();
    if let Some(exit) = signals.ended() {
        return Ok(exit);
    }
    let mut out = stdout();
    write!(out, "{reviewed}")?;
    if reviewed.wrong().next().is_some() {
        writeln!(out, "accept with `cargo insta review`, or all with INSTA_UPDATE=always")?;
    }
    if let Some(folder) = &arguments.report {
        writeln!(out, "report: {}", write_page(folder, &page(&reviewed, &conversations))?.display())?;
    }
    out.flush()?;
    Ok(match reviewed.snapshots.is_empty() {
        true => Exit::Nothing,
        false if reviewed.holds() => Exit::Held,
        false => Exit::Broken,
    })
}
