//! A night of fuzzing in one command: each target in turn on all cores, and each kind of find as one regression case.
//!
//! cargo-fuzz builds the targets and tidies their corpora. libFuzzer uses all cores and continues after a crash. This
//! program does what neither does: it shares the time, drops what was found before, and files the rest made smaller.

#[cfg(not(fuzzing))]
mod night {
    use std::fs;
    use std::hash::{DefaultHasher, Hash, Hasher};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::process::{Command, ExitCode};
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use clap::Parser;
    use turnproof_rules::rules::glob_matches;
    use turnproof_suite::fuzzing::{Broken, LawInput, Patience, TARGETS, Target, broken_by, smaller};

    /// Fuzz all targets in turn, for a night, and file what they find in tests/regressions/fuzz
    #[derive(Parser)]
    #[command(after_help = "Exit codes: 0 nothing was found, 1 something was found, 2 it cannot run")]
    struct Arguments {
        /// Only the targets whose name matches, such as 'normalize_*'
        #[arg(value_name = "TARGET")]
        targets: Vec<String>,
        /// How long the night is, such as 8h, 30m or 90s
        #[arg(long, value_name = "TIME", value_parser = seconds)]
        time: u64,
    }

    fn seconds(text: &str) -> Result<u64, String> {
        let (number, unit) = text.split_at(text.len().saturating_sub(1));
        let unit = [("h", 3600), ("m", 60), ("s", 1)].into_iter().find(|(name, _)| *name == unit);
        let time = unit.and_then(|(_, seconds)| number.parse::<u64>().ok()?.checked_mul(seconds));
        time.filter(|time| *time > 0).ok_or_else(|| "not a time such as 8h, 30m or 90s".to_owned())
    }

    pub fn run() -> ExitCode {
        match spend(&Arguments::parse()) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::from(1),
            Err(error) => {
                eprintln!("night: {error}");
                ExitCode::from(2)
            }
        }
    }

    /// Gives each target its share of the time. Gives how many finds are new.
    fn spend(Arguments { targets, time }: &Arguments) -> io::Result<usize> {
        let matches = |glob: &String, target: &Target| glob_matches(glob.as_bytes(), target.name.as_bytes());
        let is_wanted = |target: &&Target| targets.is_empty() || targets.iter().any(|glob| matches(glob, target));
        let wanted: Vec<&Target> = TARGETS.into_iter().filter(is_wanted).collect();
        if wanted.is_empty() || !cargo_fuzz("build").status()?.success() {
            return Err(io::Error::other("no target matches, or cargo-fuzz cannot build them"));
        }
        let share = (time / wanted.len() as u64).max(1);
        wanted.into_iter().try_fold(0, |finds, target| {
            fuzz(target, share)?;
            Ok(finds + file_all(target)?)
        })
    }

    fn cargo_fuzz(task: &str) -> Command {
        let mut command = Command::new("cargo");
        command.args(["fuzz", task, "-s", "none"]);
        command
    }

    fn fuzz(target: &Target, seconds: u64) -> io::Result<()> {
        let [corpus, found, seeds] =
            ["corpus", "artifacts", "seeds"].map(|folder| format!("fuzz/{folder}/{}", target.name));
        fs::create_dir_all(&corpus)?;
        fs::create_dir_all(&found)?;
        let mut command = cargo_fuzz("run");
        command.args([target.name, &corpus, &seeds, "--", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"]);
        command.args(["-max_len=4096", "-timeout=10", "-rss_limit_mb=2048", "-report_slow_units=100"]);
        command.args(target.shape.map(|shape| format!("-dict=fuzz/dictionaries/{}.dict", shape.name())));
        command.arg(format!("-fork={}", thread::available_parallelism()?)).arg(format!("-max_total_time={seconds}"));
        command.arg(format!("-artifact_prefix={found}/")).status()?;
        cargo_fuzz("cmin").args([target.name, &corpus]).status()?;
        Ok(())
    }

    /// Files each kind of find, the smallest inputs first. What does not break the law here, or not in time, is named and
    /// left where it is. Gives how many kinds are new.
    fn file_all(target: &Target) -> io::Result<usize> {
        let entries = fs::read_dir(Path::new("fuzz/artifacts").join(target.name))?;
        let mut inputs = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<PathBuf>>>()?;
        inputs.sort_by_cached_key(|path| fs::metadata(path).map_or(u64::MAX, |data| data.len()));
        let mut new = 0;
        for input in inputs {
            let bytes = fs::read(&input)?;
            let Some(broken) = in_time(*target, bytes.clone(), broken_by) else {
                println!("{}: {} is not broken here; replay it with cargo fuzz run", target.name, input.display());
                continue;
            };
            let case = case(target, &broken);
            if !case.exists() && !case.with_extension("json").exists() {
                let case = file(target, &bytes, &case)?;
                println!("{}: {}: {}", target.name, broken.message, case.display());
                new += 1;
            }
            fs::remove_file(&input)?;
        }
        Ok(new)
    }

    /// Where a kind of find is filed: under the rule that is broken, if one is, and a hash of its place.
    fn case(target: &Target, broken: &Broken) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        broken.place.hash(&mut hasher);
        let lower = broken.rule.as_deref().unwrap_or("panic").to_lowercase();
        let words: Vec<&str> =
            lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let name = format!("{:.60}-{:08x}", words.join("-"), hasher.finish() as u32);
        Path::new("tests/regressions/fuzz").join(target.name).join(name)
    }

    /// Writes a case, made smaller: a plan as JSON where there is one.
    fn file(target: &Target, bytes: &[u8], case: &Path) -> io::Result<PathBuf> {
        let smaller = in_time(*target, bytes.to_vec(), |target, bytes| smaller(target, bytes, Patience::default()));
        let (path, bytes) = match smaller.map(|smaller| smaller.input) {
            Some(LawInput::Plan(plan)) => (case.with_extension("json"), serde_json::to_vec_pretty(&plan)?),
            Some(LawInput::Bytes(bytes)) => (case.to_owned(), bytes),
            None => (case.to_owned(), bytes.to_vec()),
        };
        path.parent().map(fs::create_dir_all).transpose()?;
        fs::write(&path, bytes)?;
        Ok(path)
    }

    /// Work on an input, which may never end: after two minutes there is no answer. Its thread has a deep stack.
    fn in_time<T: Send + 'static>(
        target: Target,
        bytes: Vec<u8>,
        work: impl FnOnce(&Target, &[u8]) -> Option<T> + Send + 'static,
    ) -> Option<T> {
        let (sender, receiver) = channel();
        let work = move || drop(sender.send(work(&target, &bytes)));
        thread::Builder::new().stack_size(64 << 20).spawn(work).ok()?;
        receiver.recv_timeout(Duration::from_secs(120)).ok()?
    }
}

#[cfg(not(fuzzing))]
fn main() -> std::process::ExitCode {
    night::run()
}

// cargo-fuzz builds every program of this package, each with the hooks of libFuzzer. This one runs without them.
#[cfg(fuzzing)]
use turnproof_fuzz::libfuzzer_sys as _;

#[cfg(fuzzing)]
fn main() {}
