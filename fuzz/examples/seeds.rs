//! Writes candidates for the seeds of each target: `cargo run -p turnproof-fuzz --example seeds -- FOLDER`.
//!
//! They are taken from `tests/cases` and generated plans; `fuzz/make-seeds` keeps the few that reach something new.

use std::fs;
use std::io;
use std::path::Path;

use turnproof_rules::operation::RequestOptions;
use turnproof_suite::fuzzing::{Law, TARGETS, Target, stream_text};
use turnproof_suite::scenario::{Case, Profile, Scenario};
use turnproof_suite::subject::{Outcome, Reference, Subject};

/// How many plans of a profile are tried for each target.
const PLANS: u64 = 600;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).ok_or_else(|| io::Error::other("which FOLDER?"))?;
    for target in TARGETS {
        let folder = Path::new(&folder).join(target.name);
        fs::create_dir_all(&folder)?;
        for (number, bytes) in candidates(target)?.iter().enumerate() {
            if bytes.len() <= target.longest() {
                fs::write(folder.join(format!("{number:05}")), bytes)?;
            }
        }
    }
    Ok(())
}

fn candidates(target: &Target) -> io::Result<Vec<Vec<u8>>> {
    let profiles = if let Law::Plan(_, profiles) = target.law { profiles } else { &Profile::ALL };
    let cases = profiles.iter().flat_map(|profile| (0..PLANS).map(move |case| (*profile, case)));
    if let Law::Plan(..) = target.law {
        return Ok(cases.map(|(profile, case)| Scenario::bytes_of_seed(5, case, profile)).collect());
    }
    let plans = cases.map(|(profile, case)| Scenario::from_seed(5, case, profile));
    Ok(match target.name {
        "accumulate" => plans.flat_map(|plan| streams(&plan)).collect(),
        "check_request" => plans.filter_map(|plan| request(&plan)).chain(of_cases("request")?).collect(),
        "protocol" => (0..PLANS).map(answers).collect(),
        _ => plans.map(|plan| plan.transcript()).chain(of_cases("")?).collect(),
    })
}

/// The files of `tests/cases` whose path has this word.
fn of_cases(word: &str) -> io::Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().contains(word) {
                found.push(fs::read(path)?);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn streams(plan: &Scenario) -> Vec<Vec<u8>> {
    Case::of(plan).streams().iter().map(|items| stream_text(items)).collect()
}

/// The request that the reference makes of a plan's messages.
fn request(plan: &Scenario) -> Option<Vec<u8>> {
    let messages = format!("[{}]", Case::of(plan).messages().join(","));
    match Reference.normalize_api(&messages, &RequestOptions::default()) {
        Outcome::Output(request) => Some(request.turns.into_bytes()),
        Outcome::Rejected(_) | Outcome::Unsupported => None,
    }
}

/// A case, an operation, and what is done with its answer, all counted up.
fn answers(number: u64) -> Vec<u8> {
    let [case, operation, what] = [number as u16, (number % 10) as u16, (number / 10 % 9) as u16];
    let mut bytes = case.to_be_bytes().to_vec();
    bytes.push(operation as u8);
    for turn in 0..6_u16 {
        bytes.push((what + turn * (number as u16 % 3)) as u8 % 9);
        bytes.extend((number as u16 * 7 + turn).to_be_bytes());
        bytes.extend([4, b'[', b'{', b'"', b'1']);
    }
    bytes
}
