//! The *view* of a session is one page that loads nothing and runs nothing, whatever the session holds and however large
//! it is.

mod agents;
mod attached;
mod markdown;
mod strip;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::call::{run, turnproof};
use crate::markup::{Element, elements, ids};

/// The page of a file.
fn page_of(path: &Path) -> String {
    let (code, out, error) = run(&mut turnproof(&["view", path.to_str().unwrap()]));
    assert_eq!((code, error.as_str()), (0, ""), "{}", path.display());
    out
}

/// The page of a file that is named so and holds this.
fn page(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    page_of(&path)
}

/// The elements of a page that loads nothing, runs nothing, and leads nowhere else.
fn harmless(page: &str) -> Vec<Element> {
    let elements = elements(page);
    let ids = ids(&elements);
    for element in &elements {
        let is_plain = PLAIN.contains(&element.name.as_str());
        assert!(is_plain, "<{}>", element.name);
        for (name, value) in &element.attributes {
            match name.as_str() {
                "src" => assert!(is_picture(value), "{value}"),
                "alt" | "open" | "scope" => {}
                "style" => assert!(is_bar(value), "{value}"),
                "href" => {
                    assert!(value.strip_prefix('#').is_some_and(|id| ids.contains(id)), "{value} leads elsewhere")
                }
                "id" | "class" | "lang" | "charset" | "content" | "name" | "title" | "http-equiv" | "aria-label" => {}
                other => panic!("{other} on <{}>", element.name),
            }
        }
    }
    let style = &elements.iter().find(|element| element.name == "style").unwrap().text;
    assert!(!style.contains("url(") && !style.contains("@import"));
    let policy = elements.iter().filter(|element| {
        element.attributes.get("content").is_some_and(|content| content.starts_with("default-src 'none'"))
    });
    assert_eq!(policy.count(), 1);
    elements
}

/// Whether an address is a picture itself.
fn is_picture(address: &str) -> bool {
    let data = ["png", "jpeg", "gif", "webp"]
        .iter()
        .find_map(|kind| address.strip_prefix(&format!("data:image/{kind};base64,")));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    data.is_some_and(|data| data.bytes().all(is_plain))
}

/// Whether a style is that of a bar: its height and its filled part.
fn is_bar(style: &str) -> bool {
    let parts = style.strip_prefix("--high:").and_then(|rest| rest.split_once(";--cached:"));
    parts.is_some_and(|(high, cached)| high.parse::<u8>().is_ok() && cached.parse::<u8>().is_ok())
}

/// The elements that a page may have.
const PLAIN: [&str; 39] = [
    "html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer", "h1", "h2", "h3",
    "p", "ul", "ol", "li", "dl", "dt", "dd", "div", "span", "b", "code", "a", "details", "summary", "wbr", "time",
    "em", "mark", "img", "table", "thead", "tbody", "tr", "th", "td",
];

fn section<'a>(elements: &'a [Element], id: &str) -> &'a Element {
    let is_it =
        |element: &&Element| element.name == "section" && element.attributes.get("id").is_some_and(|it| it == id);
    elements.iter().find(is_it).unwrap_or_else(|| panic!("there is no section {id}"))
}

/// The rows of a section, by their line.
fn lines(elements: &[Element], id: &str) -> Vec<u64> {
    let rows = elements.iter().filter(|element| element.is("row") && element.section.as_deref() == Some(id));
    let line = |row: &Element| row.attributes.get("id")?.strip_prefix('L')?.parse().ok();
    rows.filter_map(line).collect()
}

fn line(uuid: &str, parent: &str, content: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"timestamp":"2026-01-01T00:00:00.000Z","message":{{"role":"user","content":{content}}}}}"#
    ) + "\n"
}

#[test]
fn every_stored_session_gives_the_same_harmless_page_each_time() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = 0;
    for folder in ["tests/sessions", "tests/cases/reject", "tests/cases/either"] {
        for entry in walkdir::WalkDir::new(root.join(folder)).sort_by_file_name() {
            let path = entry.unwrap().into_path();
            if path.extension().is_none_or(|end| end != "jsonl") {
                continue;
            }
            let (code, out, error) = run(&mut turnproof(&["view", path.to_str().unwrap()]));
            if code == 2 {
                assert!(error.contains("no session"), "{}: {error}", path.display());
                continue;
            }
            assert_eq!(code, 0, "{}: {error}", path.display());
            harmless(&out);
            if pages % 20 == 0 {
                assert_eq!(out, page_of(&path), "{}", path.display());
            }
            pages += 1;
        }
    }
    assert!(pages > 150, "{pages}");
}

