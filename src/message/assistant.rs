//! An *assistant message*: the model's reply, or one block of it. Lines that share `message.id` are one reply.

use crate::json::{Raw, Text};

use super::content::Content;
use super::document::document;
use super::usage::Usage;

document! {
    /// The reply as the API gave it.
    pub struct AssistantBody {
        /// The reply's id, `msg_…`, shared by all its lines.
        id: Text = "id",
        /// Always `message`.
        object_type: Text = "type",
        /// Always `assistant`.
        role: Text = "role",
        /// The model; [`SYNTHETIC_MODEL`](super::constants::SYNTHETIC_MODEL) when none was asked.
        model: Text = "model",
        /// The blocks of the reply that this line holds: nearly always one.
        content: Content = "content",
        /// Why the model stopped; null until the last line.
        stop_reason: Text = "stop_reason",
        /// The sequence at which it stopped.
        stop_sequence: Text = "stop_sequence",
        /// What the reply cost; each line repeats it, the last line has the final numbers.
        usage: Usage = "usage",
        /// The container that server tools ran in.
        container: Raw = "container",
        /// What the API did to the context.
        context_management: Raw = "context_management",
    }
}

document! {
    /// An assistant message.
    pub struct Assistant in Envelope {
        /// The reply as the API gave it.
        message: AssistantBody = "message",
        /// The request's id, `req_…`, shared by all lines of the reply.
        request_id: Text = "requestId",
        /// Whether this stands for an error of the API.
        is_api_error_message: bool = "isApiErrorMessage",
        /// The API's error, as data.
        api_error: Raw = "apiError",
        /// The error's kind.
        error: Raw = "error",
        /// The error's details.
        error_details: Raw = "errorDetails",
        /// The model that advised.
        advisor_model: Text = "advisorModel",
    }
}

impl Assistant {
    /// What the message says, if it says anything.
    pub fn content(&self) -> Option<&Content> {
        self.message.get()?.content.get()
    }

    /// The id of the reply that this is a line of.
    pub fn reply_id(&self) -> Option<&str> {
        self.message.get()?.id.as_str()
    }
}
