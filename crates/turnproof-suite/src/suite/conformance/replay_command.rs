//! The command that replays one case to a subject, in the program that judged it.

use std::env;
use std::path::Path;

use crate::suite::Regression;

/// The words that start the program which is running, such as `cargo test -p mine --test conformance`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again(String);

impl Again {
    /// The words of this program: by cargo, where cargo built it, else its path.
    pub fn of_this_program() -> Self {
        let path = env::current_exe().unwrap_or_default();
        Self(words(&path, env::var("CARGO_PKG_NAME").ok().as_deref()))
    }

    /// The line that plays the case of a regression, before it was shrunk, and no other case; or the stored one. `which`
    /// says which rule: the name of its test, or nothing where the variable does.
    pub(super) fn test(&self, regression: &Regression, name: &str) -> String {
        format!("{}{} {name}", variables(regression), self.0)
    }

    /// The same for a program that is no test of a rule: a variable says which rule is judged.
    pub fn line(&self, regression: &Regression) -> String {
        format!("{}TURNPROOF_RULES={} {}", variables(regression), regression.rule, self.0)
    }
}

fn variables(regression: &Regression) -> String {
    match regression.origin {
        Some((seed, case)) => format!("TURNPROOF_SEED={seed} TURNPROOF_CASE={case} "),
        None => "TURNPROOF_CASES=0 ".to_owned(),
    }
}

fn words(path: &Path, package: Option<&str>) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let package_words = package.map_or(String::new(), |package| format!(" -p {package}"));
    let is_hash = |hash: &str| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    match name.rsplit_once('-') {
        Some((name, hash)) if folder == "deps" && is_hash(hash) => match package {
            // The tests inside of a library or program.
            Some(package) if package.replace('-', "_") == name => format!("cargo test{package_words}"),
            _ => format!("cargo test{package_words} --test {name}"),
        },
        _ if folder == "examples" => format!("cargo run{package_words} --example {name}"),
        _ => path.display().to_string(),
    }
}
