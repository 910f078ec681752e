//! What a check says of a session it says of the *scrubbed* one, and no word that somebody wrote is left in that.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use tempfile::TempDir;
use turnproof_reference::message::FixedContext;
use turnproof_reference::scrub::Scrubber;
use turnproof_suite::scenario::{Profile, SESSION_DAMAGES, Scenario};

use crate::call::{run, turnproof};
use crate::transcripts;

/// What nobody may find again.
const SECRETS: [&str; 10] =
    ["zebu", "gnus", "swordfish", "waldemar", "lovelace", "bletchley", "turnpike", "geheimnis", "пароль", "暗号文字列"];

/// The fewest letters of a word that chance does not write into a megabyte of other letters.
const LONG: usize = 7;

/// Members whose texts somebody wrote.
const FREE: &[&str] = &[
    "text",
    "thinking",
    "content",
    "cwd",
    "gitBranch",
    "customTitle",
    "aiTitle",
    "title",
    "summary",
    "lastPrompt",
    "slug",
    "agentName",
    "filename",
    "stdout",
    "stderr",
    "url",
    "email",
];

/// Members in which all names and texts are somebody's.
const WHOLE: &[&str] = &["input", "toolUseResult"];

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    /// A text with a secret in it: a word, a path, a mail, an address, a name of a program.
    fn secret(&mut self) -> String {
        let word = SECRETS[self.below(SECRETS.len())];
        match self.below(7) {
            0 => word.to_owned(),
            1 => format!("/home/{word}/{word}.rs"),
            2 => format!("{word}.{word}@{word}.example"),
            3 => format!("https://{word}.example/{word}?{word}={word}#{word}"),
            4 => format!("{}_KEY", word.to_uppercase()),
            5 => format!("mcp__{word}__{word}"),
            _ => format!("sk-{word}-{word}01"),
        }
    }
}

/// Writes secrets into what somebody wrote.
fn plant(name: &str, value: &mut Value, is_whole: bool, dice: &mut Dice) {
    match value {
        Value::String(text) if is_whole || FREE.contains(&name) => match dice.below(4) {
            0 => *text = dice.secret(),
            1 => text.push_str(&format!(" {}", dice.secret())),
            2 => text.insert_str(0, &format!("{}\n", dice.secret())),
            _ => {}
        },
        Value::Array(values) => values.iter_mut().for_each(|value| plant(name, value, is_whole, dice)),
        Value::Object(members) => plant_in(members, is_whole, dice),
        _ => {}
    }
}

fn plant_in(members: &mut Map<String, Value>, is_whole: bool, dice: &mut Dice) {
    for (name, value) in members.iter_mut() {
        plant(name, value, is_whole || WHOLE.contains(&name.as_str()), dice);
    }
    if is_whole && dice.below(2) == 0 {
        members.insert(dice.secret(), Value::String(dice.secret()));
    }
}

/// A session with secrets in all records that can be read. All else stays.
fn planted(session: &[u8], number: u64) -> Vec<u8> {
    let mut dice = Dice(number);
    let planted = session.split_inclusive(|&byte| byte == b'\n').map(|line| {
        let Ok(Value::Object(mut record)) = serde_json::from_slice(line) else { return line.to_vec() };
        plant_in(&mut record, false, &mut dice);
        let end = &line[line.trim_ascii_end().len()..];
        [Value::Object(record).to_string().as_bytes(), end].concat()
    });
    planted.collect::<Vec<_>>().concat()
}

/// What the command says of each session of a folder: the rule and the place of each finding, and the verdict.
fn said(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let (_, out, _) = run(&mut turnproof(&["check", "--legacy", "--format", "json", folder.to_str().unwrap()]));
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in out.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let Some(file) = line["file"].as_str() else { continue };
        let file = Path::new(file).file_name().unwrap().to_str().unwrap().to_owned();
        let words = match line["kind"].as_str() {
            Some("violation") => ["rule", "line", "start", "end"].map(|name| line[name].to_string()).join(" "),
            _ => verdict(&line),
        };
        said.entry(file).or_default().push(words);
    }
    said
}

/// The verdict without the words of the session: of errors the rules alone.
fn verdict(line: &Value) -> String {
    let names = ["class", "accepted", "messages", "comes_back", "without_bridges", "lost_bytes", "broken"];
    let errors = line["errors"].as_array().into_iter().flatten().map(|error| error["rule"].to_string());
    names.iter().map(|name| line[name].to_string()).chain(errors).collect::<Vec<_>>().join(" ")
}

