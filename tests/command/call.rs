//! A *call* of the command: what it prints, and how it ends.

use assert_cmd::Command;

/// The command with these arguments, whatever colours the environment asks for.
pub(crate) fn turnproof(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("turnproof"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// Exit code, standard output and standard error.
pub(crate) fn run(command: &mut Command) -> (i32, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Whether there is a Python to run subjects with; says so where a test skips.
pub(crate) fn has_python() -> bool {
    let has = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has {
        eprintln!("skipped: there is no python3");
    }
    has
}
