//! The *parts* of a session: the conversation as it resumes, and what does not come back, by why.

use std::collections::{BTreeMap, HashMap};

use turnproof_reference::transcript::resume::{Fate, Place, ResumeOptions, Survey};
use turnproof_reference::transcript::{Flag, Transcript};
use turnproof_suite::table::size;

/// Records of a session that are shown together.
pub(super) struct Part {
    /// The anchor on the page.
    pub(super) id: String,
    pub(super) title: String,
    /// What it is, a sentence.
    pub(super) says: String,
    /// The records in the order in which they are shown, as indexes into the transcript.
    pub(super) records: Vec<usize>,
    /// Whether it is to be read first.
    pub(super) is_open: bool,
}

/// A session in parts.
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
    /// The session's id.
    pub(super) session: Option<String>,
    /// The first and the last time in the conversation.
    pub(super) times: Option<(String, String)>,
    /// What the resume did, by the first byte of the record at which it did it.
    pub(super) notes: HashMap<u64, Vec<String>>,
    /// The line of the record that a record hangs on, by its index.
    pub(super) parents: HashMap<usize, u64>,
    /// The part of each subagent that has one, by its id.
    pub(super) agents: HashMap<String, String>,
}

/// So many subagents have a part of their own.
const AGENTS: usize = 40;

/// Takes a session apart.
pub(super) fn parts(transcript: &Transcript, options: &ResumeOptions) -> Parts {
    let mut survey = Survey::default();
    transcript.records().for_each(|record| survey.note(&record));
    let explained = survey.explain(options);
    let resumed = survey.resume(options);
    let starts: Vec<u64> = transcript.records().map(|record| record.start).collect();
    let index = |place: &Place| starts.binary_search(&place.start).ok();
    let places = resumed.as_ref().map(|resume| &resume.places[..]).unwrap_or_default();
    let conversation: Vec<usize> = places.iter().filter_map(index).collect();
    let mut is_placed = vec![false; transcript.len()];
    conversation.iter().for_each(|&at| is_placed[at] = true);
    let mut left: Vec<(Fate, usize)> = Vec::new();
    let mut parents = HashMap::new();
    for record in &explained.records {
        let Some(at) = index(&record.place) else { continue };
        if let Some(parent) = record.parent.and_then(|parent| explained.records.get(parent as usize)) {
            parents.insert(at, parent.place.line);
        }
        if !is_placed[at] {
            is_placed[at] = true;
            left.push((record.fate, at));
        }
    }
    let mut notes: HashMap<u64, Vec<String>> = HashMap::new();
    for note in &explained.notes {
        notes.entry(note.start).or_default().push(note.to_string());
    }
    let says = match (&resumed, &options.agent) {
        (Err(why), _) => format!("Nothing comes back: {why}."),
        (Ok(_), Some(agent)) => format!("What comes back of the subagent {agent}, in its order."),
        (Ok(_), None) => "What comes back when the session is resumed, in its order.".to_owned(),
    };
    let times = times(transcript, &conversation);
    let mut list = vec![Part {
        id: "conversation".to_owned(),
        title: "The conversation".to_owned(),
        says,
        records: conversation,
        is_open: true,
    }];
    for &(fate, id, title, says) in FATES {
        let records: Vec<usize> = left.iter().filter(|(other, _)| *other == fate).map(|(_, at)| *at).collect();
        list.extend((!records.is_empty()).then(|| folded(id, title, says, records)));
    }
    let (others, agents) = others(transcript, &is_placed);
    list.extend(others);
    let mut sessions = transcript.records().filter_map(|record| Some(record.text(record.head.session?).into_owned()));
    Parts { list, session: sessions.next(), times, notes, parents, agents }
}

/// What becomes of records that do not come back.
const FATES: &[(Fate, &str, &str, &str)] = &[
    (Fate::Left, "branches", "Branches that were left", "The conversation went on from another message."),
    (Fate::BeforeBoundary, "before", "Before the last compaction", "A summary stands for these messages."),
    (Fate::Withdrawn, "withdrawn", "Withdrawn", "A later record takes these back."),
    (Fate::Repeated, "repeated", "Repeated", "The uuid of each of these stands again further down."),
    (Fate::NoMessage, "no-messages", "On the chain, and no messages", "Progress and the like: it is stepped over."),
];

fn folded(id: &str, title: &str, says: &str, records: Vec<usize>) -> Part {
    Part { id: id.to_owned(), title: title.to_owned(), says: says.to_owned(), records, is_open: false }
}

/// What no conversation that was asked for holds: subagents, each by itself, and records beside all conversations.
fn others(transcript: &Transcript, is_placed: &[bool]) -> (Vec<Part>, HashMap<String, String>) {
    let mut order: Vec<String> = Vec::new();
    let mut by_agent: HashMap<String, Vec<usize>> = HashMap::new();
    let mut beside = Vec::new();
    let mut types: BTreeMap<String, u64> = BTreeMap::new();
    for (at, record) in transcript.records().enumerate().filter(|(at, _)| !is_placed[*at]) {
        let agent = record.head.agent.map(|agent| record.text(agent).into_owned());
        if record.head.kind.is_some() && (agent.is_some() || record.head.has(Flag::Sidechain)) {
            let mut agent = agent.unwrap_or_default();
            if order.len() >= AGENTS && !by_agent.contains_key(&agent) {
                agent = OTHER_AGENTS.to_owned();
            }
            if !by_agent.contains_key(&agent) {
                order.push(agent.clone());
            }
            by_agent.entry(agent).or_default().push(at);
        } else {
            *types.entry(record.type_name().into_owned()).or_default() += 1;
            beside.push(at);
        }
    }
    let (mut parts, mut ids) = (Vec::new(), HashMap::new());
    for (number, agent) in order.into_iter().enumerate() {
        let records = by_agent.remove(&agent).unwrap_or_default();
        let title = match agent.as_str() {
            "" => "A subagent without a name".to_owned(),
            OTHER_AGENTS => "Other subagents".to_owned(),
            agent => format!("Subagent {}", short(agent)),
        };
        let says = "A subagent has a conversation of its own; it is shown in the order of the file.";
        let id = format!("agent-{}", number + 1);
        parts.push(Part { title, ..folded(&id, "", says, records) });
        ids.insert(agent, id);
    }
    if !beside.is_empty() {
        let types: Vec<String> =
            types.iter().take(12).map(|(name, count)| format!("{count} {}", short(name))).collect();
        let of = size(beside.len() as u64, "record");
        let says = format!("Titles, snapshots and the like: {of}, such as {}.", types.join(", "));
        parts.push(folded("beside", "Beside the conversation", &says, beside));
    }
    (parts, ids)
}

/// The key of all subagents that have no part of their own; no id holds a NUL.
const OTHER_AGENTS: &str = "\0";

/// The beginning of a name, made fit for a line.
fn short(name: &str) -> String {
    crate::report::outline::shortened(name)
}

fn times(transcript: &Transcript, conversation: &[usize]) -> Option<(String, String)> {
    let time = |at: &usize| {
        let record = transcript.record(*at);
        record.head.time.map(|time| record.text(time).into_owned())
    };
    Some((conversation.iter().find_map(time)?, conversation.iter().rev().find_map(time)?))
}
