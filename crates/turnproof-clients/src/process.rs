//! A *process* of a client: it runs in a group of its own, for as long as it may, and ends with all that it has started.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use turnproof_suite::subject::Stop;

/// How a process has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the exit code 0.
    Well,
    /// With another one, or by a signal.
    Failed(String),
    /// It had not ended when its time was over.
    TimeOver,
    /// The run was stopped.
    Stopped,
}

/// A process that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// How.
    pub how: Ending,
    /// The end of what it has written to standard error, or else to standard output.
    pub said: String,
}

/// What is started.
pub(crate) struct Start<'a> {
    pub(crate) words: &'a [String],
    pub(crate) environment: &'a [(String, String)],
    pub(crate) work: &'a Path,
    /// A folder for what it writes.
    pub(crate) scratch: &'a Path,
    pub(crate) within: Duration,
    /// Whether it runs where its caller does, and sees its environment.
    pub(crate) is_at_home: bool,
}

/// How often it is looked whether it has ended.
const NAP: Duration = Duration::from_millis(10);

/// How much of what it has said is kept.
const KEPT: usize = 4000;

/// Runs a process to its end.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn finish(start: &Start<'_>, stop: &Stop) -> io::Result<Ended> {
    let (out, err) = (start.scratch.join("stdout"), start.scratch.join("stderr"));
    let mut command = Command::new(start.words.first().map_or("", String::as_str));
    command.args(start.words.get(1..).unwrap_or_default());
    if !start.is_at_home {
        command.env_clear().current_dir(start.work);
    }
    command.envs(start.environment.iter().cloned());
    command.stdin(Stdio::null()).stdout(File::create(&out)?).stderr(File::create(&err)?);
    let mut child = spawn(&mut command)?;
    let until = Instant::now() + start.within;
    let how = loop {
        if let Some(status) = child.try_wait()? {
            break ending(status);
        }
        if stop.is_set() {
            break Ending::Stopped;
        }
        if Instant::now() >= until {
            break Ending::TimeOver;
        }
        sleep(NAP);
    };
    end(&mut child);
    Ok(Ended { how, said: said(&err).or_else(|| said(&out)).unwrap_or_default() })
}

fn ending(status: ExitStatus) -> Ending {
    match status.success() {
        true => Ending::Well,
        false => Ending::Failed(status.to_string()),
    }
}

#[cfg(unix)]
fn spawn(command: &mut Command) -> io::Result<Child> {
    std::os::unix::process::CommandExt::process_group(command, 0).spawn()
}

#[cfg(not(unix))]
fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Ends it with all that stayed in its group.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It fails when there is nobody left.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    // It may have ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// The end of a file, where it says anything.
fn said(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&fs::read(path).ok()?).trim().to_owned();
    let from = text.char_indices().rev().nth(KEPT - 1).map_or(0, |(at, _)| at);
    text.get(from..).filter(|text| !text.is_empty()).map(str::to_owned)
}
