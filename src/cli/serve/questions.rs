//! The *questions* that are about no operation of a subject (SPEC 10.4.4): verdicts with the report that `turnproof check`
//! prints, and cases that bytes choose.

use std::io;
use std::path::PathBuf;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use turnproof_mock::sample;
use turnproof_rules::operation::form::Json;
use turnproof_rules::operation::{Reply, Request};
use turnproof_rules::rules::{CATALOGUE, Rule};
use turnproof_suite::scenario::{Case, Profile, Scenario, plain};
use turnproof_suite::subject::Outcome;
use turnproof_suite::subject::program::wire::{
    Drawn, DrawnKind, JudgeRequest, JudgeResponse, JudgeSession, Judged, JudgedSession, ToDraw,
};

use crate::check::{
    self, Finding, InputError, Options, Sink, TranscriptFile, describe_reply, gather, is_on_replies, is_on_requests,
    judge_reply, judge_request,
};
use crate::report::{Format, Overview, ReplyReport, RequestReport, Screen, verdict_line};

/// Answers a question; `Unsupported` where there is no such one.
pub(super) fn answer(name: &str, input: &Json) -> Outcome<Json> {
    match name {
        "judge_request" => answered(input, request),
        "judge_response" => answered(input, response),
        "judge_session" => answered(input, session),
        "draw" => answered(input, draw),
        _ => Outcome::Unsupported,
    }
}

/// Reads an input, asks, and writes the output.
fn answered<I: DeserializeOwned, O: Serialize>(
    input: &Json,
    ask: impl FnOnce(I) -> Result<O, String>,
) -> Outcome<Json> {
    let read = serde_json::from_str(input.text()).map_err(|error| format!("the input has another shape: {error}"));
    match read.and_then(ask) {
        Ok(output) => Outcome::Output(Json::value(&output)),
        Err(why) => Outcome::Rejected(why),
    }
}

/// The rules on requests, and those on replies.
static ON_REQUESTS: LazyLock<Vec<&'static Rule>> =
    LazyLock::new(|| CATALOGUE.iter().copied().filter(|rule| is_on_requests(rule)).collect());
static ON_REPLIES: LazyLock<Vec<&'static Rule>> =
    LazyLock::new(|| CATALOGUE.iter().copied().filter(|rule| is_on_replies(rule)).collect());

/// How many violations of a rule are shown, as `turnproof check` does.
const SHOWN: u64 = 5;

fn request(asked: JudgeRequest) -> Result<Judged, String> {
    let JudgeRequest { request, host } = asked;
    let request = Request::read(request.text()).map_err(|error| error.to_string())?;
    let (mut lines, mut text) = (Vec::new(), Vec::new());
    let mut programs = RequestReport::new(&mut lines, Format::Json, Screen::default(), 0, host, &ON_REQUESTS);
    let mut people = RequestReport::new(&mut text, Format::Human, Screen::default(), SHOWN, host, &ON_REQUESTS);
    let mut written = Ok(());
    let tally = judge_request(&request, host, &ON_REQUESTS, &mut |finding| {
        let both = programs.finding("request", &finding).and_then(|()| people.finding("request", &finding));
        written = std::mem::replace(&mut written, Ok(())).and(both);
    });
    written.and_then(|()| people.end_of_request("request", host, &tally, &[])).map_err(unwritten)?;
    drop((programs, people));
    Ok(Judged { legal: tally.errors() == 0, violations: objects(&lines), report: readable(text) })
}

fn response(asked: JudgeResponse) -> Result<Judged, String> {
    let reply = Reply::read(asked.response.as_bytes()).map_err(|error| error.to_string())?;
    let (mut lines, mut text) = (Vec::new(), Vec::new());
    let mut programs = ReplyReport::new(&mut lines, Format::Json, Screen::default(), 0, &ON_REPLIES);
    let mut people = ReplyReport::new(&mut text, Format::Human, Screen::default(), SHOWN, &ON_REPLIES);
    let mut written = Ok(());
    let tally = judge_reply(&reply, &ON_REPLIES, &mut |finding| {
        let both = programs.finding("reply", &finding).and_then(|()| people.finding("reply", &finding));
        written = std::mem::replace(&mut written, Ok(())).and(both);
    });
    written.and_then(|()| people.end_of_reply("reply", describe_reply(&reply), &tally)).map_err(unwritten)?;
    drop((programs, people));
    Ok(Judged { legal: tally.legal > 0, violations: objects(&lines), report: readable(text) })
}

