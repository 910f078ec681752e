//! The *service* answers one request: it reads the body, judges it, chooses an answer, writes all of it down, and plays
//! the answer.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{HeaderMap, Request, Response};
use serde_json::{Value, json};
use turnproof_rules::operation::{Host, TalkAnswer, TalkExchange};

use crate::answer::Answers;
use crate::asked::Asked;
use crate::batches::Batches;
use crate::compose::tokens;
use crate::encoding::unpacked;
use crate::error::{ApiError, Dialect, ErrorKind};
use crate::exchange::Exchange;
use crate::headers;
use crate::judge::{Finding, Purpose, Verdict, judge};
use crate::models;
use crate::play::Playing;
use crate::record::{Recorded, Records};
use crate::response::{Said, error, message};
use crate::route::{Door, Route, route};
use crate::row::Row;
use crate::settings::{Limits, OnIllegal};
use crate::talk;

/// What all connections share.
pub(crate) struct Service {
    pub(crate) host: Host,
    pub(crate) on_illegal: OnIllegal,
    pub(crate) limits: Limits,
    pub(crate) answers: Answers,
    pub(crate) row: Row,
    pub(crate) batches: Mutex<Batches>,
    pub(crate) records: Option<Records>,
    pub(crate) shows_records: bool,
    pub(crate) number: AtomicU64,
    pub(crate) observer: Box<dyn Fn(Exchange) + Send + Sync>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("host", &self.host).field("number", &self.number).finish_non_exhaustive()
    }
}

/// A request that was read.
pub(crate) struct Incame {
    pub(crate) number: u64,
    pub(crate) id: String,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// What is known of an answer when it is chosen.
pub(crate) struct Outcome {
    pub(crate) said: Said,
    pub(crate) model: String,
    pub(crate) turns: usize,
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) continued: Option<crate::row::Continued>,
    pub(crate) talk: Vec<Finding>,
    pub(crate) answered: Option<TalkAnswer>,
    pub(crate) notes: Vec<String>,
    pub(crate) left_out: usize,
    pub(crate) judging: Duration,
}

impl Outcome {
    /// An answer, and nothing that is judged.
    pub(crate) fn of(said: Said) -> Self {
        Self {
            said,
            model: String::new(),
            turns: 0,
            verdicts: Vec::new(),
            continued: None,
            talk: Vec::new(),
            answered: None,
            notes: Vec::new(),
            left_out: 0,
            judging: Duration::ZERO,
        }
    }
}

impl Service {
    /// Answers a request.
    pub(crate) async fn answer(&self, request: Request<Incoming>) -> Response<Playing> {
        let number = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        let (head, body) = request.into_parts();
        let route = route(&head.method, head.uri.path());
        let body = read(body, &self.limits).await;
        let mut incame = Incame {
            number,
            id: self.answers.ids().request(number),
            method: head.method.to_string(),
            path: head.uri.path().to_owned(),
            headers: head.headers,
            body: Bytes::new(),
        };
        let dialect = route.as_ref().map_or(Dialect::Messages, Route::dialect);
        let outcome = match self.accepted(route, body, &mut incame) {
            Ok(route) => self.outcome(&route, &incame),
            Err(refused) => Outcome::of(error(&refused, dialect, &incame.id)),
        };
        self.finish(incame, outcome)
    }

    /// The route of a request whose headers and body are in order.
    fn accepted(
        &self,
        route: Result<Route, ApiError>,
        body: Result<Bytes, ApiError>,
        incame: &mut Incame,
    ) -> Result<Route, ApiError> {
        let route = route?;
        if route.wants_headers() {
            headers::wanted(&incame.headers)?;
        }
        let body = body?;
        let encoding = incame.headers.get("content-encoding").map(|value| String::from_utf8_lossy(value.as_bytes()));
        incame.body = match encoding {
            None => body,
            Some(encoding) => unpacked(&body, &encoding, self.limits.body)?.into(),
        };
        Ok(route)
    }

    fn outcome(&self, route: &Route, incame: &Incame) -> Outcome {
        let as_json = |value: Value| Outcome::of(Said::json(value));
        match route {
            Route::Root => as_json(json!({})),
            Route::Models => as_json(models::list()),
            Route::Model(id) => match models::one(id) {
                Ok(model) => as_json(model),
                Err(refused) => Outcome::of(error(&refused, Dialect::Messages, &incame.id)),
            },
            Route::CountTokens(door) => self.count(door, incame),
            Route::Message(door) => self.message(door, incame),
            Route::Batch(batch) => self.batch(batch, incame),
        }
    }

    /// Judges a body, and gives with it how long that took.
    pub(crate) fn judged(&self, door: &Door, body: &[u8], purpose: Purpose) -> (Verdict, Duration) {
        let start = Instant::now();
        let verdict = judge(body, door.host(self.host), purpose);
        (verdict, start.elapsed())
    }

