//! A *sample* is the reply to a request without a server: what the mock would send, as text.

use turnproof_rules::operation::Host;

use crate::answer::Answers;
use crate::asked::Asked;
use crate::change::Change;
use crate::error::{ApiError, ErrorKind};
use crate::judge::{Purpose, judge};
use crate::response::message;
use crate::route::Door;
use crate::service::model_of;

/// The reply to a body that bytes choose: a message as JSON, or a stream of server-sent events where the body asks for
/// one. It fails where the API would refuse the body.
pub fn sample(body: &[u8], replies: Vec<u8>) -> Result<String, ApiError> {
    let verdict = judge(body, Host::Anthropic, Purpose::Message);
    let request = match (verdict.refusal, verdict.request) {
        (Some(refusal), _) => return Err(refusal),
        (None, None) => return Err(ApiError::invalid(ErrorKind::InvalidRequest.words())),
        (None, Some(request)) => request,
    };
    let answers = Answers::default();
    answers.change(Change { replies: Some(replies), ..Change::default() });
    let model = model_of(&Door::Messages, &request);
    let asked = Asked { number: answers.number(), request: &request, model: &model };
    let ids = answers.ids();
    Ok(message(&asked, &Door::Messages, &answers.answer(&asked), ids, &ids.request(1)).text())
}
