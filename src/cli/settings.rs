//! The *settings file* `turnproof.toml`: what a project says once for its runs. Each command has a section of its own.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;
use toml::Spanned;

use turnproof_rules::rules::{Severity, choose, find, meant};
use turnproof_suite::scenario::Scenario;
use turnproof_suite::suite::{Known, RegressionError};

use super::Failure;

/// The file's name. It is looked for in the folder where a command is called, and in those above it.
pub(super) const FILE: &str = "turnproof.toml";

/// What the file says.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    /// For `turnproof test`.
    test: Test,
    /// For `turnproof check`, on sessions.
    check: Check,
}

/// How sessions are checked, where the call does not say it.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct Check {
    select: Vec<Spanned<String>>,
    ignore: Vec<Spanned<String>>,
    legacy: bool,
    fail_on: Option<Spanned<String>>,
    limit: Option<u64>,
    /// From the folder of the file.
    baseline: Option<PathBuf>,
}

/// The settings of a check of sessions.
#[derive(Default)]
pub(super) struct CheckSettings {
    pub(super) select: Vec<String>,
    pub(super) ignore: Vec<String>,
    pub(super) legacy: bool,
    pub(super) fail_on: Option<Severity>,
    pub(super) limit: Option<u64>,
    pub(super) baseline: Option<PathBuf>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Test {
    known: Vec<Entry>,
}

/// A known deviation, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    rule: Spanned<String>,
    reason: Spanned<String>,
    /// The path of a stored case, from the folder of the file; or a plan, as JSON.
    case: Option<Spanned<String>>,
    /// The kind of violation that is known, alone.
    kind: Option<String>,
    subject: Option<String>,
}

/// A settings file, with where it is.
struct Source {
    path: PathBuf,
    text: String,
}

/// The known deviations of the file that is named, or else of the one that is found.
pub(super) fn known(named: Option<&Path>) -> Result<Vec<Known>, Failure> {
    let Some(path) = named.map(Path::to_owned).or_else(found) else { return Ok(Vec::new()) };
    let (source, settings) = read(path, "; `--known` names a file such as turnproof.toml")?;
    settings.test.known.into_iter().map(|entry| source.entry(entry)).collect()
}

/// The settings of a check in the file that is found; none where there is no file.
pub(super) fn check() -> Result<CheckSettings, Failure> {
    let Some(path) = found() else { return Ok(CheckSettings::default()) };
    let (source, Settings { check, .. }) = read(path, "")?;
    let folder = source.path.parent().unwrap_or(Path::new(""));
    Ok(CheckSettings {
        select: source.globs(check.select)?,
        ignore: source.globs(check.ignore)?,
        legacy: check.legacy,
        fail_on: check.fail_on.map(|name| source.severity(&name)).transpose()?,
        limit: check.limit,
        baseline: check.baseline.map(|path| folder.join(path)),
    })
}

fn read(path: PathBuf, todo: &str) -> Result<(Source, Settings), Failure> {
    let text =
        fs::read_to_string(&path).map_err(|error| Failure::Usage(format!("{}: {error}{todo}", path.display())))?;
    let source = Source { path, text };
    let settings: Settings = toml::from_str(&source.text).map_err(|error| source.misread(&error))?;
    Ok((source, settings))
}

/// The nearest file, from the working directory upwards; as short as it can be written.
fn found() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let path = here.ancestors().map(|folder| folder.join(FILE)).find(|path| path.is_file())?;
    Some(path.strip_prefix(&here).map(Path::to_owned).unwrap_or(path))
}

impl Source {
    /// The place of a byte, as `turnproof.toml:3`.
    fn place(&self, byte: usize) -> String {
        let before = &self.text.as_bytes()[..byte.min(self.text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        format!("{}:{line}", self.path.display())
    }

    fn misread(&self, error: &toml::de::Error) -> Failure {
        let place = self.place(error.span().map_or(0, |span| span.start));
        let what = error.message().trim_end().replace('\n', "; ");
        let todo = "it holds tables `[[test.known]]` with `rule`, `reason`, and where wanted `case`, `kind` and `subject`, and a \
                    table `[check]` with any of `select`, `ignore`, `legacy`, `fail-on`, `limit` and `baseline`";
        Failure::Usage(format!("{place}: {what}; {todo}"))
    }

    fn wrong(&self, byte: usize, what: impl std::fmt::Display) -> Failure {
        Failure::Usage(format!("{}: {what}", self.place(byte)))
    }

    /// Globs, each of which matches a rule.
    fn globs(&self, globs: Vec<Spanned<String>>) -> Result<Vec<String>, Failure> {
        let checked = |glob: Spanned<String>| match choose(&[glob.get_ref()]) {
            Ok(_) => Ok(glob.into_inner()),
            Err(error) => Err(self.wrong(glob.span().start, error)),
        };
        globs.into_iter().map(checked).collect()
    }

    fn severity(&self, name: &Spanned<String>) -> Result<Severity, Failure> {
        let named = [Severity::Info, Severity::Warning, Severity::Error];
        let named = named.into_iter().find(|severity| severity.name() == name.get_ref());
        let what = || format!("there is no severity `{}`; say info, warning or error", name.get_ref());
        named.ok_or_else(|| self.wrong(name.span().start, what()))
    }

    fn entry(&self, entry: Entry) -> Result<Known, Failure> {
        let at = entry.rule.span().start;
        let id = entry.rule.into_inner();
        let Some(rule) = find(&id) else {
            return Err(self.wrong(at, format!("there is no rule `{id}`; {}", meant(&id))));
        };
        if rule.audience.is_none() {
            return Err(self.wrong(at, format!("`{id}` judges no subject, so none deviates from it; take it out")));
        }
        if entry.reason.get_ref().trim().is_empty() {
            return Err(self.wrong(entry.reason.span().start, "the reason is empty; say why the rule may be broken"));
        }
        let known =
            Known { subject: entry.subject, source: Some(self.place(at)), ..Known::new(id, entry.reason.into_inner()) };
        let known = match entry.case {
            None => known,
            Some(case) => self.with_case(known, &case)?,
        };
        Ok(match entry.kind {
            Some(kind) => known.of_kind(kind),
            None => known,
        })
    }

    fn with_case(&self, known: Known, case: &Spanned<String>) -> Result<Known, Failure> {
        let (at, text) = (case.span().start, case.get_ref());
        if text.trim_start().starts_with('{') {
            let plan: Result<Scenario, _> = serde_json::from_str(text);
            let todo = "write what stands behind `plan:` of a failure, or the path of a stored case";
            return match plan {
                Ok(plan) => Ok(known.in_case(plan)),
                Err(error) => Err(self.wrong(at, format!("the plan is none: {error}; {todo}"))),
            };
        }
        let folder = self.path.parent().unwrap_or(Path::new(""));
        known.in_stored_case(folder.join(text)).map_err(|error: RegressionError| self.wrong(at, error))
    }
}
