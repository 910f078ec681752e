//! *SARIF* 2.1.0, as code hosts read it: one document with the members that they need.

#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::call::{run, turnproof};

/// The document that a call prints.
fn document(arguments: &[&str], folder: &Path) -> Value {
    let (_, out, error) = run(turnproof(arguments).current_dir(folder));
    serde_json::from_str(&out).unwrap_or_else(|problem| panic!("{problem}\n{out}\n{error}"))
}

/// Holds what the standard and GitHub ask of a document, and gives its results.
fn assert_sound(document: &Value) -> &Vec<Value> {
    assert_eq!(document["version"], "2.1.0");
    assert!(document["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
    let [run] = &document["runs"].as_array().unwrap()[..] else { panic!("one run") };
    let driver = &run["tool"]["driver"];
    assert_eq!((&driver["name"], &driver["version"]), (&"turnproof".into(), &env!("CARGO_PKG_VERSION").into()));
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let rules = driver["rules"].as_array().unwrap();
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(rule[text]["text"].as_str().is_some_and(|text| !text.is_empty()), "{text} of {rule}");
        }
        assert!(["error", "warning", "note"].contains(&rule["defaultConfiguration"]["level"].as_str().unwrap()));
    }
    let results = run["results"].as_array().unwrap();
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert_eq!(rules[index]["defaultConfiguration"]["level"], result["level"]);
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        let [location] = &result["locations"].as_array().unwrap()[..] else { panic!("one location") };
        let place = &location["physicalLocation"];
        assert!(!place["artifactLocation"]["uri"].as_str().unwrap().contains([' ', '\\']));
        let number = |name: &str| place["region"][name].as_u64();
        assert!(number("startLine").unwrap() >= 1, "{result}");
        assert!(number("startColumn").is_none_or(|column| column >= 1), "{result}");
        assert!(number("endColumn").is_none_or(|end| end >= number("startColumn").unwrap()), "{result}");
    }
    results
}

#[test]
fn each_violation_is_a_result_and_so_is_each_broken_session() {
    let folder = TempDir::new().unwrap();
    // Characters of several bytes stand before the place.
    let line = "{\"note\":\"äöü\",\"type\":\"mode\",\"uuid\":\"u1\",\"a\":1,\"a\":2}\n";
    fs::write(folder.path().join("a b.jsonl"), line).unwrap();
    fs::write(folder.path().join("torn.jsonl"), &line[..50]).unwrap();
    let document = document(&["check", "--format", "sarif", "."], folder.path());
    let results = assert_sound(&document);
    let ids: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["wire/unique-keys", "wire/terminated", "session/unreadable"]);
    let place = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "./a%20b.jsonl");
    let character = line.chars().position(|c| c == '2').unwrap() as u64 - 3 + 1;
    assert_eq!(place["region"]["startColumn"], character);
    assert_eq!(place["region"]["byteOffset"], character - 1 + 3, "three characters have two bytes");
    assert_eq!(results[0]["locations"][0]["logicalLocations"][0]["fullyQualifiedName"], "a");
}

#[test]
fn all_cases_make_a_sound_document_and_an_input_that_cannot_be_read_is_in_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = document(&["check", "--format", "sarif", "tests/cases"], root);
    assert!(assert_sound(&document).len() > 300);
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("a.jsonl")).unwrap();
    fs::write(folder.path().join("b.jsonl"), "{\"type\":\"mode\"}\n").unwrap();
    let (code, out, _) = run(turnproof(&["check", "--format", "sarif", "."]).current_dir(folder.path()));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert!(assert_sound(&document).is_empty(), "{out}");
    assert_eq!((code, &document["runs"][0]["invocations"][0]["executionSuccessful"]), (0, &true.into()));
}

#[test]
fn the_violations_of_requests_are_results_with_the_path_of_their_turn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = document(&["check", "--request", "--format", "sarif", "docs/samples/request.json"], root);
    let results = assert_sound(&document);
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["ruleId"], "pairing/result-follows-use");
    let place = &results[0]["locations"][0];
    assert_eq!(place["logicalLocations"][0]["fullyQualifiedName"], "messages.1.content.0");
    assert!(results[0]["message"]["text"].as_str().unwrap().contains("; the API answers: "));
}

#[test]
fn github_shows_ten_annotations_of_a_kind_a_rule_and_file_each_and_counts_the_others() {
    let folder = TempDir::new().unwrap();
    let late = |parent: &str| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"{parent}1\",\"parentUuid\":\"{parent}\",\"timestamp\":\"2026-01-05T09:00:01Z\",\"message\":{{\"role\":\"user\",\"content\":\"a\"}}}}\n"
        )
    };
    for file in 0..14 {
        let text: String = ["a", "b", "c"].map(late).concat();
        fs::write(folder.path().join(format!("{file:02}.jsonl")), text).unwrap();
    }
    let (code, out, _) = run(turnproof(&["check", "--format", "github", "."]).current_dir(folder.path()));
    assert_eq!(code, 1);
    assert_eq!(out.matches("::error ").count(), 10, "{out}");
    assert_eq!(out.matches("title=damaged::").count(), 10, "sessions come first\n{out}");
    assert!(out.contains("\nand 22 annotations more: GitHub shows 10 of each kind\n"), "{out}");
    assert_eq!(out.matches("::notice ").count(), 10, "one for each file\n{out}");
    let (_, out, _) =
        run(turnproof(&["check", "--select", "chain/parent-exists", "--format", "github", "."])
            .current_dir(folder.path()));
    assert_eq!(out.matches("::error ").count(), 10, "{out}");
    assert_eq!(out.matches(" (and 2 more in this file)\n").count(), 10, "{out}");
    assert!(out.contains("\nand 4 annotations more: "), "{out}");
}
