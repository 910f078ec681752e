//! Streams as bytes, and cut otherwise.

use turnproof_rules::operation::StreamItem;

use super::stream::*;

/// The bytes of a reply with one text.
fn bytes(said: &str, line_end: &str) -> Vec<u8> {
    let items = [start(), begin(0, text("")), text_delta(0, said), stop(0), end()];
    let mut sent = String::from("\u{FEFF}: a comment");
    sent.push_str(line_end);
    for item in items {
        let StreamItem::Event(data) = item else { unreachable!() };
        sent.push_str(&format!("event: any{line_end}id: 7{line_end}data: {data}{line_end}{line_end}"));
    }
    sent.into_bytes()
}

#[test]
fn bytes_give_the_same_wherever_they_are_cut() {
    for line_end in ["\n", "\r\n", "\r"] {
        let bytes = bytes("grüße 😀", line_end);
        for cut in 0..bytes.len() {
            let (first, second) = bytes.split_at(cut);
            let items = vec![StreamItem::Bytes(first.to_vec()), StreamItem::Bytes(second.to_vec())];
            let stream = Stream::of(items);
            stream.clone().yields(&[line("a1", text("grüße 😀"))]).holds(&["stream/accumulates", "stream/total"]);
            stream.yields(&[line("a1", text("gr\u{FFFD}\u{FFFD}ße 😀"))]).breaks("stream/accumulates");
        }
    }
}

#[test]
fn data_may_come_in_several_lines_and_without_a_name() {
    let data = b"data: {\"type\":\ndata: \"message_stop\"}\n\nevent: message_stop\ndata: {}\n\nevent: x\n\n";
    let stream = Stream::of(vec![start(), StreamItem::Bytes(data.to_vec())]).yields(&[]);
    // The type of the second is its name, and it comes too late.
    stream.clone().fault("after-message-stop", 1).holds(&["stream/total"]);
    stream.breaks("stream/total");
}

#[test]
fn what_is_unfinished_at_the_end_is_dropped() {
    let mut cut = bytes("a", "\n");
    cut.truncate(cut.len() - 1);
    Stream::of(vec![StreamItem::Bytes(cut)])
        .fault("unfinished", 1)
        .yields(&[line("a1", text("a"))])
        .holds(&["stream/accumulates"]);
}

#[test]
fn another_cut_gives_the_same_but_for_ids_and_times() {
    let items = vec![start(), begin(0, text("")), text_delta(0, "ab"), stop(0), end()];
    let stream = Stream::of(items).yields(&[line("a1", text("ab"))]).wholes(&[whole(&[text("ab")], None, 1)]);
    let cut = |other: Stream| Stream { otherwise: Some(Box::new(other)), ..stream.clone() };
    let rule = "stream/chunking-invariant";
    cut(stream.clone().yields(&[line("b9", text("ab"))])).holds(&[rule]);
    cut(stream.clone().yields(&[line("a1", text("b"))])).breaks(rule);
    cut(stream.clone().wholes(&[whole(&[text("b")], None, 1)])).breaks(rule);
    cut(stream.clone().fault("bad-input-json", 1)).breaks(rule);
    // The item of a fault may be another one.
    let with_fault = Stream { fault: stream.clone().fault("no-such-block", 9).fault, ..stream.clone() };
    let mut case = with_fault.done();
    case.cut_otherwise = Some(stream.clone().fault("no-such-block", 4).done().output);
    assert!(!broken(&case).contains(&rule));
    case.cut_otherwise = Some(Err("it crashed".into()));
    assert!(broken(&case).contains(&rule));
}

#[test]
fn events_are_the_same_however_they_are_cut() {
    let delta = |said: &str| {
        let StreamItem::Event(data) = text_delta(0, said) else { unreachable!() };
        data
    };
    let first = "\u{FEFF}data: {\"type\":\"content_block_start\",\"index\":0,\r\n\
                 data:\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\r\n\r\n: no\nevent: x\n\nid: 1\n";
    let bytes = format!("{first}data: {}\r\rdata: {}", delta("ü"), delta("lost")).into_bytes();
    for cut in 0..=bytes.len() {
        let (one, two) = bytes.split_at(cut);
        let items = [one, two].map(|piece| StreamItem::Bytes(piece.to_vec()));
        let stream = Stream::of([vec![start()], items.to_vec(), vec![stop(0), end()]].concat());
        let right = stream.clone().yields(&[line("a1", text("ü"))]).wholes(&[whole(&[text("ü")], None, 1)]);
        right.holds(&["stream/accumulates", "stream/total"]);
        stream.clone().yields(&[line("a1", text(""))]).breaks("stream/accumulates");
        stream.yields(&[line("a1", text("ülost"))]).breaks("stream/accumulates");
    }
}
