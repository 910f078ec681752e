//! *Responses*: an answer with its status, its headers and what is played of it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::Value;

use crate::answer::Answer;
use crate::asked::Asked;
use crate::error::{ApiError, Dialect};
use crate::fault::Fault;
use crate::framing::Framing;
use crate::headers;
use crate::ids::Ids;
use crate::play::{Beat, Playing, stream, whole};
use crate::reply::Reply;
use crate::route::Door;
use crate::stream::{Event, events};

/// What is said to a request.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: u16,
    /// In a few words.
    pub(crate) summary: String,
    pub(crate) streams: bool,
    content_type: &'static str,
    headers: Vec<(&'static str, String)>,
    dialect: Dialect,
    beats: Vec<Beat>,
    left: Arc<AtomicBool>,
}

impl Said {
    /// A document.
    pub(crate) fn json(value: Value) -> Self {
        Self::text_of(value.to_string(), "application/json")
    }

    /// A text of this type.
    pub(crate) fn text_of(text: String, content_type: &'static str) -> Self {
        Self {
            status: 200,
            summary: "200".to_owned(),
            streams: false,
            content_type,
            headers: Vec::new(),
            dialect: Dialect::Messages,
            beats: vec![Beat::Send(text.into())],
            left: Arc::default(),
        }
    }

    /// Whether the client has left before all was sent.
    pub(crate) fn left(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.left)
    }

    /// What is sent, as text.
    pub(crate) fn text(&self) -> String {
        let mut bytes = Vec::new();
        for beat in &self.beats {
            if let Beat::Send(piece) = beat {
                bytes.extend_from_slice(piece);
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The response, under the id of its request.
    pub(crate) fn response(self, id: &str) -> Response<Playing> {
        let mut response = Response::new(Playing::new(self.beats, self.left));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let into = response.headers_mut();
        into.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        if self.streams {
            into.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        }
        headers::put(into, headers::usual(id, self.dialect));
        headers::put(into, self.headers);
        response
    }
}

/// An error as a response.
pub(crate) fn error(error: &ApiError, dialect: Dialect, id: &str) -> Said {
    let status = error.status_at(dialect);
    Said {
        status,
        summary: format!("{status} {}", error.kind.name()),
        headers: headers::of_error(error, dialect),
        dialect,
        beats: vec![Beat::Send(error.body(dialect, id).into())],
        ..Said::json(Value::Null)
    }
}

/// An answer to a request for a message as a response.
pub(crate) fn message(asked: &Asked<'_>, door: &Door, answer: &Answer, ids: Ids, id: &str) -> Said {
    let dialect = if matches!(door, Door::Bedrock { .. }) { Dialect::Bedrock } else { Dialect::Messages };
    let mut said = match &answer.what {
        Err(refused) => error(refused, dialect, id),
        Ok(reply) => of_reply(asked, door, answer, reply, ids, id),
    };
    said.dialect = dialect;
    if !answer.delay.is_zero() {
        said.beats.insert(0, Beat::Wait(answer.delay));
    }
    said
}

fn of_reply(asked: &Asked<'_>, door: &Door, answer: &Answer, reply: &Reply, ids: Ids, id: &str) -> Said {
    let message = ids.message(asked.number);
    let faults = &answer.faults;
    let streams = match door {
        Door::Messages => asked.member("stream").and_then(|stream| stream.as_bool()).unwrap_or(false),
        Door::Bedrock { streams, .. } | Door::Vertex { streams, .. } => *streams,
    };
    if !streams {
        // Without a stream an error in its middle is an error.
        if let Some(Fault::ErrorEvent(_)) = faults.iter().find(|fault| matches!(fault, Fault::ErrorEvent(_))) {
            return error(&ApiError::overloaded(), Dialect::Messages, id);
        }
        let recorded = answer.recorded.as_ref().and_then(|recorded| recorded.message());
        let beats = whole(recorded.unwrap_or_else(|| reply.message(&message, asked.model)), faults);
        return Said { summary: format!("200 {}", reply.stop.reason), beats, ..Said::json(Value::Null) };
    }
    let framing = match door {
        Door::Bedrock { .. } => Framing::Aws,
        _ => Framing::ServerEvents { crlf: faults.contains(&Fault::Crlf) },
    };
    let recorded = answer.recorded.as_ref().and_then(|recorded| recorded.events());
    let made = || events(reply, &message, asked.model, faults.contains(&Fault::LateUsage));
    let mut events = recorded.unwrap_or_else(made);
    if framing == Framing::Aws {
        measured(&mut events, reply);
    }
    Said {
        summary: format!("200 {} as a stream", reply.stop.reason),
        streams: true,
        content_type: framing.content_type(),
        beats: stream(events, faults, framing, id),
        ..Said::json(Value::Null)
    }
}

/// The events as Bedrock sends them: without pings, and with its own counts in the last one.
fn measured(events: &mut Vec<Event>, reply: &Reply) {
    events.retain(|event| event.name != "ping");
    let Some(last) = events.last_mut() else { return };
    let metrics = serde_json::json!({
        "inputTokenCount": reply.usage.input, "outputTokenCount": reply.usage.output,
        "invocationLatency": 1, "firstByteLatency": 1,
    });
    let value = serde_json::json!({"type": "message_stop", "amazon-bedrock-invocationMetrics": metrics});
    last.data = value.to_string();
}
