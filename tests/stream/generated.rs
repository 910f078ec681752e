//! Generated replies: the message, and the lines, that their events describe.

use proptest::prelude::*;

use super::plans::replies;
use super::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_message_is_the_one_that_the_events_describe(
        reply in replies(),
        cuts in prop::collection::vec(0..4_usize, 0..30),
    ) {
        let mut accumulator = Accumulator::new();
        for json in reply.events(&cuts) {
            accumulator.apply(&read(&json).unwrap()).unwrap();
        }
        prop_assert_eq!(value(&accumulator.finish().unwrap()), reply.message());
    }

    #[test]
    fn the_lines_put_together_are_the_message(reply in replies()) {
        let mut looped = Loop::new();
        for json in reply.events(&[]) {
            let yielded = looped.lines.apply(&read(&json).unwrap(), &mut looped.context);
            prop_assert_eq!(looped.log.append_yielded(yielded), None);
        }
        let (live, message) = (looped.live(), reply.message());
        let contents: Value = live.iter().flat_map(|line| line["message"]["content"].as_array().unwrap().clone()).collect();
        prop_assert_eq!(&contents, &message["content"]);
        if let Some((last, others)) = live.split_last() {
            for member in ["id", "model", "role", "stop_reason", "stop_sequence", "usage"] {
                prop_assert_eq!(&last["message"][member], &message[member]);
            }
            for line in others {
                prop_assert_eq!(&line["message"]["stop_reason"], &Value::Null);
                prop_assert_eq!(&line["message"]["usage"], &start()["message"]["usage"]);
            }
        }
    }
}
