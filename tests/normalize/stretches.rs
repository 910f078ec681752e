//! *Stretches* of a list: their turns are those of the whole list, and few messages are in memory.

use std::cell::RefCell;
use std::convert::Infallible;
use std::sync::{Arc, Weak};

use turnproof::message::{Event, Message, User};
use turnproof::normalize::api::{Options, Outlook, Stretches, Turn, normalize_for_api};
use turnproof::scenario::{Case, Profile, Scenario};

use super::api::{events, session};

/// The turns of a list that is normalized by stretches of at least so many messages.
pub fn by_stretches(messages: &[Event], options: &Options, settling: usize) -> Vec<Turn<'static>> {
    let mut turns = Vec::new();
    let Ok(()) = stretches(messages, options, settling).each_turn(messages.iter().cloned().map(Ok), |turn| {
        turns.push(turn.into_owned());
        Ok::<(), Infallible>(())
    });
    turns
}

fn stretches(messages: &[Event], options: &Options, settling: usize) -> Stretches {
    let mut outlook = Outlook::default();
    messages.iter().for_each(|message| outlook.note(message));
    Stretches::new(options.clone(), outlook).settling(settling)
}

#[test]
fn stretches_of_generated_lists_give_the_turns_of_the_whole() {
    for case in 0..300 {
        let profile = Profile::ALL[case as usize % Profile::ALL.len()];
        // Lists that follow one another repeat many ids.
        let lists = (0..3).map(|more| Case::of(&Scenario::from_seed(11, case + 100 * more, profile)).events());
        let messages: Vec<Event> = lists.flatten().collect();
        let options = Options { context: Some("A crate.".into()), ..Options::default() };
        let whole = normalize_for_api(&messages, &options);
        for settling in [1, 5, 24] {
            assert_eq!(by_stretches(&messages, &options, settling), whole, "{profile:?} {case}, {settling} at once");
        }
    }
}

#[test]
fn few_messages_of_an_ordinary_session_are_in_memory_at_once() {
    const TURNS: usize = 200;
    let messages = events(&session(TURNS));
    let stretches = stretches(&messages, &Options::default(), 16);
    let alive: RefCell<Vec<Weak<User>>> = RefCell::default();
    let given = messages.into_iter().inspect(|message| {
        if let Event::Message(Message::User(user)) = message {
            alive.borrow_mut().push(Arc::downgrade(user));
        }
    });
    let mut most = 0;
    let Ok(()) = stretches.each_turn(given.map(Ok), |_| {
        most = most.max(alive.borrow().iter().filter(|user| user.strong_count() > 0).count());
        Ok::<(), Infallible>(())
    });
    let users = alive.borrow().len();
    assert_eq!(users, 3 * TURNS);
    assert!(most < 30, "{most} of {users} at once");
}

#[test]
fn a_failure_of_what_takes_the_turns_ends_it() {
    let messages = events(&session(50));
    let stretches = stretches(&messages, &Options::default(), 16);
    let mut taken = 0;
    let ended = stretches.each_turn(messages.into_iter().map(Ok), |_| {
        taken += 1;
        if taken == 3 { Err("full") } else { Ok(()) }
    });
    assert_eq!((ended, taken), (Err("full"), 3));
}

#[test]
fn a_message_that_cannot_be_given_ends_it_after_the_turns_before() {
    let messages = events(&session(50));
    let stretches = stretches(&messages, &Options::default(), 16);
    let mut taken = 0;
    let given = messages.into_iter().map(Ok).take(200).chain([Err("gone")]);
    let ended = stretches.each_turn(given, |_| {
        taken += 1;
        Ok(())
    });
    assert_eq!(ended, Err("gone"));
    assert!((20..50).contains(&taken), "{taken} turns of 200 messages");
}