    fn count(&self, door: &Door, incame: &Incame) -> Outcome {
        let (mut verdict, judging) = self.judged(door, &incame.body, Purpose::Count);
        let request = verdict.request.take();
        let said = match (&verdict.refusal, self.on_illegal, &request) {
            (Some(refused), OnIllegal::Refuse, _) | (Some(refused), OnIllegal::Answer, None) => {
                error(refused, Route::CountTokens(door.clone()).dialect(), &incame.id)
            }
            _ => {
                let count = tokens(incame.body.len() as u64);
                let name = if matches!(door, Door::Bedrock { .. }) { "inputTokens" } else { "input_tokens" };
                Said::json(json!({name: count}))
            }
        };
        let model = request.as_ref().map(|request| model_of(door, request)).unwrap_or_default();
        let turns = request.map_or(0, |request| request.messages.len());
        Outcome { model, turns, verdicts: vec![verdict], judging, ..Outcome::of(said) }
    }

    fn message(&self, door: &Door, incame: &Incame) -> Outcome {
        let (mut verdict, judging) = self.judged(door, &incame.body, Purpose::Message);
        let request = verdict.request.take();
        let Some(request) = request.filter(|_| verdict.is_legal() || self.on_illegal == OnIllegal::Answer) else {
            let dialect = Route::Message(door.clone()).dialect();
            let refused =
                verdict.refusal.clone().unwrap_or_else(|| ApiError::invalid(ErrorKind::InvalidRequest.words()));
            let said = error(&refused, dialect, &incame.id);
            return Outcome { verdicts: vec![verdict], judging, ..Outcome::of(said) };
        };
        let model = model_of(door, &request);
        let asked = Asked { number: self.answers.number(), request: &request, model: &model };
        let answer = self.answers.answer(&asked);
        let said = message(&asked, door, &answer, self.answers.ids(), &incame.id);
        let mut notes = answer.notes.clone();
        notes.extend(answer.faults.iter().map(|fault| format!("fault {fault}")));
        let start = Instant::now();
        let turns = request.messages.len();
        let answered = talk::answer(&answer, &said, door, self.row.time());
        let heard = TalkExchange::new(request, &answered);
        let (continued, talk) = self.row.judge(incame.number, heard, said.left(), answer.what.as_ref().ok());
        let judging = judging + start.elapsed();
        let answered = Some(answered);
        let left_out = answer.left_out;
        Outcome { said, model, turns, verdicts: vec![verdict], continued, talk, answered, notes, left_out, judging }
    }

    /// Writes an exchange down, shows it to whoever watches, and makes the response.
    fn finish(&self, incame: Incame, outcome: Outcome) -> Response<Playing> {
        let Outcome { said, model, turns, verdicts, continued, talk, answered, notes, left_out, judging } = outcome;
        let mut notes = notes;
        let is_recorded = self.shows_records || self.records.is_some();
        let text = if is_recorded { said.text() } else { String::new() };
        let recorded = Recorded {
            number: incame.number,
            path: &incame.path,
            headers: &incame.headers,
            body: &incame.body,
            verdict: verdicts.first(),
            row: continued.iter().flat_map(|continued| &continued.findings).chain(&talk).collect(),
            talk: answered.as_ref(),
            status: said.status,
            answer: &text,
            streams: said.streams,
            notes: &notes,
        };
        let record = self.shows_records.then(|| recorded.text());
        let written = self.records.as_ref().map(|records| records.write(&recorded));
        let file = written.and_then(|written| written.map_err(|error| notes.push(error.to_string())).ok());
        let exchange = Exchange {
            number: incame.number,
            line: format!("{} {}", incame.method, incame.path),
            model,
            turns,
            bytes: incame.body.len() as u64,
            verdicts,
            continued,
            talk,
            answered,
            status: said.status,
            answer: said.summary.clone(),
            notes,
            left_out,
            judging,
            file,
            record,
        };
        (self.observer)(exchange);
        said.response(&incame.id)
    }
}

/// The model that is asked: the path of a cloud names it, or the body.
pub(crate) fn model_of(door: &Door, request: &turnproof_rules::operation::Request) -> String {
    match door {
        Door::Bedrock { model, .. } | Door::Vertex { model, .. } => model.clone(),
        Door::Messages => request.body.get("model").and_then(|model| model.as_str()).unwrap_or_default().to_owned(),
    }
}

/// Reads a body; fails where it is too large, too slow, or breaks off.
async fn read(body: Incoming, limits: &Limits) -> Result<Bytes, ApiError> {
    let whole = tokio::time::timeout(limits.slowest, Limited::new(body, limits.body).collect()).await;
    match whole {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(ApiError::too_large()),
        Ok(Err(_)) => Err(ApiError::invalid("The request body could not be read")),
        Err(_) => Err(ApiError { status: 408, ..ApiError::new(ErrorKind::Timeout, ErrorKind::Timeout.words()) }),
    }
}
