//! The *program* of a target, which cargo-fuzz builds and libFuzzer runs, and the folders that it works in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use turnproof::fuzzing::{Broken, Target};

use super::crash::read;

/// The longest input, in bytes; regression cases are no longer either.
pub const LONGEST_INPUT: usize = 4096;

/// The seconds and megabytes that an input may take. Without the last one, libFuzzer keeps slow inputs as finds.
const LIMITS: [&str; 3] = ["-timeout=10", "-rss_limit_mb=2048", "-report_slow_units=100"];

/// The folder of summaries, inputs not filed yet, and temporary files.
pub const NIGHT: &str = "fuzz/night";

/// The inputs that reached something new.
pub fn corpus(target: &Target) -> PathBuf {
    Path::new("fuzz/corpus").join(target.name)
}

/// The folder of committed seeds, when there is one.
pub fn seeds(target: &Target) -> Option<PathBuf> {
    Some(Path::new("fuzz/seeds").join(target.name)).filter(|path| path.is_dir())
}

/// The inputs that crashed and are not filed yet.
pub fn found(target: &Target) -> PathBuf {
    Path::new(NIGHT).join("found").join(target.name)
}

/// Adds the path to an error of the file system.
pub fn at<T>(path: &Path, result: io::Result<T>) -> io::Result<T> {
    result.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

/// Makes a folder, and empties it.
pub fn clear(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        at(folder, fs::remove_dir_all(folder))?;
    }
    at(folder, fs::create_dir_all(folder))
}

/// The files of a folder.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    at(folder, fs::read_dir(folder))?.map(|entry| Ok(entry?.path())).collect()
}

/// Writes a file of the night whole, or not at all.
pub fn put(name: &str, bytes: &[u8]) -> io::Result<()> {
    let (path, new) = (Path::new(NIGHT).join(name), Path::new(NIGHT).join("tmp/new"));
    at(&new, fs::write(&new, bytes))?;
    at(&path, fs::rename(&new, &path))
}

/// The programs of all targets, and how they are run.
pub struct Programs {
    /// Where they lie.
    pub folder: PathBuf,
    /// On how many cores one fuzzes.
    pub jobs: usize,
}

/// Builds one target, or all of them, and gives the folder of the programs.
pub fn build(only: Option<&str>) -> io::Result<PathBuf> {
    let version = String::from_utf8_lossy(&Command::new("cargo").arg("-vV").output()?.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| io::Error::other("`cargo -vV` names no host"))?;
    let mut command = Command::new("cargo");
    command.args(["fuzz", "build", "--sanitizer", "none", "--target-dir", "target", "--target", host]);
    match command.args(only).stdout(io::stderr()).status()?.success() {
        true => Ok(Path::new("target").join(host).join("release")),
        false => Err(io::Error::other("nothing is built. No cargo-fuzz? cargo install cargo-fuzz --locked")),
    }
}

impl Programs {
    /// Fuzzes for some seconds, on all cores; gives what libFuzzer said.
    pub fn fuzz(&self, target: &Target, seconds: u64) -> io::Result<String> {
        let mut command = self.command(target);
        command.arg(format!("-fork={}", self.jobs)).arg(format!("-max_total_time={seconds}"));
        command.args(["-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]);
        // libFuzzer's power schedule takes as long as the targets. Without it, more is covered in the same time.
        command.arg("-entropic=0").arg(corpus(target)).args(seeds(target));
        Ok(ended(&mut command)?.1)
    }

    /// How an input ends the program. `None` when it does not.
    pub fn crash(&self, target: &Target, input: &Path) -> io::Result<Option<Broken>> {
        let (status, text) = ended(self.command(target).arg(input))?;
        let unknown = || Broken { place: String::new(), rule: Some(status.to_string()), message: status.to_string() };
        Ok((!status.success()).then(|| read(&text).unwrap_or_else(unknown)))
    }

    /// The smallest input that libFuzzer finds to crash in the same way, within a minute. `None` when it finds none.
    pub fn smaller(&self, target: &Target, crash: &Broken, input: &Path) -> io::Result<Option<Vec<u8>>> {
        let smaller = Path::new(NIGHT).join("tmp/smaller");
        clear(&Path::new(NIGHT).join("tmp"))?;
        let mut command = self.command(target);
        command.args(["-minimize_crash=1", "-max_total_time=60"]);
        ended(command.arg(format!("-exact_artifact_path={}", smaller.display())).arg(input))?;
        let is_like = |other: Broken| other.is_like(crash);
        let is_same = smaller.exists() && self.crash(target, &smaller)?.is_some_and(is_like);
        is_same.then(|| at(&smaller, fs::read(&smaller))).transpose()
    }

    /// Keeps the inputs of a corpus that together reach all that it reaches. Gives their number before and after;
    /// `None` when libFuzzer fails or keeps none of them, and so the corpus stays as it is.
    pub fn merge(&self, target: &Target) -> io::Result<Option<(usize, usize)>> {
        let (corpus, kept) = (corpus(target), Path::new(NIGHT).join("tmp/kept"));
        clear(&kept)?;
        let mut command = self.command(target);
        let (status, _) = ended(command.arg("-merge=1").args([&kept, &corpus]).args(seeds(target)))?;
        let (before, after) = (files(&corpus)?, files(&kept)?);
        if !status.success() || after.is_empty() {
            return Ok(None);
        }
        // Move first, then remove: a stop in between loses nothing.
        for path in &after {
            at(path, fs::rename(path, corpus.join(path.file_name().unwrap_or_default())))?;
        }
        for path in &before {
            if !after.iter().any(|kept| kept.file_name() == path.file_name()) {
                at(path, fs::remove_file(path))?;
            }
        }
        Ok(Some((before.len(), after.len())))
    }

    /// The program with what holds for every run of it.
    fn command(&self, target: &Target) -> Command {
        let mut command = Command::new(self.folder.join(target.name));
        command.arg(format!("-artifact_prefix={}/", found(target).display()));
        let words = target.shape.map(|shape| format!("fuzz/dictionaries/{}.dict", shape.name()));
        command.args(words.filter(|path| Path::new(path).is_file()).map(|path| format!("-dict={path}")));
        command.arg(format!("-max_len={LONGEST_INPUT}")).args(LIMITS);
        // What libFuzzer leaves behind when it is stopped goes with this folder.
        command.env("TMPDIR", Path::new(NIGHT).join("tmp")).env("RUST_BACKTRACE", "0");
        command
    }
}

/// How a command ended, and what it wrote to standard error.
fn ended(command: &mut Command) -> io::Result<(ExitStatus, String)> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let output = command.output()?;
    Ok((output.status, String::from_utf8_lossy(&output.stderr).into_owned()))
}
