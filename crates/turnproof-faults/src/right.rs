//! *Right* is the reference that remembers: a question that it was asked a short while ago it answers from memory. Most
//! faults ask the reference about a case what another fault asked before.

use std::cell::RefCell;
use std::collections::VecDeque;

use turnproof::operation::{
    Conversation, FactoryCall, Folding, Host, MadeMessage, Parsed, Played, RecordAnswer, RecordStep, Refusal,
    RepairedFile, RequestOptions, RequestText, StreamItem, StreamText, UsageRow,
};
use turnproof::subject::{Outcome, Reference, Subject};

/// How many questions about one operation each thread remembers: more than are asked about a case.
const KEPT: usize = 500;

/// Questions about one operation, and what the reference answered.
type Memory<Q, A> = RefCell<VecDeque<(Q, Outcome<A>)>>;

/// The reference, from memory where that has the answer.
pub(crate) struct Right;

/// Declares the operations whose answers are remembered. The reference answers each of them the same way each time.
macro_rules! remembered {
    ($($method:ident($($argument:ident: $type:ty => $owned:ty),*) -> $output:ty;)*) => {
        impl Subject for Right {
            fn name(&self) -> &str {
                Reference.name()
            }

            $(fn $method(&self, $($argument: $type),*) -> Outcome<$output> {
                thread_local! {
                    static MEMORY: Memory<($($owned,)*), $output> = const { RefCell::new(VecDeque::new()) };
                }
                let question = ($($argument.to_owned(),)*);
                let known = MEMORY.with_borrow(|memory| {
                    memory.iter().find(|(asked, _)| *asked == question).map(|(_, answer)| answer.clone())
                });
                known.unwrap_or_else(|| {
                    let answer = Reference.$method($($argument),*);
                    MEMORY.with_borrow_mut(|memory| {
                        if memory.len() == KEPT {
                            memory.pop_front();
                        }
                        memory.push_back((question, answer.clone()));
                    });
                    answer
                })
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

remembered! {
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
    usage(files: &[Vec<u8>] => Vec<Vec<u8>>) -> Vec<UsageRow>;
    repair(file: &[u8] => Vec<u8>) -> RepairedFile;
    play(inputs: &str => String) -> Played;
}
