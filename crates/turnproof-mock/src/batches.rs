//! *Batches*: messages that are asked for together and fetched later. Here they are ready when somebody asks again.

use std::collections::VecDeque;
use std::sync::PoisonError;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::asked::Asked;
use crate::error::{ApiError, Dialect, ErrorKind};
use crate::judge::{Purpose, Verdict};
use crate::response::{Said, error};
use crate::route::{Batch, Door};
use crate::service::{Incame, Outcome, Service, model_of};

/// The batches of late.
#[derive(Debug, Default)]
pub(crate) struct Batches(VecDeque<Held>);

#[derive(Debug)]
struct Held {
    id: String,
    /// Whether somebody has asked how it is.
    is_asked: bool,
    is_cancelled: bool,
    succeeded: u64,
    errored: u64,
    /// The lines of the results.
    results: String,
}

/// How many batches are kept, and of how many bytes together.
const MOST: usize = 64;
const MOST_BYTES: usize = 32 << 20;

/// The most requests of a batch.
const MOST_REQUESTS: usize = 10_000;

#[derive(serde::Deserialize)]
struct Body<'a> {
    #[serde(borrow)]
    requests: Vec<One<'a>>,
}

#[derive(serde::Deserialize)]
struct One<'a> {
    custom_id: String,
    #[serde(borrow)]
    params: &'a RawValue,
}

impl Service {
    pub(crate) fn batch(&self, batch: &Batch, incame: &Incame) -> Outcome {
        let said = match batch {
            Batch::Create => return self.create(incame),
            Batch::List => self.with(|batches| Ok(Said::json(batches.list(incame)))),
            Batch::State(id) => self.with(|batches| batches.state(id, incame)),
            Batch::Cancel(id) => self.with(|batches| batches.cancel(id, incame)),
            Batch::Delete(id) => self.with(|batches| batches.delete(id)),
            Batch::Results(id) => self.with(|batches| batches.results(id)),
        };
        let said = said.unwrap_or_else(|refused| error(&refused, Dialect::Messages, &incame.id));
        Outcome::of(said)
    }

    fn with<T>(&self, work: impl FnOnce(&mut Batches) -> T) -> T {
        work(&mut self.batches.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn create(&self, incame: &Incame) -> Outcome {
        let refused = |words: String| Outcome::of(error(&ApiError::invalid(words), Dialect::Messages, &incame.id));
        let body: Body<'_> = match serde_json::from_slice(&incame.body) {
            Ok(body) => body,
            Err(why) if why.is_data() => return refused(format!("requests: {why}")),
            Err(why) => return refused(format!("The request body is not valid JSON: {why}")),
        };
        if body.requests.is_empty() || body.requests.len() > MOST_REQUESTS {
            return refused(format!("requests: List should have 1 to {MOST_REQUESTS} items"));
        }
        let id = self.answers.ids().batch(incame.number);
        let mut held =
            Held { id, is_asked: false, is_cancelled: false, succeeded: 0, errored: 0, results: String::new() };
        let mut verdicts = Vec::new();
        for one in &body.requests {
            let (verdict, result) = self.one(one, incame);
            if verdict.is_legal() {
                held.succeeded += 1
            } else {
                held.errored += 1
            }
            held.results += &format!("{{\"custom_id\":{},\"result\":{result}}}\n", json!(one.custom_id));
            verdicts.push(verdict);
        }
        let said = Said::json(held.json(incame, false));
        self.with(|batches| batches.keep(held));
        Outcome { verdicts, ..Outcome::of(said) }
    }

    /// Judges and answers one request of a batch.
    fn one(&self, one: &One<'_>, incame: &Incame) -> (Verdict, String) {
        let (mut verdict, _) = self.judged(&Door::Messages, one.params.get().as_bytes(), Purpose::Message);
        let request = verdict.request.take();
        let Some(request) = request.filter(|_| verdict.is_legal()) else {
            let refused = verdict.refusal.clone().unwrap_or_else(|| ApiError::new(ErrorKind::Api, ""));
            let body = refused.body(Dialect::Messages, &incame.id);
            return (verdict, format!(r#"{{"type":"errored","error":{body}}}"#));
        };
        let model = model_of(&Door::Messages, &request);
        let asked = Asked { number: self.answers.number(), request: &request, model: &model };
        let result = match self.answers.answer(&asked).what {
            Ok(reply) => {
                let message = reply.message(&self.answers.ids().message(asked.number), &model);
                format!(r#"{{"type":"succeeded","message":{message}}}"#)
            }
            Err(refused) => {
                format!(r#"{{"type":"errored","error":{}}}"#, refused.body(Dialect::Messages, &incame.id))
            }
        };
        (verdict, result)
    }
}

impl Batches {
    fn keep(&mut self, held: Held) {
        self.0.push_back(held);
        let bytes = |held: &VecDeque<Held>| held.iter().map(|one| one.results.len()).sum::<usize>();
        while self.0.len() > MOST || self.0.len() > 1 && bytes(&self.0) > MOST_BYTES {
            self.0.pop_front();
        }
    }

    fn find(&mut self, id: &str) -> Result<&mut Held, ApiError> {
        let found = self.0.iter_mut().find(|held| held.id == id);
        found.ok_or_else(|| ApiError::new(ErrorKind::NotFound, format!("Message Batch {id} not found.")))
    }

    fn list(&self, incame: &Incame) -> Value {
        let data: Vec<Value> = self.0.iter().rev().map(|held| held.json(incame, held.is_asked)).collect();
        let id = |held: Option<&Held>| held.map(|held| held.id.clone());
        json!({"data": data, "has_more": false, "first_id": id(self.0.back()), "last_id": id(self.0.front())})
    }

    fn state(&mut self, id: &str, incame: &Incame) -> Result<Said, ApiError> {
        let held = self.find(id)?;
        held.is_asked = true;
        Ok(Said::json(held.json(incame, true)))
    }

    fn cancel(&mut self, id: &str, incame: &Incame) -> Result<Said, ApiError> {
        let held = self.find(id)?;
        held.is_cancelled = true;
        Ok(Said::json(held.json(incame, false)))
    }

    fn delete(&mut self, id: &str) -> Result<Said, ApiError> {
        self.find(id)?;
        self.0.retain(|held| held.id != id);
        Ok(Said::json(json!({"id": id, "type": "message_batch_deleted"})))
    }

    fn results(&mut self, id: &str) -> Result<Said, ApiError> {
        let held = self.find(id)?;
        Ok(Said::text_of(held.results.clone(), "application/x-jsonl"))
    }
}

impl Held {
    fn json(&self, incame: &Incame, is_over: bool) -> Value {
        let host = incame.headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        let url = format!("http://{host}/v1/messages/batches/{}/results", self.id);
        let time = "2026-01-01T00:00:00Z";
        let status = match (is_over, self.is_cancelled) {
            (true, _) => "ended",
            (false, true) => "canceling",
            (false, false) => "in_progress",
        };
        let counts = match is_over {
            true => {
                json!({"processing": 0, "succeeded": self.succeeded, "errored": self.errored, "canceled": 0, "expired": 0})
            }
            false => {
                json!({"processing": self.succeeded + self.errored, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0})
            }
        };
        json!({
            "id": self.id, "type": "message_batch", "processing_status": status, "request_counts": counts,
            "created_at": time, "expires_at": "2026-01-02T00:00:00Z",
            "ended_at": is_over.then_some(time), "results_url": is_over.then_some(url),
            "cancel_initiated_at": self.is_cancelled.then_some(time), "archived_at": null,
        })
    }
}
