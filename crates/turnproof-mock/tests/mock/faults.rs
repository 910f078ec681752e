//! *Faults*: each does what its name says, and the answer after it is a good one.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;
use turnproof_mock::{Fault, Mock, Settings, faults};

use super::client::{HEADERS, Response, ask};
use super::streams::{accumulated, broken};
use super::{body, scripted, started};

fn faulty(list: &str) -> Mock {
    started(Settings { faults: faults(list).expect("faults"), ..Settings::default() }).0
}

fn streamed(mock: &Mock) -> Response {
    ask(mock, &body(json!({"stream": true})))
}

fn events(stream: &str) -> usize {
    stream.matches("\ndata: ").count()
}

#[test]
fn a_fault_hits_one_answer_and_the_next_one_is_good() {
    let mock = faulty("529,429=3,500,400");
    let mut seen = Vec::new();
    for _ in 0..9 {
        seen.push(streamed(&mock).status);
    }
    assert_eq!(seen, [529, 200, 429, 200, 500, 200, 400, 200, 200]);
}

#[test]
fn errors_have_the_words_and_headers_of_the_api() {
    let mock = faulty("529,429,500");
    let overloaded = streamed(&mock);
    assert_eq!(overloaded.words(), "Overloaded");
    assert_eq!(
        (overloaded.json()["error"]["type"].clone(), overloaded.header("x-should-retry")),
        (json!("overloaded_error"), Some("true"))
    );
    streamed(&mock);
    assert_eq!(streamed(&mock).header("retry-after"), Some("1"));
    streamed(&mock);
    assert_eq!(streamed(&mock).words(), "Internal server error");
}

#[test]
fn a_cut_breaks_the_connection_and_an_end_does_not() {
    for (fault, is_whole) in [("cut-event=4", false), ("end-event=4", true)] {
        let answer = streamed(&faulty(fault));
        assert_eq!((events(&answer.text()), answer.is_whole), (4, is_whole), "{fault}: {}", answer.text());
        assert!(!answer.text().contains("message_stop"));
    }
    for (fault, is_whole) in [("cut-byte=700", false), ("end-byte=700", true)] {
        let answer = streamed(&faulty(fault));
        assert_eq!((answer.body.len(), answer.is_whole), (700, is_whole), "{fault}");
    }
}

#[test]
fn an_error_ends_a_stream() {
    let stream = streamed(&faulty("error-event=5")).text();
    assert_eq!(events(&stream), 6);
    assert!(
        stream.ends_with("\n\n") && stream.contains("event: error\ndata: {\"error\":{\"message\":\"Overloaded\""),
        "{stream}"
    );
}

#[test]
fn harmless_ways_to_write_a_stream_leave_the_message_as_it_is() {
    let good = accumulated(&streamed(&faulty("")).text());
    for fault in ["crlf", "pings", "split", "slow-start=30", "slow-events=1", "unknown-event", "crlf+pings+split"] {
        let stream = streamed(&faulty(fault)).text();
        let known: String = stream.split_inclusive("\n\n").filter(|event| !event.contains("of_tomorrow")).collect();
        let known = if fault.contains("crlf") { stream.clone() } else { known };
        assert_eq!(accumulated(&known)["content"], good["content"], "{fault}");
        let wrong = broken(&stream);
        assert!(fault == "unknown-event" || wrong.is_empty(), "{fault}: {wrong:?}");
    }
    assert!(streamed(&faulty("crlf")).text().contains("\r\n\r\n"));
    assert!(streamed(&faulty("unknown-delta")).text().contains("delta_of_tomorrow"));
}

#[test]
fn harmful_ways_break_a_rule_on_replies() {
    for fault in ["no-message-stop", "late-usage", "double-event=2", "end-event=6"] {
        let stream = streamed(&faulty(fault)).text();
        assert_ne!(broken(&stream), [] as [&str; 0], "{fault}");
    }
}

#[test]
fn a_stall_sends_nothing_more_and_keeps_the_connection() {
    let mock = faulty("stall-event=3");
    let body = body(json!({"stream": true})).to_string();
    let mut stream = TcpStream::connect(mock.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    write!(stream, "POST /v1/messages HTTP/1.1\r\nhost: a\r\n{HEADERS}content-length: {}\r\n\r\n{body}", body.len())
        .unwrap();
    let mut text = Vec::new();
    let error = stream.read_to_end(&mut text).expect_err("nothing more comes");
    assert!(matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut), "{error}");
    assert_eq!(events(&String::from_utf8_lossy(&text)), 3);
    let start = Instant::now();
    mock.stop();
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_step_has_faults_of_its_own_and_whole_messages_are_cut_too() {
    let mock = scripted("[[step]]\ntext = 'one'\nfaults = ['cut-event=1']\n[[step]]\ntext = 'two'\nfaults = ['529']\n");
    let cut = ask(&mock, &body(json!({})));
    assert!(!cut.is_whole && serde_json::from_slice::<serde_json::Value>(&cut.body).is_err(), "{}", cut.text());
    assert_eq!(ask(&mock, &body(json!({}))).status, 529);
}

#[test]
fn each_fault_is_written_as_it_is_read() {
    let all = "cut-event=1,cut-byte=2,end-event=3,end-byte=4,error-event=5,stall-event=6,double-event=7,slow-start=8,\
               slow-events=9,429=10,500,no-message-stop,late-usage,crlf,pings,split,unknown-event,unknown-delta";
    let written: Vec<String> = faults(all).unwrap().iter().map(|faults| faults[0].to_string()).collect();
    assert_eq!(written.join(","), all);
    assert!("crlf=1".parse::<Fault>().is_err() && "cut-event".parse::<Fault>().is_err());
}
