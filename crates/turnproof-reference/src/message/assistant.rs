//! An *assistant message*: the model's reply, or one block of it. Lines that share `message.id` are one reply. Its
//! *usage* is what it cost in tokens.

use crate::json::{Number, Raw, Text};

use super::block::Content;
use super::document::{Maybe, document};

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
        /// Whether this reports an error of the API.
        is_api_error_message: bool = "isApiErrorMessage",
        /// The kind of the API's error, such as `max_output_tokens`.
        api_error: Raw = "apiError",
        /// The error in the words of older clients.
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

document! {
    /// What a reply cost. All lines of a reply repeat it; count it once, from the last line.
    pub struct Usage {
        /// Tokens read at full price.
        input_tokens: Number = "input_tokens",
        /// Tokens written.
        output_tokens: Number = "output_tokens",
        /// Tokens read into the prompt cache.
        cache_creation_input_tokens: Number = "cache_creation_input_tokens",
        /// Tokens read from the prompt cache.
        cache_read_input_tokens: Number = "cache_read_input_tokens",
        /// Requests that server tools made.
        server_tool_use: ServerToolCount = "server_tool_use",
        /// The tier that served the request.
        service_tier: Text = "service_tier",
        /// Tokens read into the prompt cache, by lifetime.
        cache_creation: CacheCreation = "cache_creation",
        /// Where the model ran.
        inference_geo: Text = "inference_geo",
        /// The cost of each step, when the server made several.
        iterations: Raw = "iterations",
        /// The speed that was asked for.
        speed: Raw = "speed",
    }
}

document! {
    /// Requests that server tools made.
    pub struct ServerToolCount {
        /// Searches.
        web_search_requests: Number = "web_search_requests",
        /// Pages fetched.
        web_fetch_requests: Number = "web_fetch_requests",
    }
}

document! {
    /// Tokens read into the prompt cache, by lifetime.
    pub struct CacheCreation {
        /// Kept for an hour.
        ephemeral_1h_input_tokens: Number = "ephemeral_1h_input_tokens",
        /// Kept for five minutes.
        ephemeral_5m_input_tokens: Number = "ephemeral_5m_input_tokens",
    }
}

impl Usage {
    /// The usage of a message that no model made: the API's whole object, all zero or null.
    pub fn synthetic() -> Self {
        let zero = || Maybe::Is(Number::from(0));
        Self {
            input_tokens: zero(),
            output_tokens: zero(),
            cache_creation_input_tokens: zero(),
            cache_read_input_tokens: zero(),
            server_tool_use: Maybe::Is(ServerToolCount {
                web_search_requests: zero(),
                web_fetch_requests: zero(),
                ..ServerToolCount::default()
            }),
            service_tier: Maybe::Null,
            cache_creation: Maybe::Is(CacheCreation {
                ephemeral_1h_input_tokens: zero(),
                ephemeral_5m_input_tokens: zero(),
                ..CacheCreation::default()
            }),
            inference_geo: Maybe::Null,
            iterations: Maybe::Null,
            speed: Maybe::Null,
            ..Self::default()
        }
    }
}