/// Holds that the command says the same of all sessions and of what scrubbing makes of them.
fn assert_same_is_said(sessions: &BTreeMap<String, Vec<u8>>) {
    let (before, after) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let scrubber = Scrubber::new(&mut FixedContext::new(3));
    let mut planted = 0;
    for (name, session) in sessions {
        let scrubbed = scrubber.scrub(session);
        planted += secrets_lost(name, session, &scrubbed);
        fs::write(before.path().join(name), session).unwrap();
        fs::write(after.path().join(name), scrubbed).unwrap();
    }
    assert!(planted > 100 * SECRETS.len(), "{planted} secrets were planted");
    let (before, after) = (said(before.path()), said(after.path()));
    // An empty file is no session, and one with nothing but torn lines is none.
    assert!(before.len() * 20 > sessions.len() * 19, "only {} of {} have a verdict", before.len(), sessions.len());
    assert!(before.keys().eq(after.keys()));
    for (name, before) in &before {
        let lost: Vec<_> = before.iter().filter(|line| !after[name].contains(line)).collect();
        let new: Vec<_> = after[name].iter().filter(|line| !before.contains(line)).collect();
        assert_eq!(&after[name], before, "{name}: lost {lost:?}, new {new:?}");
    }
}

/// How many secrets stood in a session. None of them stands in its place any more, and no long one anywhere.
fn secrets_lost(name: &str, session: &[u8], scrubbed: &[u8]) -> usize {
    let [before, after] = [session, scrubbed].map(|bytes| String::from_utf8_lossy(bytes).to_lowercase());
    let [places, bytes] = [session, scrubbed].map(<[u8]>::to_ascii_lowercase);
    let mut lost = 0;
    for secret in SECRETS {
        lost += before.matches(secret).count();
        assert!(secret.chars().count() < LONG || !after.contains(secret), "{name}: {secret}");
        let stays = memchr::memmem::find_iter(&places, secret);
        let stays: Vec<usize> = stays.filter(|&at| bytes[at..].starts_with(secret.as_bytes())).collect();
        assert_eq!(stays, [] as [usize; 0], "{name}: {secret} stays at these bytes");
    }
    lost
}

#[test]
fn of_generated_sessions_the_same_is_said_when_they_are_scrubbed_and_no_secret_is_left() {
    let mut sessions = BTreeMap::new();
    for profile in Profile::ALL {
        for case in 0..40 {
            let session = Scenario::from_seed(29, case, profile).transcript();
            let name = format!("{}-{case}", profile.name());
            if let Some(damaged) = SESSION_DAMAGES[case as usize % SESSION_DAMAGES.len()].damage(&session, case) {
                sessions.insert(format!("{name}-damaged.jsonl"), planted(&damaged, case));
            }
            sessions.insert(format!("{name}.jsonl"), planted(&session, case));
        }
    }
    assert_same_is_said(&sessions);
}

