//! Scrubbing keeps the form and what is wrong, and nothing of what people wrote.

use std::io;

use serde_json::Value;
use turnproof::check::{Finding, Options, Sink, TranscriptFile, check};
use turnproof_reference::message::FixedContext;
use turnproof_reference::scrub::Scrubber;
use turnproof_reference::transcript::Transcript;
use turnproof_reference::transcript::resume::{ResumeOptions, resume};
use turnproof_suite::scenario::{Profile, Scenario};

use crate::transcripts;

/// Words that nobody may find again: of four letters and more, alone, with signs, digits, and in other scripts.
const SECRETS: [&str; 12] = [
    "zebu",
    "Swordfish",
    "hunter2",
    "ada.lovelace@analytical.example",
    "/home/ada/engine",
    "TOPSECRET",
    "mcp__acme__vault",
    "sk-live-Zq81mKaa0",
    "пароль",
    "暗号文字列",
    "sec\"ret\\word",
    "\u{1F600}geheimnis",
];

fn scrubber() -> Scrubber {
    Scrubber::new(&mut FixedContext::new(3))
}

/// What a check finds: rule, line, first byte, byte after the last. Places inside records are names of members, which may
/// be the user's.
#[derive(Default)]
struct Places(Vec<(&'static str, u64, u64, u64)>);

impl Sink for Places {
    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.0.push((finding.rule.id, finding.line, finding.start, finding.end));
        Ok(())
    }
}

fn findings(bytes: &[u8]) -> Places {
    let mut places = Places::default();
    let options = Options { threads: 1, ..Options::default() };
    check(&[TranscriptFile::stream("-", bytes).unwrap()], &options, &mut places).unwrap();
    places
}

/// Fails unless the scrubbed form has the same form as the file; gives it.
fn assert_same_form(bytes: &[u8], name: &str) -> Vec<u8> {
    let scrubbed = scrubber().scrub(bytes);
    assert_eq!(scrubbed.len(), bytes.len(), "{name}");
    let breaks = |bytes: &[u8]| {
        bytes.iter().enumerate().filter(|(_, byte)| **byte <= b' ').map(|(at, _)| at).collect::<Vec<_>>()
    };
    assert_eq!(breaks(&scrubbed), breaks(bytes), "{name}: white space");
    let (before, after) = (findings(bytes).0, findings(&scrubbed).0);
    let lost: Vec<_> = before.iter().filter(|place| !after.contains(place)).collect();
    let new: Vec<_> = after.iter().filter(|place| !before.contains(place)).collect();
    assert!(before == after, "{name}: lost {lost:?}, new {new:?}\n{}\n{}", text(bytes), text(&scrubbed));
    let [before, after] = [bytes, &scrubbed].map(|bytes| {
        let found = resume(&Transcript::from_bytes(bytes.to_vec()), &ResumeOptions::default());
        found.map(|found| (found.places, found.notes.iter().map(|note| note.kind.name()).collect::<Vec<_>>())).ok()
    });
    assert_eq!(before, after, "{name}: resume");
    scrubbed
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn secret(&mut self) -> &'static str {
        SECRETS[self.below(SECRETS.len())]
    }
}

/// Writes secrets into a part of all strings, and as names of members.
fn plant(value: &mut Value, dice: &mut Dice) {
    match value {
        Value::String(text) => match dice.below(6) {
            0 => *text = dice.secret().to_owned(),
            1 => text.push_str(&format!(" {}", dice.secret())),
            2 => text.insert_str(0, &format!("<system-reminder>{}", dice.secret())),
            _ => {}
        },
        Value::Array(values) => values.iter_mut().for_each(|value| plant(value, dice)),
        Value::Object(members) => {
            members.values_mut().for_each(|value| plant(value, dice));
            if dice.below(3) == 0 {
                members.insert(dice.secret().to_owned(), Value::String(dice.secret().to_owned()));
            }
        }
        _ => {}
    }
}

