//! *Hostile* events: any events in any order, with any index. The result is a value or a named error, and the naive
//! accumulator gives the same.

use proptest::prelude::*;

use super::naive::Naive;
use super::plans::any_event;
use super::*;

fn streams() -> impl Strategy<Value = Vec<Value>> {
    let anywhere = prop::collection::vec(any_event(), 0..30);
    let begun = prop::collection::vec(any_event(), 0..30).prop_map(|events| [vec![start()], events].concat());
    prop_oneof![1 => anywhere, 3 => begun]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_events_gives_what_the_definition_says(events in streams()) {
        let (mut naive, mut looped) = (Naive::default(), Loop::new());
        for json in &events {
            naive.apply(json);
            match read(&json.to_string()) {
                Ok(event) => {
                    let yielded = looped.lines.apply(&event, &mut looped.context);
                    looped.errors.extend(looped.log.append_yielded(yielded).map(|error| error.name()));
                }
                Err(error) => looped.errors.push(error.name()),
            }
            prop_assert_eq!(&looped.errors, &naive.errors);
            let lines: Vec<Value> = looped.lines.lines().iter().map(|line| value(line.message.get().unwrap())).collect();
            prop_assert_eq!(&lines, &naive.lines);
        }
        let message = looped.lines.accumulator().message().as_ref().map(value);
        prop_assert_eq!(message, naive.message);
    }

    #[test]
    fn giving_up_at_any_place_withdraws_all_that_the_try_has_shown(
        before in streams(),
        after in streams(),
    ) {
        let mut looped = Loop::new();
        let play = |looped: &mut Loop, events: &[Value]| {
            for event in events.iter().filter_map(|json| read(&json.to_string()).ok()) {
                let yielded = looped.lines.apply(&event, &mut looped.context);
                looped.log.append_yielded(yielded);
            }
        };
        play(&mut looped, &before);
        let shown: Vec<String> =
            looped.lines.lines().iter().map(|line| line.envelope.uuid.as_str().unwrap().to_owned()).collect();
        let stays = looped.live().len() - shown.len();
        prop_assert_eq!(looped.abandon(), shown);
        prop_assert_eq!(looped.live().len(), stays);
        play(&mut looped, &after);
        let mut alone = Loop::new();
        play(&mut alone, &after);
        let said = |lines: &[Value]| lines.iter().map(|line| line["message"].clone()).collect::<Vec<_>>();
        prop_assert_eq!(said(&looped.live()[stays..]), said(&alone.live()));
    }
}
