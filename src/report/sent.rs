//! The requests that a session *proves*, as people and programs read them: one a line.

use turnproof_suite::printable::characters;

use crate::check::{SentBody, SentVerdict};
use turnproof_suite::table::{count, size, table};

use super::jsonl::JsonLine;

/// The report for people. `width` is the number of columns of the terminal; `None` when it has no end.
pub fn sent_page(requests: &[SentVerdict], width: Option<usize>) -> String {
    let rows: Vec<[String; 7]> = requests.iter().map(row).collect();
    let headings = [">request", ">line", "model", ">turns", ">bytes", ">same as before", "verdict"];
    let wide = table(headings, rows.clone());
    match width {
        Some(width) if wide.lines().any(|line| line.chars().count() > width) => stacked(&rows),
        _ => wide,
    }
}

/// The cells of a request.
fn row(request: &SentVerdict) -> [String; 7] {
    let number = count(u64::from(request.number));
    let (line, model) = (count(request.note.line), printed(&request.note.model));
    let turns = request.note.turns().map(count).unwrap_or_default();
    let (bytes, same) = match &request.judged {
        Ok(judged) => (count(judged.bytes), same(judged)),
        Err(_) => Default::default(),
    };
    [number, line, model, turns, bytes, same, remarks(request).join("; ")]
}

/// How much of the request before it begins with: `100 %`.
fn same(judged: &SentBody) -> String {
    judged.before.as_ref().map(|before| format!("{} %", percent(before.same, before.of))).unwrap_or_default()
}

/// A share, rounded down: what is not the same is not called so.
fn percent(part: u64, whole: u64) -> u64 {
    (part * 100).checked_div(whole).unwrap_or(100)
}

/// The verdict, and what else is to be said.
fn remarks(request: &SentVerdict) -> Vec<String> {
    let mut remarks = Vec::new();
    match &request.judged {
        Err(error) => remarks.push(format!("cannot be rebuilt: {error}")),
        Ok(judged) => {
            remarks.push(verdict(judged));
            let broken = judged.before.as_ref().and_then(|before| Some((before.number, before.differs_at.as_ref()?)));
            remarks.extend(broken.map(|(number, path)| format!("differs from {number} at {}", printed(path))));
            remarks.extend(changed(judged));
        }
    }
    if let Some(refused) = request.refused() {
        let status = refused.status.map(|status| format!(" ({status})")).unwrap_or_default();
        remarks.push(format!("line {}: the API refused it{status}: {}", count(refused.line), printed(&refused.words)));
    }
    remarks
}

/// `legal`, `legal, 1 warning`, or `not legal: pairing/no-orphan-result`.
fn verdict(judged: &SentBody) -> String {
    let tally = &judged.tally;
    let warnings = tally.violation_count() - tally.errors();
    match tally.errors() {
        0 if warnings == 0 => "legal".to_owned(),
        0 => format!("legal, {}", size(warnings, "remark")),
        _ => format!("not legal: {}", tally.violations.keys().copied().collect::<Vec<_>>().join(", ")),
    }
}

/// What the file holds otherwise than it was sent.
fn changed(judged: &SentBody) -> Option<String> {
    let body = &judged.body;
    let turns = body.changed_turns.len() as u64;
    let parts =
        [(turns > 0).then(|| size(turns, "turn")), body.is_shape_changed.then(|| "system prompt or tools".to_owned())];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => (!body.digest_fits).then(|| "another digest".to_owned()),
        false => Some(format!("changed since: {}", parts.join(", "))),
    }
}

/// A text as a terminal may show it, on one line.
fn printed(text: &str) -> String {
    const LONGEST: usize = 200;
    characters(text.as_bytes()).take(LONGEST).collect()
}

fn stacked(rows: &[[String; 7]]) -> String {
    let names = ["", "line", "model", "turns", "bytes", "same as before", "verdict"];
    let request = |row: &[String; 7]| {
        let lines = names.iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty());
        let lines: String = lines.map(|(name, cell)| format!("  {name:<14}  {cell}\n")).collect();
        format!("request {}\n{lines}", row[0])
    };
    rows.iter().map(request).collect()
}

/// A request as a line of JSON.
pub fn sent_line(request: &SentVerdict) -> String {
    let note = &request.note;
    let line = JsonLine::new("request")
        .with("number", request.number)
        .with("line", note.line)
        .with("id", &note.id)
        .with("timestamp", &note.timestamp)
        .with("source", &note.source)
        .with("agent", &note.agent)
        .with("model", &note.model)
        .with("turns", note.turns());
    let line = match &request.judged {
        Ok(judged) => judged_members(line, judged),
        Err(error) => line.with("rebuilt", false).with("error", error),
    };
    let refused = request
        .refused()
        .map(|refused| serde_json::json!({"line": refused.line, "status": refused.status, "words": refused.words}));
    line.with("refused", refused).end()
}

fn judged_members(line: JsonLine, judged: &SentBody) -> JsonLine {
    let SentBody { body, bytes, tally, before } = judged;
    let hashes_fit = body.changed_turns.is_empty() && !body.is_shape_changed;
    line.with("rebuilt", true)
        .with("bytes", bytes)
        .with("betas", &body.betas)
        .with("hashes_fit", hashes_fit)
        .with("digest_fits", body.digest_fits)
        .with("changed_turns", &body.changed_turns)
        .with("legal", tally.errors() == 0)
        .with("violations_by_rule", &tally.violations)
        .with("continues", before.as_ref().map(|before| before.number))
        .with("same_bytes", before.as_ref().map(|before| before.same))
        .with("bytes_before", before.as_ref().map(|before| before.of))
        .with("differs_at", before.as_ref().and_then(|before| before.differs_at.as_ref()))
}

/// The last line: how many requests there are, and what is said of them.
pub fn sent_summary(requests: &[SentVerdict]) -> String {
    let [rebuilt, fitting, legal, refused] = sent_counts(requests);
    JsonLine::new("summary")
        .with("requests", requests.len())
        .with("rebuilt", rebuilt)
        .with("hashes_fit", fitting)
        .with("legal", legal)
        .with("refused", refused)
        .end()
}

/// How many requests were rebuilt, were rebuilt as they were sent, are legal, and were refused.
pub fn sent_counts(requests: &[SentVerdict]) -> [u64; 4] {
    let count = |is: &dyn Fn(&SentVerdict) -> bool| requests.iter().filter(|request| is(request)).count() as u64;
    [
        count(&|request| request.judged.is_ok()),
        count(&|request| request.judged.as_ref().is_ok_and(|judged| judged.body.digest_fits)),
        count(&SentVerdict::is_legal),
        count(&|request| request.refused().is_some()),
    ]
}