#[test]
fn of_real_transcripts_the_same_is_said_when_they_are_scrubbed_and_no_secret_is_left() {
    let mut sessions = BTreeMap::new();
    for (number, path) in (0..).zip(transcripts::files()) {
        let session = fs::read(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        sessions.insert(format!("{name}-planted.jsonl"), planted(&session, number));
        sessions.insert(format!("{name}.jsonl"), session);
    }
    if !sessions.is_empty() {
        assert_same_is_said(&sessions);
    }
}

#[test]
fn of_sessions_of_the_client_of_today_the_same_is_said_and_the_same_is_sent_when_they_are_scrubbed() {
    let scrubber = Scrubber::new(&mut FixedContext::new(3));
    let (before, after) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    for (number, path) in transcripts::of_client().into_iter().enumerate() {
        let session = fs::read(&path).unwrap();
        let scrubbed = scrubber.scrub(&session);
        assert_eq!(forms_as_client(&session), forms_as_client(&scrubbed), "{}", path.display());
        fs::write(before.path().join(format!("{number}.jsonl")), session).unwrap();
        fs::write(after.path().join(format!("{number}.jsonl")), scrubbed).unwrap();
    }
    let (before, after) = (said(before.path()), said(after.path()));
    for (name, before) in &before {
        assert_eq!(&after[name], before, "{name}");
    }
}

/// What the client of today sends of a session, without its words: the role, and how long the types of blocks and they
/// are. A type that nobody knows is another word.
fn forms_as_client(session: &[u8]) -> Option<Vec<String>> {
    let (code, out, _) = run(turnproof(&["normalize", "--for", "api", "--as-client", "-"]).write_stdin(session));
    let turns: Value = serde_json::from_str(&out).ok().filter(|_| code == 0)?;
    let form = |turn: &Value| {
        let blocks = turn["content"].as_array().cloned().unwrap_or_else(|| vec![turn["content"].clone()]);
        let sizes =
            blocks.iter().map(|block| format!(" {} {}", block["type"].to_string().len(), block.to_string().len()));
        std::iter::once(turn["role"].to_string()).chain(sizes).collect()
    };
    Some(turns.as_array()?.iter().map(form).collect())
}

#[test]
fn names_types_and_words_of_all_blocks_that_the_api_takes_stay() {
    let shapes = fs::read_to_string("crates/turnproof-format/src/shapes.txt").unwrap();
    let scrubber = Scrubber::new(&mut FixedContext::new(3));
    let mut kept = 0;
    let mut assert_kept = |record: String| {
        assert_eq!(String::from_utf8(scrubber.scrub(record.as_bytes())).unwrap(), record);
        kept += 1;
    };
    for line in shapes.lines() {
        let mut parts = line.split_whitespace();
        // The type of a block or part; in braces stands what has none, and behind `=` what the type is called there.
        if let Some(head) = parts.next().filter(|_| line.contains("  ") && !line.starts_with([' ', '{'])) {
            let of = head.rsplit('=').next().unwrap().trim_end_matches('*');
            assert_kept(format!(r#"{{"type":"{of}"}}"#));
        }
        for (name, of) in line.split_whitespace().filter_map(|part| part.split_once(':')) {
            let name = name.trim_end_matches('?');
            assert_kept(format!(r#"{{"{name}":null}}"#));
            for word in of.split('\'').skip(1).step_by(2) {
                assert_kept(format!(r#"{{"{name}":"{word}"}}"#));
            }
        }
    }
    assert!(kept > 200, "only {kept} were asked for");
}

#[test]
fn of_a_type_of_media_that_nobody_knows_its_kind_stays() {
    let scrubber = Scrubber::new(&mut FixedContext::new(3));
    for name in ["media_type", "mimeType", "type"] {
        for kind in ["image/", "application/", "text/", r"image\/"] {
            let record = format!(r#"{{"{name}":"{kind}geheimnis"}}"#);
            let scrubbed = String::from_utf8(scrubber.scrub(record.as_bytes())).unwrap();
            assert!(scrubbed.starts_with(&record[..record.len() - 11]), "{scrubbed}");
            assert!(scrubbed.len() == record.len() && !scrubbed.contains("geheimnis"), "{scrubbed}");
        }
    }
    let record = r#"{"path":"image/geheimnis"}"#;
    assert!(!String::from_utf8(scrubber.scrub(record.as_bytes())).unwrap().contains("image"));
}

#[test]
fn the_format_of_a_picture_and_of_a_pdf_of_few_bytes_stays() {
    let scrubber = Scrubber::new(&mut FixedContext::new(3));
    for data in ["iVBORw0KGgo=", "JVBERi0xLjQK", "R0lGODlh", "JVBERi0xLjQKZ2VoZWltbmlz"] {
        let record = format!(r#"{{"data":"{data}"}}"#);
        let scrubbed = String::from_utf8(scrubber.scrub(record.as_bytes())).unwrap();
        assert!(scrubbed.starts_with(&record[..record.len().min(18)]), "{scrubbed}");
        assert!(scrubbed.len() == record.len() && !scrubbed.contains("Z2VoZWltbmlz"), "{scrubbed}");
    }
}

#[test]
fn a_time_in_small_letters_stays_a_time_and_an_error_says_what_the_api_refused() {
    let scrubber = Scrubber::new(&mut FixedContext::new(3));
    let scrubbed = |record: &str| String::from_utf8(scrubber.scrub(record.as_bytes())).unwrap();
    let time = scrubbed(r#"{"timestamp":"2024-02-29t23:59:60.123456+05:30"}"#);
    assert!(
        time.as_bytes()[24] == b't' && !time.contains("2024-02-29") && time.ends_with(r#".123456+05:30"}"#),
        "{time}"
    );
    let error = scrubbed(r#"{"text":"API Error: Image geheimnis exceeds 5 MB maximum"}"#);
    assert!(error.starts_with(r#"{"text":"API Error: Image "#) && error.contains(" exceed"), "{error}");
    assert!(!error.contains("geheimnis") && !scrubbed(r#"{"text":"An image"}"#).contains("image"), "{error}");
}
