//! *Clients* are played each situation, and what they do wrong is confirmed by a second run, kept, and written into a
//! page.

mod page;
mod result;
mod versions;

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use turnproof_clients::{Alone, Breach, Case, CaseOutcome, Client, Deck, Kept, SessionCase, Situation, Talks, alone};
use turnproof_rules::rules::glob_matches;
use turnproof_suite::subject::Stop;

use crate::{Arguments, Failure};
use page::{page, sessions};
use result::{Judged, Mistake, Outcomes};
use versions::{Versions, of_versions};

/// So many smaller cases of a situation are tried: it has one thing each.
const TRIES: usize = 3;

/// Judges the clients of a folder, and writes the page of all that were ever judged.
pub(crate) fn run(arguments: &Arguments, stop: &Stop) -> Result<ExitCode, Failure> {
    let situations = Situation::all().map_err(Failure::Situations)?;
    let clients = Client::all(&arguments.clients_folder, &arguments.installed)?;
    let named = |client: &Client| glob_matches(arguments.only.as_bytes(), client.name.as_bytes());
    let mut clients: Vec<Client> = clients.into_iter().filter(named).collect();
    if !arguments.versions.is_empty() {
        clients = of_versions(clients, &arguments.versions);
    }
    if arguments.install {
        install(&clients, stop)?;
    }
    if !clients.is_empty()
        && let Alone::Was(code) = alone(stop)?
    {
        return Ok(ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(2)));
    }
    let mut out = io::stdout().lock();
    for client in clients {
        if let Err(why) = client.check(stop) {
            writeln!(out, "skipped: {}: {why}", client.name)?;
            continue;
        }
        if !arguments.versions.is_empty() {
            versions::judge(client, arguments, stop)?;
            continue;
        }
        let judged = judge(client, &situations, arguments, stop)?;
        writeln!(out, "{}: {} situations, {} mistakes", judged.name, judged.outcomes.len(), judged.mistakes().count())?;
    }
    let judged = Judged::all(&arguments.kept_clients)?;
    let mut text = page(&situations, &judged);
    for client in &judged {
        // What `turnproof test --client DIR --sessions --regressions tests/clients/sessions/NAME` has kept.
        let kept = Kept::<SessionCase>::all(&arguments.kept_clients.join("sessions").join(&client.name))?;
        text.push_str(&sessions(client, &kept));
        if let Some(versions) = Versions::of(&arguments.kept_clients, &client.name)? {
            text.push_str(&versions.table());
        }
    }
    fs::create_dir_all(&arguments.out)?;
    let path = arguments.out.join("clients.md");
    fs::write(&path, text)?;
    writeln!(out, "written to {}", path.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Installs the clients, where a network is.
fn install(clients: &[Client], stop: &Stop) -> Result<(), Failure> {
    for client in clients {
        if let Err(why) = client.install(stop) {
            writeln!(io::stderr(), "{}: {why}", client.name)?;
        }
    }
    Ok(())
}

/// Plays all situations to a client, and keeps what comes of it.
fn judge(client: Client, situations: &[Situation], arguments: &Arguments, stop: &Stop) -> Result<Judged, Failure> {
    let folder = arguments.kept_clients.join(&client.name);
    let known = Judged::all(&arguments.kept_clients)?;
    let known = known.into_iter().find(|one| one.name == client.name && one.title == client.title());
    let known = known.filter(|_| !arguments.again);
    if known.is_none() {
        emptied(&folder)?;
    }
    let mut judged = known.unwrap_or_else(|| Judged::of(&client, arguments.date.clone()));
    let deck = Talks::new(client, stop.clone());
    for situation in situations {
        if judged.outcomes.contains_key(&situation.name) {
            continue;
        }
        eprintln!("{}: {}", judged.name, situation.name);
        let outcomes = outcomes(&deck, situation, &folder)?;
        judged.outcomes.insert(situation.name.clone(), outcomes);
        // The day is that of what was played last.
        judged.date = arguments.date.clone().or(judged.date);
        // Whoever ends it keeps what was played until then.
        judged.save(&arguments.kept_clients)?;
    }
    Ok(judged)
}

/// What comes of one situation: mistakes that two runs have shown.
fn outcomes(deck: &Talks, situation: &Situation, folder: &Path) -> Result<Outcomes, Failure> {
    let case = situation.case();
    let CaseOutcome { breaches: first, is_partial } = deck.play(&case)?;
    // What could not be said whole shows nothing of the situation.
    if is_partial || first.is_empty() {
        return Ok(Outcomes { is_partial, ..Outcomes::default() });
    }
    let second = deck.play(&case)?.breaches;
    let is_in = |breach: &Breach, others: &[Breach]| others.iter().any(|other| other.key == breach.key);
    let (confirmed, once): (Vec<Breach>, Vec<Breach>) = first.into_iter().partition(|breach| is_in(breach, &second));
    let mut outcomes = Outcomes { unconfirmed: once.len(), ..Outcomes::default() };
    for breach in confirmed {
        outcomes.mistakes.push(mistake(deck, situation, &case, breach, folder)?);
    }
    Ok(outcomes)
}

/// Makes the case of a mistake smaller, and keeps it.
fn mistake(
    deck: &Talks,
    situation: &Situation,
    case: &Case,
    breach: Breach,
    folder: &Path,
) -> Result<Mistake, Failure> {
    let shows = |case: &Case| deck.play(case).ok()?.breaches.into_iter().find(|one| one.key == breach.key);
    let mut said = breach.clone();
    let smallest = deck.smallest(case, TRIES, &mut |case| match shows(case) {
        Some(found) => {
            said = found;
            true
        }
        None => false,
    });
    // Whether it is for ever shows where all prompts are given.
    let breach = Breach { for_ever: breach.for_ever, ..said };
    let kept = Kept { client: deck.client().title(), breach, origin: None, case: smallest };
    let stem = kept.file_name();
    let file = format!("{}-{stem}", situation.name);
    fs::create_dir_all(folder)?;
    let json = serde_json::to_string_pretty(&kept).map_err(io::Error::from)?;
    fs::write(folder.join(&file), json + "\n")?;
    Ok(Mistake { breach: kept.breach, file })
}

/// Takes the kept cases of a client away.
fn emptied(folder: &Path) -> io::Result<()> {
    if folder.is_dir() { fs::remove_dir_all(folder) } else { Ok(()) }
}
