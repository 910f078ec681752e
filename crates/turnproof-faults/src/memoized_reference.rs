//! The reference with a memory: most faults ask it about a case what another fault asked before.

use std::cell::RefCell;

use turnproof_rules::operation::{
    Conversation, FactoryCall, Folding, Host, MadeMessage, Parsed, Played, RecordAnswer, RecordStep, Refusal,
    RepairedFile, RequestOptions, RequestText, ResponseRefusal, StreamItem, StreamText, UsageRow,
};
use turnproof_suite::subject::{Outcome, Reference, Subject};

/// How many answers about one operation each thread keeps: more than are asked for about a case.
const KEPT: usize = 500;

/// Questions about one operation, each with the answer of the reference; each thread has its own.
type Memory<Q, A> = RefCell<Vec<(Q, Outcome<A>)>>;

/// The answer that was given before, or the one that `ask` gives.
fn answer<Q: PartialEq, A: Clone>(memory: &Memory<Q, A>, question: Q, ask: impl FnOnce() -> Outcome<A>) -> Outcome<A> {
    let known = memory.borrow().iter().find(|(asked, _)| *asked == question).map(|(_, answer)| answer.clone());
    known.unwrap_or_else(|| {
        let answer = ask();
        let mut memory = memory.borrow_mut();
        if memory.len() == KEPT {
            memory.clear();
        }
        memory.push((question, answer.clone()));
        answer
    })
}

/// The reference, from memory where that has the answer.
pub(crate) struct MemoizedReference;

/// Declares the operations whose answers are kept. The reference answers each of them the same way each time.
macro_rules! memoized {
    ($($method:ident($($argument:ident: $type:ty => $owned:ty),*) -> $output:ty;)*) => {
        impl Subject for MemoizedReference {
            fn name(&self) -> &str {
                Reference.name()
            }

            $(fn $method(&self, $($argument: $type),*) -> Outcome<$output> {
                thread_local! {
                    static MEMORY: Memory<($($owned,)*), $output> = const { RefCell::new(Vec::new()) };
                }
                let question = ($($argument.to_owned(),)*);
                MEMORY.with(|memory| answer(memory, question, || Reference.$method($($argument),*)))
            })*

            fn derive_uuid(&self, parent: &str, index: u64) -> Outcome<String> {
                Reference.derive_uuid(parent, index)
            }

            fn short_id(&self, uuid: &str) -> Outcome<String> {
                Reference.short_id(uuid)
            }

            /// Fresh ids are others each time.
            fn make(&self, call: &FactoryCall) -> Outcome<Vec<MadeMessage>> {
                Reference.make(call)
            }
        }
    };
}

memoized! {
    parse(bytes: &[u8] => Vec<u8>) -> Parsed;
    normalize_api(messages: &str => String, options: &RequestOptions => RequestOptions) -> RequestText;
    normalize_api_incremental(messages: &str => String, options: &RequestOptions => RequestOptions) -> Vec<String>;
    normalize_ui(messages: &str => String) -> String;
    reorder_ui(messages: &str => String) -> String;
    fold(messages: &str => String, folding: Folding => Folding) -> String;
    unfold(messages: &str => String) -> String;
    bridge(messages: &str => String) -> String;
    record(file: &[u8] => Vec<u8>, session: &str => String, steps: &[RecordStep] => Vec<RecordStep>)
        -> Vec<RecordAnswer>;
    resume(file: &[u8] => Vec<u8>) -> Option<Conversation>;
    accumulate(items: &[StreamItem] => Vec<StreamItem>) -> StreamText;
    check_request(request: &str => String, host: Host => Host) -> Vec<Refusal>;
    check_response(response: &str => String) -> Vec<ResponseRefusal>;
    usage(files: &[Vec<u8>] => Vec<Vec<u8>>) -> Vec<UsageRow>;
    repair(file: &[u8] => Vec<u8>) -> RepairedFile;
    play(inputs: &str => String) -> Played;
}