#[test]
fn real_transcripts_give_harmless_pages_of_a_size_that_a_browser_opens() {
    for path in crate::transcripts::files() {
        let (code, out, error) = run(&mut turnproof(&["view", path.to_str().unwrap()]));
        if code == 2 {
            assert!(error.contains("no session"), "{}: {error}", path.display());
            continue;
        }
        assert_eq!(code, 0, "{}: {error}", path.display());
        assert!(out.len() < 4 << 20, "{}: {} bytes", path.display(), out.len());
        harmless(&out);
    }
}

#[test]
fn the_conversation_comes_as_it_resumes_and_each_result_stands_beside_its_call() {
    let elements = harmless(&page_of(Path::new("tests/sessions/parallel-results.jsonl")));
    let pairs: Vec<&Element> = elements.iter().filter(|element| element.is("pair")).collect();
    assert!(pairs.len() >= 2, "{}", pairs.len());
    for pair in pairs {
        assert!(pair.text.contains("tool_result") && pair.text.contains("line "), "{}", pair.text);
    }
    // A record that holds nothing but results beside their calls has no row of its own.
    let results = elements.iter().filter(|element| element.is("result") && element.attributes.contains_key("id"));
    assert!(results.count() >= 2);
}

#[test]
fn what_does_not_come_back_is_folded_by_why() {
    for (file, id, title) in [
        ("rewound-twice", "branches", "Branches that were left"),
        ("two-boundaries", "before", "Before the last compaction"),
        ("refused-and-retracted", "withdrawn", "Withdrawn"),
        ("repeated-uuid", "repeated", "Repeated"),
        ("progress-in-the-chain", "no-messages", "On the chain, and no messages"),
        ("subagent-in-the-file", "agent-1", "Subagent"),
    ] {
        let elements = harmless(&page_of(Path::new(&format!("tests/sessions/{file}.jsonl"))));
        let folded = section(&elements, id);
        assert!(folded.text.starts_with(title), "{file}: {}", folded.text);
        let details = elements.iter().filter(|element| element.name == "details");
        let mut folded = details.filter(|element| element.section.as_deref() == Some(id));
        assert!(folded.any(|details| details.text.contains("record")), "{file}");
        let (inside, conversation) = (lines(&elements, id), lines(&elements, "conversation"));
        assert!(!inside.is_empty() && inside.iter().all(|line| !conversation.contains(line)), "{file}: {inside:?}");
    }
}

#[test]
fn findings_stand_at_their_lines_and_their_rules_are_explained() {
    let session = line("u1", "", "\"Hi.\"") + "no json\n" + &line("u2", "never written", "\"Go on.\"");
    let elements = harmless(&page("s.jsonl", session));
    let marked: Vec<&Element> = elements.iter().filter(|element| element.is("marked")).collect();
    let at = |id: &str| marked.iter().find(|element| element.attributes.get("id").is_some_and(|it| it == id));
    assert!(at("L2").unwrap().text.contains("wire/json-object"));
    assert!(at("L3").unwrap().text.contains("chain/parent-exists"));
    assert!(at("L2").unwrap().is("line") && at("L3").unwrap().is("row"));
    assert!(at("L1").is_none_or(|first| !first.text.contains("chain/parent-exists")));
    let findings = section(&elements, "findings");
    assert!(findings.text.contains("a reader that stops at the gap shows nothing from before it"), "{}", findings.text);
    assert!(findings.text.contains("What the rule means, and what to do"));
    let links: BTreeSet<&str> =
        elements.iter().filter_map(|element| Some(element.attributes.get("href")?.as_str())).collect();
    assert!(links.contains("#L2") && links.contains("#rule-chain-parent-exists"), "{links:?}");
    let header = elements.iter().find(|element| element.name == "header").unwrap();
    assert!(header.text.contains("damaged") && header.text.contains("turnproof repair"), "{}", header.text);
    let repair = section(&elements, "repair");
    assert!(repair.text.contains("never written") && repair.text.contains("healthy"), "{}", repair.text);
    assert!(elements.iter().any(|element| element.is("was")) && elements.iter().any(|element| element.is("is")));
}