/// The transcript of a generated case with secrets in it, and torn and glued lines.
fn planted(case: u64, profile: Profile) -> Vec<u8> {
    let mut dice = Dice(case);
    let mut out = Vec::new();
    for line in Scenario::from_seed(23, case, profile).transcript().split_inclusive(|&byte| byte == b'\n') {
        let mut line = match serde_json::from_slice::<Value>(line) {
            Ok(mut value) => {
                plant(&mut value, &mut dice);
                format!("{value}\n").into_bytes()
            }
            Err(_) => line.to_vec(),
        };
        // As Python writes other scripts.
        if dice.below(4) == 0 {
            line = escaped(&line);
        }
        match dice.below(12) {
            0 => line.truncate(dice.below(line.len() + 1)),
            1 => drop(line.drain(..dice.below(line.len() + 1))),
            2 => drop(line.pop()),
            _ => {}
        }
        out.extend(line);
    }
    out
}

fn escaped(line: &[u8]) -> Vec<u8> {
    let Ok(line) = std::str::from_utf8(line) else { return line.to_vec() };
    let escape = |letter: char| match letter.is_ascii() {
        true => letter.to_string(),
        false => letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect(),
    };
    line.chars().map(escape).collect::<String>().into_bytes()
}

/// The words of a secret of more than three letters.
fn words(secret: &str) -> impl Iterator<Item = &str> {
    secret.split(|letter: char| !letter.is_alphabetic()).filter(|word| word.chars().count() > 3)
}

#[test]
fn no_word_of_a_secret_is_left_in_any_string_and_the_findings_are_the_same() {
    let mut planted_words = 0;
    for (case, profile) in
        (0..400).flat_map(|case| [Profile::Causal, Profile::Shuffled, Profile::Hostile].map(|p| (case, p)))
    {
        let bytes = planted(case, profile);
        let scrubbed = assert_same_form(&bytes, &format!("case {case} of {}", profile.name()));
        // An error of the API says so of a PDF, and is looked for; a secret has a part of the same letters.
        let (before, after) = (text(&bytes), text(&scrubbed).replace("password", ""));
        for word in SECRETS.iter().flat_map(|secret| words(secret)) {
            for word in [word.to_owned(), String::from_utf8(escaped(word.as_bytes())).unwrap()] {
                planted_words += before.matches(&word).count();
                assert!(!after.contains(&word), "case {case} of {}: {word}\n{after}", profile.name());
            }
        }
    }
    assert!(planted_words > 10_000, "{planted_words} secrets were planted");
}

#[test]
fn cases_cut_at_any_byte_have_the_same_findings_when_they_are_scrubbed() {
    for case in 0..6 {
        let bytes = planted(case, Profile::Causal);
        for end in (0..bytes.len().min(6_000)).step_by(37) {
            assert_same_form(&bytes[..end], &format!("case {case} up to byte {end}"));
        }
    }
}

#[test]
fn real_transcripts_have_the_same_findings_when_they_are_scrubbed() {
    for path in transcripts::files() {
        assert_same_form(&std::fs::read(&path).unwrap(), &path.display().to_string());
    }
}

