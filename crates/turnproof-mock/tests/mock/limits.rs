//! *Limits*: what is too large, half, compressed or no HTTP at all costs nothing, and the mock goes on.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use hyper::Method;
use serde_json::json;
use turnproof_mock::{Limits, Mock, Purpose, Settings, judge, route, unpacked};
use turnproof_rules::operation::Host;
use turnproof_suite::scenario::{Seeded, Source};

use super::client::{HEADERS, ask, raw, send};
use super::{body, started, usual};

fn is_alive(mock: &Mock) -> bool {
    ask(mock, &body(json!({}))).status == 200
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn compressed_bodies_are_unpacked() {
    let (mock, _exchanges) = usual();
    let body = body(json!({})).to_string();
    let packed = [("gzip", gzip(body.as_bytes())), ("zstd", zstd(body.as_bytes())), ("identity", body.clone().into())];
    for (encoding, packed) in packed {
        let headers = format!("{HEADERS}content-encoding: {encoding}\r\n");
        let answer = send(&mock, "POST", "/v1/messages", &headers, &packed);
        assert_eq!(answer.status, 200, "{encoding}: {}", answer.text());
    }
    let broken = send(&mock, "POST", "/v1/messages", &format!("{HEADERS}content-encoding: gzip\r\n"), b"no gzip");
    assert_eq!(broken.status, 400);
}

#[test]
fn a_small_body_that_unpacks_to_a_large_one_is_refused() {
    let large = vec![b' '; 4 << 20];
    for (encoding, packed) in [("gzip", gzip(&large)), ("zstd", zstd(&large))] {
        assert!(packed.len() < 1 << 14, "{encoding}: {}", packed.len());
        let error = unpacked(&packed, encoding, 1 << 20).expect_err("it is too large");
        assert_eq!(error.status, 413, "{encoding}");
        assert_eq!(unpacked(&packed, encoding, 4 << 20).unwrap().len(), 4 << 20);
    }
}

#[test]
fn a_body_that_is_too_large_is_refused_before_it_is_read() {
    let limits = Limits { body: 1 << 16, ..Limits::default() };
    let (mock, _exchanges) = started(Settings { limits, ..Settings::default() });
    let large = body(json!({"messages": [{"role": "user", "content": "a".repeat(1 << 17)}]}));
    let refused = ask(&mock, &large);
    assert_eq!(refused.status, 413);
    assert_eq!(refused.json()["error"]["type"], "request_too_large");
    assert!(is_alive(&mock));
}

#[test]
fn a_request_that_never_ends_is_given_up() {
    let limits = Limits { slowest: Duration::from_millis(200), ..Limits::default() };
    let (mock, _exchanges) = started(Settings { limits, ..Settings::default() });
    for half in
        ["POST /v1/messages HTTP/1.1\r\nhost:", "POST /v1/messages HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\n{"]
    {
        let mut stream = TcpStream::connect(mock.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(half.as_bytes()).unwrap();
        let start = Instant::now();
        let _ = stream.read_to_end(&mut Vec::new());
        assert!(start.elapsed() < Duration::from_secs(3), "{half}");
    }
    assert!(is_alive(&mock));
}

#[test]
fn garbage_is_no_request() {
    let (mock, _exchanges) = usual();
    for garbage in [&b"\0\0\0\0"[..], b"GET\r\n\r\n", b"\xff\xfe HTTP/1.1\r\n\r\n", b"{\"a\":1}\r\n\r\n"] {
        assert!(matches!(raw(&mock, garbage).status, 0 | 400), "{garbage:?}");
    }
    let long = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "a".repeat(1 << 20));
    assert!(matches!(raw(&mock, long.as_bytes()).status, 0 | 400 | 431));
    assert!(is_alive(&mock));
}

#[test]
fn no_bytes_and_no_path_are_too_odd_to_be_judged() {
    let body =
        body(json!({"tools": super::tools(), "thinking": {"type": "enabled", "budget_tokens": 1024}})).to_string();
    let mut source = Seeded::new(11, 0);
    for _ in 0..2_000 {
        let mut bytes = body.clone().into_bytes();
        for _ in 0..=source.below(4) {
            let at = source.below(bytes.len() as u32) as usize;
            match source.below(4) {
                0 => bytes[at] = source.byte(255),
                1 => bytes.truncate(at.max(1)),
                2 => bytes.insert(at, b"{}[]\",:0"[source.below(8) as usize]),
                _ => drop(bytes.remove(at)),
            }
            bytes.extend(bytes.is_empty().then_some(b' '));
        }
        let verdict = judge(&bytes, Host::Anthropic, Purpose::Message);
        assert!(verdict.is_legal() || verdict.refusal.is_some_and(|refusal| !refusal.message.is_empty()));
        for encoding in ["gzip", "deflate", "zstd"] {
            assert!(unpacked(&bytes, encoding, 1 << 16).is_err());
        }
        let path: String = bytes.iter().take(60).map(|byte| char::from(*byte)).collect();
        for path in [path.clone(), format!("/model/{path}/invoke"), format!("/v1/models/{path}%"), format!("/%{path}")]
        {
            let _ = route(&Method::POST, &path);
        }
    }
}

#[test]
fn connections_that_are_cut_anywhere_leave_it_as_it_was() {
    let (mock, _exchanges) = usual();
    let body = body(json!({"stream": true})).to_string();
    let head = format!("POST /v1/messages HTTP/1.1\r\nhost: a\r\n{HEADERS}content-length: {}\r\n\r\n", body.len());
    let request = [head.as_bytes(), body.as_bytes()].concat();
    let cut = |at: usize| {
        let mut stream = TcpStream::connect(mock.address()).unwrap();
        // It may have left already.
        let _ = stream.write_all(&request[..at.min(request.len())]);
        if at > request.len() {
            let _ = stream.read(&mut vec![0; at - request.len()]);
        }
        let _ = stream.shutdown(Shutdown::Both);
    };
    thread::scope(|scope| {
        for thread in 0..4 {
            let cut = &cut;
            scope.spawn(move || (0..250).for_each(|number| cut((thread * 250 + number) * 2)));
        }
    });
    assert!(is_alive(&mock));
}

#[test]
fn it_ends_at_once_with_streams_open() {
    let slow = turnproof_mock::faults("slow-start=60000").unwrap();
    let answers = (0..200).map(|_| slow[0].clone()).collect();
    let (mock, exchanges) = started(Settings { faults: answers, ..Settings::default() });
    let body = body(json!({"stream": true})).to_string();
    let open: Vec<TcpStream> = (0..100)
        .map(|_| {
            let mut stream = TcpStream::connect(mock.address()).unwrap();
            write!(
                stream,
                "POST /v1/messages HTTP/1.1\r\nhost: a\r\n{HEADERS}content-length: {}\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
            stream
        })
        .collect();
    let seen = (0..100).map(|_| exchanges.recv_timeout(Duration::from_secs(10))).filter(Result::is_ok).count();
    assert_eq!(seen, 100);
    let start = Instant::now();
    mock.stop();
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    drop(open);
}
