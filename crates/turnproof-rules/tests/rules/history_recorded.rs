//! The requests that a real client sent, one after the other, as it noted them in its transcripts: none of them breaks a
//! rule on histories but for warnings. The test skips where the transcripts are missing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::{Value, json};
use turnproof_rules::operation::{Request, RequestPair, predecessors};
use turnproof_rules::rules::{CATALOGUE, Judge, Severity};

/// The transcripts: `TURNPROOF_CLIENT_TRANSCRIPTS`, or a folder beside the repository.
fn folder() -> PathBuf {
    let beside = || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/transcripts-2.1.332").into();
    env::var_os("TURNPROOF_CLIENT_TRANSCRIPTS").map_or_else(beside, PathBuf::from)
}

fn transcripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.path() {
            path if path.is_dir() => transcripts(&path, found),
            path if path.extension().is_some_and(|extension| extension == "jsonl") => found.push(path),
            _ => {}
        }
    }
}

/// The requests that a transcript has notes of. A note keeps so many turns of another and adds some, each by its hash.
/// A turn that is not noted has nothing to compare: the hash of each such turn is given, too.
fn requests(transcript: &str) -> (Vec<Request>, Vec<Vec<Option<Value>>>) {
    let (mut turns, mut shapes, mut lists) = (HashMap::new(), HashMap::new(), HashMap::new());
    let (mut requests, mut unknown_turns) = (Vec::new(), Vec::new());
    for record in transcript.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let text = |name: &str| record[name].as_str().unwrap_or_default().to_owned();
        match text("type").as_str() {
            "api-request-blob" => _ = turns.insert(text("hash"), record["message"].clone()),
            "api-request-shape" => _ = shapes.insert(text("shapeHash"), record["shape"].clone()),
            "api-request" => {
                let kept = record["keep"].as_u64().unwrap_or(0) as usize;
                let base: &[Value] = lists.get(&text("base")).map_or(&[], Vec::as_slice);
                let tail = record["tail"].as_array().cloned().unwrap_or_default();
                let hashes = [&base[..kept.min(base.len())], &tail].concat();
                let is_unknown = |hash: &Value| !turns.contains_key(hash.as_str().unwrap_or_default());
                let unknown = hashes.iter().map(|hash| is_unknown(hash).then(|| hash.clone()));
                unknown_turns.push(unknown.collect());
                let turn = |hash: &Value| turns.get(hash.as_str().unwrap_or_default()).cloned();
                let unknown = json!({"role": "assistant", "content": []});
                let messages = hashes.iter().map(|hash| turn(hash).unwrap_or_else(|| unknown.clone()));
                let mut body = record["params"].clone();
                body["messages"] = messages.collect();
                for (name, value) in shapes.get(&text("shapeHash")).and_then(Value::as_object).into_iter().flatten() {
                    body[name] = value.clone();
                }
                lists.insert(text("id"), hashes);
                requests.push(Request::read(&body.to_string()).unwrap());
            }
            _ => {}
        }
    }
    (requests, unknown_turns)
}

#[test]
fn what_a_real_client_sent_one_after_the_other_breaks_no_rule() {
    let mut paths = Vec::new();
    transcripts(&folder(), &mut paths);
    if paths.is_empty() {
        eprintln!("skipped: there are no transcripts at {}", folder().display());
        return;
    }
    let (mut pairs, mut continued) = (0, 0);
    for path in paths {
        let Ok(transcript) = fs::read_to_string(&path) else { continue };
        let (requests, unknown) = requests(&transcript);
        for (index, before) in predecessors(&requests).into_iter().enumerate() {
            let Some(before) = before else { continue };
            // Another turn took the place of one that is not noted.
            if !unknown[index].starts_with(&unknown[before]) {
                continue;
            }
            let pair = RequestPair::new(&requests[before], &requests[index]);
            pairs += 1;
            continued += u64::from(pair.is_continued());
            for rule in CATALOGUE.iter() {
                let Judge::Requests(judge) = rule.judge else { continue };
                judge(&pair, &mut |violation| {
                    let severity = violation.severity.unwrap_or(rule.severity);
                    assert!(severity < Severity::Error, "{} {index}: {violation:?}", path.display());
                });
            }
        }
    }
    assert!(pairs > 400 && continued > 300, "{pairs} pairs, {continued} continued");
}