#[test]
fn a_healthy_session_has_no_findings_and_no_repair() {
    let elements = harmless(&page("s.jsonl", line("c0a1d001-0000-4000-8000-000000000001", "", "\"Hi.\"")));
    assert!(elements.iter().any(|element| element.name == "h1" && element.text == "healthy"));
    let sections: Vec<&str> = elements
        .iter()
        .filter(|it| it.name == "section")
        .filter_map(|it| Some(it.attributes.get("id")?.as_str()))
        .collect();
    assert_eq!(sections, ["conversation"]);
}

#[test]
fn hostile_texts_stay_text_wherever_they_stand() {
    let evil = r#"</li></section></style><script>alert(1)</script><img src=x onerror=alert(1)>\"'&amp;<!--"#;
    let odd = r"\ud800 \u0000 \u202e \u2028 \ufeff \u001b[31m";
    let block = |body: &str| format!("[{body}]");
    let session = [
        line("u1", "", &format!("\"{evil} {odd}\"")),
        line(evil, "u1", &block(&format!(r#"{{"type":"text","text":"{evil}","{evil}":1}}"#))),
        format!(
            r#"{{"type":"assistant","uuid":"a1","parentUuid":"{evil}","sessionId":"{evil}","timestamp":"{evil}","is{evil}":true,"message":{{"id":"{evil}","role":"assistant","content":[{{"type":"tool_use","id":"{evil}","name":"{evil}","input":{{"{evil}":"{evil}{odd}"}}}},{{"type":"thinking","thinking":"{evil}"}},{{"type":"{evil}","x":"{evil}"}},{{"type":"image","source":{{"type":"{evil}","media_type":"{evil}","data":"{evil}"}}}}]}}}}"#
        ) + "\n",
        line("u3", "a1", &block(&format!(r#"{{"type":"tool_result","tool_use_id":"{evil}","content":"{evil}"}}"#))),
        format!(r#"{{"type":"attachment","uuid":"t1","parentUuid":"u3","attachment":{{"type":"{evil}","x":"{evil}"}}}}"#) + "\n",
        format!(r#"{{"type":"system","subtype":"{evil}","uuid":"s1","parentUuid":"t1","content":"{evil}"}}"#) + "\n",
        format!(r#"{{"type":"user","uuid":"b1","parentUuid":null,"isSidechain":true,"agentId":"{evil}","message":{{"role":"user","content":"{evil}"}}}}"#) + "\n",
        format!(r#"{{"type":"{evil}","{evil}":"{evil}"}}"#) + "\n",
        evil.to_owned() + "\0\x1b\n",
    ]
    .concat();
    let mut bytes = session.into_bytes();
    bytes.extend(b"\xff\xfe<script>\n");
    let text = page("<script>alert(1)<.jsonl", bytes);
    let is_plain = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    assert!(text.chars().all(is_plain));
    assert!(!text.contains(['\u{202E}', '\u{2028}', '\u{FEFF}']));
    let elements = harmless(&text);
    let shown = elements.iter().filter(|element| element.text.contains("<script>alert(1)</script><img src=x"));
    assert!(shown.count() > 20);
    let body = &elements.iter().find(|element| element.name == "body").unwrap().text;
    for named in ["U+0000", "U+202E", "U+2028", "U+FEFF", "U+001B", "\\xFF", "\u{FFFD}"] {
        assert!(body.contains(named), "{named}");
    }
}

#[test]
fn of_a_long_session_the_first_and_the_last_records_and_findings_are_shown_and_the_rest_is_named() {
    let mut session = String::new();
    for at in 1..=3_000 {
        let parent = if at == 1 { String::new() } else { format!("u{}", at - 1) };
        let parent = if at == 1_500 { "never written".to_owned() } else { parent };
        session += &line(&format!("u{at}"), &parent, &format!("\"text {at}.\""));
    }
    let text = page("s.jsonl", &session);
    let elements = harmless(&text);
    let shown = lines(&elements, "conversation");
    assert_eq!(shown.len(), 300 + 500 + 3);
    assert!([1, 300, 1_499, 1_500, 1_501, 2_501, 3_000].iter().all(|line| shown.contains(line)));
    let conversation = section(&elements, "conversation");
    assert!(conversation.text.contains("803 of 3,000 records are shown"), "{}", &conversation.text[..400]);
    let gaps: Vec<&str> =
        elements.iter().filter(|element| element.is("gap")).map(|element| element.text.as_str()).collect();
    let expected = ["… 1,198 records left out, lines 301 to 1,498 …", "… 999 records left out, lines 1,502 to 2,500 …"];
    assert_eq!(gaps, expected);
}

#[test]
fn long_texts_many_blocks_and_odd_characters_do_not_make_a_page_too_large() {
    let long = line("u1", "", &format!("\"begin {} end\"", "x".repeat(3 << 20)));
    let many = line("u2", "u1", &format!("[{}]", vec![r#"{"type":"text","text":"a"}"#; 5_000].join(",")));
    let text = page("s.jsonl", long + &many);
    let body = &harmless(&text).into_iter().find(|element| element.name == "body").unwrap().text;
    assert!(body.contains("begin") && body.contains("end") && body.contains("bytes left out"));
    assert!(body.contains("4,960 more blocks left out"));
    assert!(text.len() < 60_000, "{}", text.len());
    // Each of these characters takes some sixty bytes of the page.
    let odd = (1..=900).map(|at| {
        let parent = if at == 1 { String::new() } else { format!("u{}", at - 1) };
        let block = format!(r#"{{"type":"text","text":"{}"}}"#, "\\u0001".repeat(300));
        line(&format!("u{at}"), &parent, &format!("[{}]", vec![block; 20].join(",")))
    });
    let text = page("s.jsonl", odd.collect::<String>());
    assert!(text.len() < 16 << 20, "{}", text.len());
    assert!(text.contains("not shown: the page is full"));
    assert_eq!(lines(&harmless(&text), "conversation").len(), 800);
}

#[test]
fn a_page_goes_to_a_file_or_to_standard_output_and_what_is_no_session_has_none() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("page.html");
    let session = "docs/samples/session.jsonl";
    let (code, printed, error) = run(&mut turnproof(&["view", session, "-o", out.to_str().unwrap()]));
    assert_eq!((code, printed.as_str(), error.as_str()), (0, "", ""));
    assert_eq!(fs::read_to_string(&out).unwrap(), page_of(Path::new(session)));
    let mut command = turnproof(&["view", "-"]);
    command.write_stdin(fs::read(session).unwrap());
    let (code, printed, _) = run(&mut command);
    assert_eq!(code, 0);
    assert!(harmless(&printed).iter().any(|element| element.name == "h1" && element.text == "refused"));
    for (arguments, said) in [
        (vec!["view", "docs"], "name a file, and not a folder"),
        (vec!["view", "docs/samples/request.json"], "no session"),
        (vec!["view", "never-written.jsonl"], "there is no such file"),
        (vec!["view", session, "-o", "no/such/folder/page.html"], "cannot write"),
        (vec!["view", "--agent", "nobody", session], "nobody"),
    ] {
        let (code, _, error) = run(&mut turnproof(&arguments));
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
    let (code, printed, _) =
        run(&mut turnproof(&["view", "--agent", "7f", "tests/sessions/subagent-in-the-file.jsonl"]));
    assert_eq!((code, lines(&harmless(&printed), "conversation").len()), (0, 2));
}

#[test]
fn a_small_page_as_a_browser_shows_its_texts() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/view");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let page = page_of(Path::new("docs/samples/session.jsonl"));
    let body = page[page.find("<body>").unwrap()..].replace(env!("CARGO_PKG_VERSION"), "VERSION");
    // An element a line, so that a change is seen where it is.
    let body = body.replace("><", ">\n<");
    settings.bind(|| insta::assert_snapshot!("session", body));
}
