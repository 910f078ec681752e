//! *Building* the programs of the targets, and where they lie then.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What a target is built with beside the fuzzer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Sanitizer {
    /// Nothing: fast, and any toolchain will do
    None,
    /// The address sanitizer, which needs the nightly toolchain
    Address,
}

impl Sanitizer {
    const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Address => "address",
        }
    }
}

/// Why there are no programs.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    /// There is no Cargo.
    #[error("cannot run cargo: {0}; `--no-build --programs DIR` does without it")]
    NoCargo(io::Error),
    /// There is no cargo-fuzz.
    #[error("cargo-fuzz is missing; install it: cargo install cargo-fuzz --locked")]
    NoCargoFuzz,
    /// It did not build.
    #[error("the targets cannot be built; cargo says why above")]
    Failed,
    /// It did not build with a sanitizer.
    #[error(
        "the targets cannot be built; `--sanitizer address` needs the nightly toolchain: \
         RUSTUP_TOOLCHAIN=nightly turnproof fuzz-all --sanitizer address"
    )]
    NotWithSanitizer,
    /// Cargo does not tell what is asked.
    #[error("cargo does not tell where it puts programs ({0}); name their folder with --programs")]
    Unknown(&'static str),
}

/// Builds one target, or all of them; what Cargo says goes to standard error.
pub(super) fn build(fuzz: &Path, sanitizer: Sanitizer, target: Option<&str>) -> Result<(), BuildError> {
    let asked = cargo(["fuzz", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !asked.map_err(BuildError::NoCargo)?.success() {
        return Err(BuildError::NoCargoFuzz);
    }
    let mut command = cargo(["fuzz", "build", "--sanitizer", sanitizer.name(), "--target"]);
    command.arg(host()?).arg("--fuzz-dir").arg(fuzz).args(target).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(BuildError::NoCargo)?;
    if let Some(mut out) = child.stdout.take() {
        // Standard output is for the summary. That nobody reads this is no reason not to build.
        let _ = io::copy(&mut out, &mut io::stderr());
    }
    match (child.wait().map_err(BuildError::NoCargo)?.success(), sanitizer) {
        (true, _) => Ok(()),
        (false, Sanitizer::None) => Err(BuildError::Failed),
        (false, Sanitizer::Address) => Err(BuildError::NotWithSanitizer),
    }
}

/// Where cargo-fuzz puts the programs.
pub(super) fn programs(fuzz: &Path) -> Result<PathBuf, BuildError> {
    let mut command = cargo(["metadata", "--format-version=1", "--no-deps", "--offline", "--manifest-path"]);
    let output = command.arg(fuzz.join("Cargo.toml")).stderr(Stdio::null()).output();
    let output = output.map_err(BuildError::NoCargo)?;
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let folder = metadata["target_directory"].as_str().ok_or(BuildError::Unknown("no target_directory"))?;
    Ok(Path::new(folder).join(host()?).join("release"))
}

/// The platform that programs are built for.
fn host() -> Result<String, BuildError> {
    let output = cargo(["-vV"]).output().map_err(BuildError::NoCargo)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(|host| host.trim().to_owned()).ok_or(BuildError::Unknown("no host"))
}

/// The Cargo that runs this program, or else the one on the path.
fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(arguments).stdin(Stdio::null());
    command
}
