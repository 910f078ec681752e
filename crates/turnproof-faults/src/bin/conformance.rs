//! A *conformance* as somebody has it in a test, of a subject that shortens ids. The variable `CONFORMANCE` says which
//! one, and `WRONG` what the subject does wrong.

use std::{env, fs};

use turnproof_rules::operation::Operation::{DeriveUuid, Parse, ShortId};
use turnproof_suite::subject::{Outcome, Reference, Subject};
use turnproof_suite::suite::Known;

/// The reference, unless it is wrong.
struct Shortens {
    wrong: String,
}

impl Subject for Shortens {
    fn name(&self) -> &str {
        "shortens 1.0"
    }

    fn short_id(&self, uuid: &str) -> Outcome<String> {
        match self.wrong.as_str() {
            "panics" => panic!("no id is short enough"),
            "unwraps" => Outcome::Output(uuid.get(..3).filter(|_| self.wrong.is_empty()).unwrap().to_owned()),
            // What is found is of one kind then.
            "cuts" if uuid.starts_with('0') => Outcome::Output(uuid.chars().take(3).collect()),
            _ => Reference.short_id(uuid),
        }
    }

    fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
        Reference.derive_uuid(parent, index)
    }
}

/// Does nothing.
struct Idle;

impl Subject for Idle {
    fn name(&self) -> &str {
        "idle"
    }
}

fn main() {
    let variable = |name| env::var(name).unwrap_or_default();
    // It does not live as long as the program.
    let shortens = Shortens { wrong: variable("WRONG") };
    let mine = turnproof_suite::conformance(&shortens).cases(50).seed(3);
    let both = [ShortId, DeriveUuid];
    let known = Known::new("id/short-form", "ids have three letters here");
    match variable("CONFORMANCE").as_str() {
        "reference" => turnproof_suite::conformance(&Reference).cases(50).run(),
        "part" => mine.operations(both).rules(["id/short-form", "id/derived-form"]).run(),
        "kept" => mine.operations(both).rules(["id/*"]).regressions("kept-cases").run(),
        "left-out" => mine.operations(both).rules(["!id/derived-*", "!wire/*"]).run(),
        "without-a-list" => mine.run(),
        "another-list" => mine.operations([ShortId, Parse]).run(),
        "known" => mine.known([known]).run(),
        "known-of-another" => mine.known([known.of_subject("lengthens")]).run(),
        "known-in-a-case" => {
            let case = fs::read_dir("kept-cases").expect("a folder").next().expect("a case").expect("a case").path();
            mine.known([known.of_subject("shortens").in_stored_case(case).expect("a stored case")]).run()
        }
        "unknown-rule" => mine.known([("id/shorts", "no such rule")]).run(),
        "unknown-glob" => mine.rules(["wire/no-*"]).run(),
        "idle" => turnproof_suite::conformance(&Idle).run(),
        other => panic!("CONFORMANCE is `{other}`"),
    }
}
