//! The operation `resume`: a transcript to the conversation that a user gets back.

use serde::{Deserialize, Serialize};

use super::bytes;
use super::form::Base64;
use super::list::List;
use super::record::{RecordStep, SESSION};
use crate::json;
use crate::rules::ResumeWorkedOut;
use crate::subject::{Outcome, Subject};
use crate::{Answers, Depth, Material, Observation};

/// A conversation that was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Conversation {
    /// The records, in order.
    pub records: Vec<ConversationRecord>,
    /// What was bridged, dropped, put back or moved, in the program's own words.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// A record of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConversationRecord {
    /// Its uuid (halves of surrogate pairs as U+FFFD).
    pub uuid: String,
    /// Its bytes as they stand in the file.
    #[serde(rename = "record_b64", with = "Base64")]
    pub bytes: Vec<u8>,
}

/// What a subject answers: a conversation; `None` when the file holds no conversation; or why it failed.
pub type ResumeAnswer = Result<Option<Conversation>, String>;

/// What a subject did with a transcript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// The file; in JSON a string, or a list of numbers when it is not UTF-8.
    #[serde(with = "bytes")]
    pub file: Vec<u8>,
    /// The answer.
    pub answer: ResumeAnswer,
    /// The same question again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<ResumeAnswer>,
    /// Answers for the file cut after so many bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<(u64, ResumeAnswer)>,
    /// The results of recording more after a resume of a cut file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continued: Vec<Continued>,
    /// When the file was made by recording one conversation: the uuids of all its records that must come back, in order
    /// (`resume/complete`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Vec<String>>,
}

/// A resume of a cut file, more messages recorded after it, and a resume of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Continued {
    /// After how many bytes the file was cut.
    pub cut: u64,
    /// What the cut file gave.
    pub before: ResumeAnswer,
    /// The uuids of the messages recorded after it, in order.
    pub added: Vec<String>,
    /// The file after that, or why nothing could be recorded.
    #[serde(with = "bytes::answer")]
    pub file: Result<Vec<u8>, String>,
    /// What that file gives.
    pub after: ResumeAnswer,
}

/// In how many places a file is cut.
const CUTS: usize = 6;

/// In how many of them in a sample.
const SAMPLED_CUTS: usize = 2;

/// How many sorts of further questions there are about a resume.
const SORTS: u64 = 4;

/// A message that is recorded after a resume: a user's.
const MORE: &str = r#"{"type":"user","uuid":"99999999-0000-4000-8000-000000000001","timestamp":"2026-01-02T00:00:00.000Z","message":{"role":"user","content":"more"}}"#;

/// And the answer.
const MORE_STILL: &str = r#"{"type":"assistant","uuid":"99999999-0000-4000-8000-000000000002","timestamp":"2026-01-02T00:00:01.000Z","message":{"id":"msg_more","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"indeed"}],"stop_reason":"end_turn","stop_sequence":null}}"#;

const ADDED: [&str; 2] = ["99999999-0000-4000-8000-000000000001", "99999999-0000-4000-8000-000000000002"];

impl Observation for Resumed {
    type WorkedOut<'a> = ResumeWorkedOut<'a>;

    /// Asks for the conversation of the transcript. Further questions: again, of the file cut in some places, and after
    /// recording more behind such a cut. Some cases also ask for a conversation that was recorded in one piece.
    fn observe(subject: &dyn Subject, material: &dyn Material, depth: Depth) -> Option<Answers<Self>> {
        let mut first = resume_file(subject, material.transcript().to_vec(), depth)?;
        // With random links, a next message may hang on a record beside the chain, and so change the chain itself. So
        // going on is asked only of files that a recorder wrote, cut anywhere.
        if material.is_conversation() && depth.asks(2, SORTS) {
            let cuts = first.cuts.iter().step_by(3);
            let go_on = |(cut, before): &(u64, ResumeAnswer)| go_on_from(subject, &first.file, *cut, before.clone());
            first.continued = cuts.filter_map(go_on).collect();
        }
        let mut resumed = vec![first];
        if material.is_conversation() && depth.asks_once_in(2) && depth.asks(3, SORTS) {
            resumed.extend(plainly_recorded(subject, material));
        }
        Some(Ok(resumed))
    }
}

