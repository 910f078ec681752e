//! *Alone* is a process that reaches nothing but itself: the command runs once more in a network namespace of its own,
//! where the system gives one.

use std::env;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::cli::signals::Signals;
use crate::cli::{Exit, Failure};

/// What says that this is the process that is alone.
const MARK: &str = "TURNPROOF_ALONE";

/// Takes the loopback up, and then runs a command.
const LOOPBACK: &str = r#"ip link set lo up 2>/dev/null || ifconfig lo up || exit 1; exec "$0" "$@""#;

/// Runs this command again where it reaches nothing; gives how that has ended. `None` where this is that process, or
/// where the system does not give it.
pub(super) fn run_again(signals: &Signals) -> Result<Option<Exit>, Failure> {
    if env::var_os(MARK).is_some() {
        return Ok(None);
    }
    let system = |error: std::io::Error| Failure::Internal(error.to_string());
    let within = |program: &std::ffi::OsStr| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--net", "sh", "-c", LOOPBACK]).arg(program);
        command
    };
    let tried = within("true".as_ref()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        eprintln!("turnproof: there is no network namespace here; the client can reach what this program can");
        return Ok(None);
    }
    let program = env::current_exe().map_err(system)?;
    let mut command = within(program.as_os_str());
    let mut child = command.args(env::args_os().skip(1)).env(MARK, "1").spawn().map_err(system)?;
    let mut is_ended = false;
    loop {
        if let Some(status) = child.try_wait().map_err(system)? {
            let ended = status.code().and_then(Exit::of_code);
            return ended.or(signals.ended()).map(Some).ok_or_else(|| Failure::Internal(format!("it ended: {status}")));
        }
        // A terminal gives the signal to both; whoever asks this one to end has asked it alone.
        if signals.ended().is_some() && !is_ended {
            is_ended = true;
            let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        }
        sleep(Duration::from_millis(20));
    }
}
