//! Clients: their folders are read, cases are drawn from a seed, and sessions are what they are said to be.

use std::fs;

use turnproof_clients::{Client, Deck, Kept, SessionCase, Sessions, Situation, Talks, plan};
use turnproof_suite::subject::Stop;

const TOML: &str = "package = \"a\"\nversion = \"1\"\nregistry = \"none\"\nfamily = \"a\"\nfirst = [\"true\"]\nresume = [\"true\"]\ntimeout = 5\n";

fn client() -> (tempfile::TempDir, Client) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("client.toml"), TOML).unwrap();
    let client = Client::read(folder.path(), folder.path()).unwrap();
    (folder, client)
}

#[test]
fn the_same_seed_draws_the_same_conversation() {
    let cases: Vec<_> = (0..40).map(|number| plan(7, number)).collect();
    assert_eq!(cases, (0..40).map(|number| plan(7, number)).collect::<Vec<_>>());
    assert_ne!(cases[0], plan(8, 0));
    // All that can be played can be kept, and read again.
    for case in cases {
        let text = serde_json::to_string(&case).unwrap();
        assert_eq!(serde_json::from_str::<turnproof_clients::Case>(&text).unwrap(), case, "{text}");
    }
}

#[test]
fn each_situation_has_a_name_of_its_own_and_a_conversation() {
    let situations = Situation::all().unwrap();
    let mut names: Vec<&str> = situations.iter().map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), situations.len());
    assert!(situations.iter().all(|one| !one.case().script.steps.is_empty()));
}

#[test]
fn a_client_that_asks_nothing_dies_of_each_prompt() {
    let (_folder, client) = client();
    let deck = Talks::new(client, Stop::default());
    let found = deck.play(&plan(1, 0)).unwrap().breaches;
    let rules: Vec<&str> = found.iter().map(|breach| breach.key.rule.as_str()).collect();
    assert_eq!(rules, ["client/asks"]);
}

#[test]
fn sessions_are_drawn_damage_by_damage_and_kept_to_the_byte() {
    let (folder, client) = client();
    let deck = Sessions::new(client, Stop::default());
    let drawn: Vec<SessionCase> = (0..60).map(|number| deck.draw(1, number)).collect();
    assert_eq!(drawn, (0..60).map(|number| deck.draw(1, number)).collect::<Vec<_>>());
    for damage in ["reply-beside-notice", "input-no-object", "attachment-with-null", "odd-call-id", "late-result"] {
        assert!(drawn.iter().any(|case| case.damage == damage), "{damage}");
    }
    for case in drawn {
        let breach = deck.play(&case).unwrap().breaches.into_iter().next();
        let Some(breach) = breach else { continue };
        let kept = Kept { client: "a 1".to_owned(), breach, origin: None, case };
        fs::remove_dir_all(folder.path().join("kept")).ok();
        kept.save(&folder.path().join("kept")).unwrap();
        let read = Kept::<SessionCase>::all(&folder.path().join("kept")).unwrap();
        assert_eq!(read[0].case, kept.case);
    }
}

#[test]
fn a_crash_is_known_by_what_the_client_says_without_its_numbers() {
    let (_folder, mut client) = client();
    let at = |client: &Client, words: &str| {
        let mut client = client.clone();
        client.manifest.resume = ["sh", "-c", words].map(str::to_owned).to_vec();
        let deck = Sessions::new(client, Stop::default());
        let found = deck.play(&deck.draw(1, 0)).unwrap().breaches;
        found.into_iter().map(|breach| breach.key.at).collect::<Vec<_>>()
    };
    assert_eq!(at(&client, "echo no member a in session 17; exit 1"), ["no member a in session"]);
    assert_eq!(at(&client, r#"echo '{"errors":["no member b"],"ms":3}'; exit 1"#), ["no member b"]);
    client.manifest.install = vec![vec!["install".to_owned(), "a@1".to_owned()]];
    let other = client.clone().of_version("2");
    assert_eq!((other.title(), &*other.manifest.install[0][1]), ("a 2".to_owned(), "a@2"));
    assert_ne!(other.installed, client.installed);
}
