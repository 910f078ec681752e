//! What is wrong with the notes, as *facts* for the rules `sent/*`.

use super::lines::Source;
use super::note::SentRequest;
use super::notes::Notes;
use crate::rules::{SentFact, SentFlaw};

/// What is wrong, in the order of the file.
pub(super) fn facts(notes: &Notes) -> Vec<SentFact> {
    let mut facts: Vec<SentFact> = Vec::new();
    let shapes = notes.shapes.values().filter(|shape| !shape.fits);
    facts.extend(shapes.map(|shape| SentFact { line: shape.line, start: shape.start, flaw: SentFlaw::ChangedShape }));
    let blobs = notes.blobs.iter().filter(|blob| !blob.fits);
    facts.extend(blobs.map(|blob| SentFact { line: blob.line, start: blob.start, flaw: SentFlaw::ChangedTurn }));
    for (hash, (line, start)) in &notes.other_turns {
        if let Some(Source::Reply(lines)) = notes.turns.get(hash) {
            let reply = lines.first().map_or(0, |line| notes.lines.all[*line as usize].line);
            facts.push(SentFact { line: *line, start: *start, flaw: SentFlaw::ChangedReply { line: reply } });
        }
    }
    notes.requests.iter().for_each(|request| facts.extend(of_request(notes, request)));
    for unsent in notes.held.unsent() {
        let line = &notes.lines.all[unsent.line as usize];
        let flaw = SentFlaw::Unsent { block: unsent.block };
        facts.push(SentFact { line: line.line, start: line.start, flaw });
    }
    facts.sort_by_key(|fact| fact.line);
    facts
}

/// What is wrong with the note of a request. A turn that is missing is said where it is new.
fn of_request(notes: &Notes, request: &SentRequest) -> Vec<SentFact> {
    let fact = |flaw| SentFact { line: request.line, start: request.start, flaw };
    let mut facts = Vec::new();
    if let Some(base) = request.base.as_ref().filter(|base| base.keep > 0) {
        match base.index {
            None => facts.push(fact(SentFlaw::MissingBase { keep: base.keep })),
            Some(_) if base.keep > base.turns => {
                facts.push(fact(SentFlaw::ShortBase { keep: base.keep, turns: base.turns }));
            }
            Some(_) => {}
        }
    }
    if !notes.shapes.contains_key(&request.shape) {
        facts.push(fact(SentFlaw::MissingShape));
    }
    let missing = request.tail.iter().filter(|hash| !notes.turns.contains_key(hash)).count() as u64;
    if missing > 0 {
        facts.push(fact(SentFlaw::MissingTurns { count: missing, turns: request.tail.len() as u64 }));
    }
    facts
}
