//! *Chunking*: the result does not depend on how deltas and bytes are cut.

use proptest::prelude::*;
use turnproof_reference::stream::SseDecoder;

use super::plans::replies;
use super::*;

/// What a loop has yielded after these events: events, live messages and slots, as text.
fn yielded(events: impl IntoIterator<Item = ModelEvent>) -> String {
    let mut looped = Loop::new();
    for event in events {
        let yielded = looped.lines.apply(&event, &mut looped.context);
        assert_eq!(looped.log.append_yielded(yielded), None);
    }
    // Text, since a value cannot hold half of a surrogate pair.
    let events: Vec<String> = looped.log.events().map(|event| event.write().get().to_owned()).collect();
    let live: Vec<String> = looped.log.live().iter().map(|message| message.write().get().to_owned()).collect();
    let slots: Vec<String> = looped.log.slots().iter().map(|slot| slot.write().get().to_owned()).collect();
    format!("{events:?}\n{live:?}\n{slots:?}")
}

fn sse(events: &[String], line_end: &str) -> Vec<u8> {
    let lines = events.iter().map(|json| format!("event: x{line_end}data: {json}{line_end}{line_end}"));
    lines.collect::<String>().into_bytes()
}

#[test]
fn halves_of_a_pair_in_two_deltas_are_the_pair_in_one() {
    let said = |tokens: &[&str]| {
        let deltas = tokens.iter().map(|token| {
            format!(r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{token}"}}}}"#)
        });
        let events = [start().to_string(), text_block(0).to_string()].into_iter().chain(deltas);
        yielded(events.chain([stop(0).to_string()]).map(|json| read(&json).unwrap()))
    };
    assert_eq!(said(&[r"\ud83d", r"\ude00"]), said(&["\u{1F600}"]));
    assert_ne!(said(&[r"\ud83d", "", r"\ud83d"]), said(&["\u{1F600}"]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn deltas_cut_otherwise_yield_the_same(
        reply in replies(),
        cuts in prop::collection::vec(0..4_usize, 0..40),
        other_cuts in prop::collection::vec(1..9_usize, 0..40),
    ) {
        let events = |cuts: &[usize]| reply.events(cuts).iter().map(|json| read(json).unwrap()).collect::<Vec<_>>();
        prop_assert_eq!(yielded(events(&cuts)), yielded(events(&other_cuts)));
        prop_assert_eq!(yielded(events(&cuts)), yielded(events(&[])));
    }

    #[test]
    fn bytes_cut_otherwise_yield_the_same(
        reply in replies(),
        size in 1..50_usize,
        line_end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let events = reply.events(&[1, 2]);
        let bytes = sse(&events, line_end);
        let mut decoder = SseDecoder::new();
        let decoded = bytes.chunks(size).flat_map(|chunk| decoder.push(chunk)).collect::<Vec<_>>();
        let decoded = decoded.iter().map(|event| ModelEvent::of_server_event(event).unwrap());
        prop_assert_eq!(yielded(decoded), yielded(events.iter().map(|json| read(json).unwrap())));
    }
}