#[test]
fn an_id_is_the_same_in_each_record_and_file_of_a_scrubber_and_two_ids_stay_two() {
    let scrubber = scrubber();
    let id = |id: &str| {
        let line = format!(r#"{{"type":"user","uuid":"{id}"}}"#);
        text(&scrubber.scrub(line.as_bytes()))[23..].trim_end_matches("\"}").to_owned()
    };
    let ids: Vec<String> =
        (b'a'..=b'z').flat_map(|letter| (0..10).map(move |digit| format!("{}{digit}", letter as char))).collect();
    let mut replaced: Vec<String> = ids.iter().map(|one| id(one)).collect();
    assert_eq!(replaced, ids.iter().map(|one| id(one)).collect::<Vec<_>>());
    replaced.sort();
    replaced.dedup();
    assert_eq!(replaced.len(), ids.len());
    let uuid = "c0a1d003-0000-4000-8000-1234567890ab";
    assert_eq!(scrubber.scrub_name(uuid), id(uuid));
    assert!(id(uuid)[14..].starts_with("4") && id(uuid)[19..].starts_with("8"), "{}", id(uuid));
    assert_eq!(scrubber.scrub_name("agent-a1b2c3d4"), format!("agent-{}", id("a1b2c3d4")));
}

#[test]
fn the_words_of_the_format_and_what_rules_look_for_stay() {
    let line = r#"{"type":"user","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"},{"type":"text","text":"<system-reminder>\nZebra</system-reminder>"}]},"version":"2.1.80","permissionMode":"plan"}"#;
    let scrubbed = text(&scrubber().scrub(line.as_bytes()));
    assert_eq!(scrubbed.split("\\n").next(), line.split("\\n").next());
    assert!(
        scrubbed.ends_with(r#"</system-reminder>"}]},"version":"2.1.80","permissionMode":"plan"}"#)
            && !scrubbed.contains("Zebra"),
        "{scrubbed}"
    );
    let side = r#"{"type":"bridge-session","bridgeSessionId":"zebra"}"#;
    let scrubbed = text(&scrubber().scrub(side.as_bytes()));
    assert!(scrubbed.starts_with(r#"{"type":"bridge-session","bridgeSessionId":""#) && !scrubbed.contains("zebra"));
    let counts = r#"{"type":"cost-state","modelUsage":{"claude-opus-4-6":{"inputTokens":1}}}"#;
    assert_eq!(text(&scrubber().scrub(counts.as_bytes())), counts);
    let typed = r#"{"type":"user","promptSource":"typed","origin":{"kind":"peer"}}"#;
    assert_eq!(text(&scrubber().scrub(typed.as_bytes())), typed);
    let tools = r#"{"type":"assistant","message":{"model":"claude-opus-4-7","content":[{"type":"tool_use","name":"Bash"},{"type":"tool_use","name":"mcp__acme__vault"}]}}"#;
    let scrubbed = text(&scrubber().scrub(tools.as_bytes()));
    assert!(
        scrubbed.starts_with(&tools[..103]) && !scrubbed.contains("acme") && !scrubbed.contains("vault"),
        "{scrubbed}"
    );
}

#[test]
fn times_keep_their_form_and_their_distances() {
    let line = br#"{"type":"user","timestamp":"2026-01-05T09:00:01.250Z"}
{"type":"user","timestamp":"2026-02-29T09:00:01.250Z"}
{"type":"user","timestamp":"2026-01-06T09:00:03Z"}"#;
    let scrubbed = text(&scrubber().scrub(line));
    let times: Vec<&str> = scrubbed.lines().map(|line| &line[28..47]).collect();
    assert_eq!(times[1], "2026-02-29T09:00:01", "a day that does not exist stays");
    let seconds = |time: &str| time.parse::<jiff::civil::DateTime>().unwrap();
    let distance = seconds(times[2]) - seconds(times[0]);
    assert_eq!((distance.get_days(), distance.get_seconds()), (1, 2), "{times:?}");
    assert!(times[0] < "2025" && scrubbed.contains(".250Z"));
}

#[test]
fn a_picture_becomes_another_one_of_the_same_size() {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    let mut picture = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\0\x40\x08\x06\0\0\0\xAA\xBB\xCC\xDD".to_vec();
    picture.extend((0..200).map(|byte| byte as u8));
    let line = format!(
        r#"{{"type":"user","message":{{"content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{}"}}}}]}}}}"#,
        STANDARD.encode(&picture)
    );
    let scrubbed: Value = serde_json::from_slice(&scrubber().scrub(line.as_bytes())).unwrap();
    let source = &scrubbed["message"]["content"][0]["source"];
    let data = STANDARD.decode(source["data"].as_str().unwrap()).unwrap();
    assert_eq!((source["media_type"].as_str(), data.len()), (Some("image/png"), picture.len()));
    assert_eq!(data[..33], picture[..33]);
    assert!(data[33..].iter().zip(&picture[33..]).filter(|(one, other)| one == other).count() < 20);
}

#[test]
fn streams_are_scrubbed_as_files_in_memory_are() {
    let bytes = planted(2, Profile::Hostile);
    let mut out = Vec::new();
    scrubber().copy(&bytes[..], &mut out).unwrap();
    assert_eq!(out, scrubber().scrub(&bytes));
}