fn ask(subject: &dyn Subject, file: &[u8]) -> Option<ResumeAnswer> {
    subject.resume(file).into_answer()
}

fn resume_file(subject: &dyn Subject, file: Vec<u8>, depth: Depth) -> Option<Resumed> {
    let answer = ask(subject, &file)?;
    let again = depth.asks_again(SORTS).then(|| ask(subject, &file)).flatten();
    let cuts_it = depth.asks(1, SORTS) || depth.asks(2, SORTS);
    let places = if cuts_it { cuts(&file) } else { Vec::new() };
    let asked = &places[depth.asked(places.len(), SAMPLED_CUTS)];
    let ask_cut = |cut: usize| if cut == file.len() { Some(answer.clone()) } else { ask(subject, &file[..cut]) };
    let cuts = asked.iter().filter_map(|&cut| Some((cut, ask_cut(cut as usize)?))).collect();
    Some(Resumed { file, answer, again, cuts, continued: Vec::new(), recorded: None })
}

/// Where a file is cut: spread over it, and around the ends of lines.
fn cuts(file: &[u8]) -> Vec<u64> {
    let ends: Vec<usize> = (0..file.len()).filter(|&at| file[at] == b'\n').collect();
    let spread = (1..CUTS).map(|part| file.len() * part / CUTS);
    let around = ends.iter().skip(ends.len() / 2).take(1).flat_map(|&end| [end, end + 1]);
    let mut cuts: Vec<u64> = spread.chain(around).map(|cut| cut.min(file.len()) as u64).collect();
    cuts.push(file.len() as u64);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// Records two messages after what a subject resumes of a file that is cut before byte `cut`, and resumes again.
///
/// `None` when the subject does not do that, when a record of the conversation is no JSON, or when the file ends before
/// `cut`.
pub fn go_on(subject: &dyn Subject, file: &[u8], cut: u64) -> Option<Continued> {
    let cut_file = file.get(..usize::try_from(cut).ok()?)?;
    go_on_from(subject, file, cut, ask(subject, cut_file)?)
}

/// The same, where it is known what the subject resumes of the cut file.
fn go_on_from(subject: &dyn Subject, file: &[u8], cut: u64, before: ResumeAnswer) -> Option<Continued> {
    let cut_file = file.get(..usize::try_from(cut).ok()?)?;
    let conversation = match &before {
        Ok(Some(conversation)) => conversation.records.as_slice(),
        _ => &[],
    };
    let records = conversation.iter().map(|record| String::from_utf8_lossy(&record.bytes).into_owned());
    let mut list: Vec<String> = records.filter(|json| json::read_all(json.as_bytes()).is_ok()).collect();
    if list.len() < conversation.len() {
        return None;
    }
    list.extend([MORE.to_owned(), MORE_STILL.to_owned()]);
    let step = RecordStep::ListBeforeRequest(List::of(&list));
    let written = match subject.record(cut_file, SESSION, &[step]) {
        Outcome::Output(answers) => match answers.into_iter().next() {
            Some(answer) => match answer.tip() {
                Ok(_) => Ok(answer.file),
                Err(why) => Err(why.to_owned()),
            },
            None => Err("no answer to the step".to_owned()),
        },
        Outcome::Rejected(why) => Err(why),
        Outcome::Unsupported => return None,
    };
    let after = match &written {
        Ok(file) => ask(subject, file)?,
        Err(_) => Ok(None),
    };
    let added = ADDED.map(str::to_owned).to_vec();
    Some(Continued { cut, before, added, file: written, after })
}

/// A conversation recorded in one piece, and resumed, when it is one that must come back whole.
fn plainly_recorded(subject: &dyn Subject, material: &dyn Material) -> Option<Resumed> {
    let (json, uuids) = material.whole_conversation()?;
    let steps = [RecordStep::List(json.into()), RecordStep::Flush];
    let session = material.session()?.session;
    let Outcome::Output(answers) = subject.record(b"", &session, &steps) else { return None };
    let file = answers.into_iter().last()?.file;
    let answer = ask(subject, &file)?;
    Some(Resumed { file, answer, again: None, cuts: Vec::new(), continued: Vec::new(), recorded: Some(uuids) })
}
