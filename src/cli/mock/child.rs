//! The *command* that is run against a mock, with the variables that clients and SDKs read.

use std::env;
use std::process::{self, Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::cli::Failure;

/// A command that runs.
pub(super) struct Child(process::Child);

/// How a command has ended.
pub(super) enum Ended {
    /// With the exit code 0.
    Well,
    /// Otherwise, and how.
    Failed(String),
}

/// How long a command may take to end by itself when the run is ended.
const GRACE: Duration = Duration::from_millis(300);

impl Child {
    /// Starts a command. It fails where there is none of that name.
    pub(super) fn start(words: &[String], url: &str) -> Result<Self, Failure> {
        let [program, arguments @ ..] = words else {
            return Err(Failure::Usage("there is no command behind `--`".to_owned()));
        };
        let mut command = Command::new(program);
        command.args(arguments).envs(variables(url)).env_remove("ANTHROPIC_AUTH_TOKEN");
        let child = command.spawn();
        child.map(Self).map_err(|error| Failure::Usage(format!("cannot run {program}: {error}")))
    }

    /// How it has ended, if it has.
    pub(super) fn ended(&mut self) -> Result<Option<Ended>, Failure> {
        let status = self.0.try_wait().map_err(|error| Failure::Internal(error.to_string()))?;
        Ok(status.map(|status: ExitStatus| match status.success() {
            true => Ended::Well,
            false => Ended::Failed(status.to_string()),
        }))
    }
}

impl Drop for Child {
    /// Ends it, where it has not ended by itself: a terminal gives it the signal too.
    fn drop(&mut self) {
        let start = Instant::now();
        while start.elapsed() < GRACE {
            if !matches!(self.0.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // It may have ended in between.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What clients read to find the API, a key, and the way around proxies.
fn variables(url: &str) -> Vec<(&'static str, String)> {
    let local = "127.0.0.1,localhost";
    let beside = |name: &str| match env::var(name) {
        Ok(known) if !known.is_empty() => format!("{known},{local}"),
        _ => local.to_owned(),
    };
    let mut variables = turnproof_mock::environment(url);
    variables.extend(["NO_PROXY", "no_proxy"].map(|name| (name, beside(name))));
    variables
}