fn session(asked: JudgeSession) -> Result<JudgedSession, String> {
    let path = PathBuf::from(&asked.path);
    if path.is_dir() || asked.path == "-" {
        return Err(format!("{}: name the file of one session", asked.path));
    }
    let inputs: Result<Vec<TranscriptFile>, InputError> =
        gather(&[path], || Err(io::ErrorKind::NotFound.into())).into_iter().collect();
    let inputs = inputs.map_err(|error| error.to_string())?;
    let paths = [asked.path];
    let mut text = Vec::new();
    let overview = Overview::new(&mut text, Screen::default(), true).with_verdicts(&paths);
    let mut sink = Kept { overview, judged: Vec::new(), unreadable: None };
    let options = Options { legacy: false, verdicts: true, ..Options::default() };
    let tally = check::check(&inputs, &options, &mut sink).map_err(|error| error.to_string())?;
    let Kept { mut overview, judged, unreadable } = sink;
    overview.finish(&tally, &judged).map_err(unwritten)?;
    drop(overview);
    let verdict = judged.first().ok_or_else(|| unreadable.unwrap_or_else(|| "it is no session".to_owned()))?;
    let mut line = Vec::new();
    verdict_line(&mut line, verdict).map_err(unwritten)?;
    let verdict = objects_of(&line).next().ok_or("it has no verdict")?;
    Ok(JudgedSession { verdict, report: readable(text) })
}

/// An overview, with the verdicts beside it.
struct Kept<'a> {
    overview: Overview<'a, &'a mut Vec<u8>>,
    judged: Vec<check::Judged>,
    unreadable: Option<String>,
}

impl Sink for Kept<'_> {
    fn wants(&mut self, file: &str, rule: &Rule) -> bool {
        self.overview.wants(file, rule)
    }

    fn finding(&mut self, finding: &Finding<'_>) -> io::Result<()> {
        self.overview.finding(finding)
    }

    fn end_of_file(&mut self, judged: Option<&check::Judged>) -> io::Result<()> {
        self.judged.extend(judged.cloned());
        self.overview.end_of_file(judged)
    }

    fn unreadable(&mut self, error: &InputError) -> io::Result<()> {
        self.unreadable = Some(error.to_string());
        Ok(())
    }
}

fn draw(asked: ToDraw) -> Result<Drawn, String> {
    let ToDraw { what, bytes, request } = asked;
    let scenario = |profile| Scenario::from_bytes_of(&bytes, &[profile]);
    let transcript = |profile| {
        let bytes = scenario(profile).transcript();
        Drawn { jsonl_b64: Some(base64::Engine::encode(&base64::prelude::BASE64_STANDARD, bytes)), ..Drawn::default() }
    };
    Ok(match what {
        DrawnKind::History => {
            let scenario = scenario(Profile::Plain);
            let messages = Case::of(&scenario).messages().iter().map(|message| Json::of(message)).collect();
            Drawn { messages: Some(messages), legal: Some(plain::is_legal(scenario.turns())), ..Drawn::default() }
        }
        DrawnKind::Reply => {
            let request = request.ok_or("a reply needs the `request` that it answers")?;
            let reply = sample(request.text().as_bytes(), bytes).map_err(|error| error.message)?;
            Drawn { reply: Some(reply), ..Drawn::default() }
        }
        DrawnKind::Session => transcript(Profile::Causal),
        DrawnKind::DamagedSession => transcript(Profile::Hostile),
    })
}

/// The violations among lines of JSON.
fn objects(lines: &[u8]) -> Vec<Json> {
    objects_of(lines).collect()
}

fn objects_of(lines: &[u8]) -> impl Iterator<Item = Json> {
    lines
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| Json::of(&String::from_utf8_lossy(line)))
}

fn readable(text: Vec<u8>) -> String {
    String::from_utf8_lossy(&text).trim_end().to_owned()
}

fn unwritten(error: io::Error) -> String {
    format!("the report cannot be written: {error}")
}
