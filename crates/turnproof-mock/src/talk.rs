//! The *talk*: what was said to a request and how that ends, as the rules `talk/*` read it.

use turnproof_rules::operation::{TalkAnswer, TalkEnd};

use crate::answer::Answer;
use crate::fault::Fault;
use crate::reply::Reply;
use crate::response::Said;
use crate::route::Door;

/// What is known of an answer when it is chosen.
pub(crate) fn answer(answer: &Answer, said: &Said, door: &Door, at: u64) -> TalkAnswer {
    let odd = answer.faults.iter().any(|fault| matches!(fault, Fault::UnknownEvent | Fault::UnknownDelta));
    let known = TalkAnswer { status: said.status, at, odd, ..TalkAnswer::default() };
    match &answer.what {
        Err(refused) => TalkAnswer { end: TalkEnd::Refused, retry_after: refused.retry_after, ..known },
        // It would have streamed, and an error is all that there is.
        Ok(_) if said.status >= 400 => TalkAnswer { end: TalkEnd::Refused, ..known },
        Ok(reply) => {
            let end = answer.faults.iter().find_map(end_of).unwrap_or_default();
            of_reply(known, end, reply, said, door)
        }
    }
}

fn of_reply(known: TalkAnswer, end: TalkEnd, reply: &Reply, said: &Said, door: &Door) -> TalkAnswer {
    match end {
        TalkEnd::Whole if said.streams => TalkAnswer { reply: reply.streamed(), ..known },
        TalkEnd::Whole => TalkAnswer { reply: reply.message("", ""), ..known },
        // Frames of Bedrock are not taken apart again.
        _ if said.streams && matches!(door, Door::Bedrock { .. }) => TalkAnswer { end: TalkEnd::Unknown, ..known },
        _ => TalkAnswer { reply: said.text(), end, ..known },
    }
}

/// How a fault ends an answer; `None` for one that leaves it whole.
fn end_of(fault: &Fault) -> Option<TalkEnd> {
    match fault {
        Fault::CutEvent(_) | Fault::CutByte(_) => Some(TalkEnd::Cut),
        Fault::EndEvent(_) | Fault::EndByte(_) => Some(TalkEnd::Closed),
        Fault::ErrorEvent(_) => Some(TalkEnd::Error),
        Fault::StallEvent(_) => Some(TalkEnd::Stalled),
        Fault::DoubleEvent(_) => Some(TalkEnd::Unknown),
        _ => None,
    }
}
