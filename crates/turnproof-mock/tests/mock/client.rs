//! A small *client*: one request for each connection, and the response as it came.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use serde_json::Value;
use turnproof_mock::Mock;

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: Vec<u8>,
    /// Whether it has its end.
    pub(crate) is_whole: bool,
}

impl Response {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn words(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let line = self.headers.lines().find(|line| line.to_lowercase().starts_with(&format!("{name}:")));
        line.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    }

    /// The text of all blocks of a message.
    pub(crate) fn said(&self) -> String {
        let message = self.json();
        let blocks = message["content"].as_array().cloned().unwrap_or_default();
        blocks.iter().filter_map(|block| block["text"].as_str()).collect()
    }
}

/// The headers that the API wants.
pub(crate) const HEADERS: &str = "x-api-key: sk-ant-secret\r\nanthropic-version: 2023-06-01\r\n";

/// Asks for a message.
pub(crate) fn ask(mock: &Mock, body: &Value) -> Response {
    post(mock, "/v1/messages", &body.to_string())
}

pub(crate) fn post(mock: &Mock, path: &str, body: &str) -> Response {
    send(mock, "POST", path, HEADERS, body.as_bytes())
}

pub(crate) fn get(mock: &Mock, path: &str) -> Response {
    send(mock, "GET", path, HEADERS, b"")
}

pub(crate) fn send(mock: &Mock, method: &str, path: &str, headers: &str, body: &[u8]) -> Response {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {}\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
        mock.address(),
        body.len()
    );
    raw(mock, &[head.as_bytes(), body].concat())
}

/// Sends bytes and reads until the other side is done.
pub(crate) fn raw(mock: &Mock, bytes: &[u8]) -> Response {
    let mut stream = TcpStream::connect(mock.address()).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
    // It may answer and leave before all is sent.
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let _ = stream.shutdown(Shutdown::Both);
    parsed(&answer)
}

fn parsed(answer: &[u8]) -> Response {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let headers = String::from_utf8_lossy(&answer[..end]).into_owned();
    let rest = answer.get(end + 4..).unwrap_or_default();
    let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let (body, is_whole) = match headers.to_lowercase().contains("transfer-encoding: chunked") {
        true => unchunked(rest),
        false => (rest.to_vec(), true),
    };
    Response { status, headers, body, is_whole }
}

/// A body without its chunks, and whether the last one came.
fn unchunked(mut rest: &[u8]) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    loop {
        let Some(end) = rest.windows(2).position(|two| two == b"\r\n") else { return (body, false) };
        let Ok(length) = usize::from_str_radix(&String::from_utf8_lossy(&rest[..end]), 16) else {
            return (body, false);
        };
        let chunk = rest.get(end + 2..end + 2 + length).unwrap_or(&rest[end + 2..]);
        body.extend_from_slice(chunk);
        if length == 0 {
            return (body, true);
        }
        rest = rest.get(end + 4 + length..).unwrap_or_default();
    }
}
