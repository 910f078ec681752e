//! *Alone* is a process that reaches nothing but itself: the program runs once more in a network namespace of its own,
//! where the system gives one.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use turnproof_suite::subject::Stop;

/// What says that this is the process that is alone.
const MARK: &str = "TURNPROOF_ALONE";

/// Takes the loopback up, and then runs a command.
const LOOPBACK: &str = r#"ip link set lo up 2>/dev/null || ifconfig lo up || exit 1; exec "$0" "$@""#;

/// Where a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// It is alone already.
    Is,
    /// The system does not give that; it runs as it is.
    Cannot,
    /// It has run once more, alone, and has ended with this exit code; a signal has none.
    Was(Option<i32>),
}

/// Runs this program again, with its arguments, where it reaches nothing but itself.
///
/// # Errors
/// When it cannot be started again.
pub fn alone(stop: &Stop) -> io::Result<Alone> {
    if env::var_os(MARK).is_some() {
        return Ok(Alone::Is);
    }
    let tried = within("true".as_ref()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        return Ok(Alone::Cannot);
    }
    let program = env::current_exe()?;
    let mut child = within(program.as_os_str()).args(env::args_os().skip(1)).env(MARK, "1").spawn()?;
    let mut is_asked = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Alone::Was(status.code()));
        }
        // A terminal gives the signal to both; whoever asks this one to end has asked it alone.
        if stop.is_set() && !is_asked {
            is_asked = true;
            let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        }
        sleep(Duration::from_millis(20));
    }
}

/// A command that runs a program where it reaches nothing but itself.
fn within(program: &OsStr) -> Command {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--net", "sh", "-c", LOOPBACK]).arg(program);
    command
}
