//! *Errors* as hosts say them: a status, a type, and the words of the API in a body of the host's form.

use serde_json::json;

/// An error of a host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{status} {}: {message}", kind.name())]
pub struct ApiError {
    /// The status of the response.
    pub status: u16,
    /// What sort of error it is.
    pub kind: ErrorKind,
    /// The words.
    pub message: String,
    /// After how many seconds a client may ask again.
    pub retry_after: Option<u64>,
}

/// The types of the API's errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the variants are named as the types")]
pub enum ErrorKind {
    InvalidRequest,
    Authentication,
    Billing,
    Permission,
    NotFound,
    TooLarge,
    RateLimit,
    Api,
    Timeout,
    Overloaded,
}

impl ErrorKind {
    /// Every type.
    pub const ALL: [Self; 10] = [
        Self::InvalidRequest,
        Self::Authentication,
        Self::Billing,
        Self::Permission,
        Self::NotFound,
        Self::TooLarge,
        Self::RateLimit,
        Self::Api,
        Self::Timeout,
        Self::Overloaded,
    ];

    /// The type as the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request_error",
            Self::Authentication => "authentication_error",
            Self::Billing => "billing_error",
            Self::Permission => "permission_error",
            Self::NotFound => "not_found_error",
            Self::TooLarge => "request_too_large",
            Self::RateLimit => "rate_limit_error",
            Self::Api => "api_error",
            Self::Timeout => "timeout_error",
            Self::Overloaded => "overloaded_error",
        }
    }

    /// The type of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The status that the API gives with it.
    pub const fn status(self) -> u16 {
        match self {
            Self::InvalidRequest => 400,
            Self::Authentication => 401,
            Self::Billing => 402,
            Self::Permission => 403,
            Self::NotFound => 404,
            Self::TooLarge => 413,
            Self::RateLimit => 429,
            Self::Api => 500,
            Self::Timeout => 504,
            Self::Overloaded => 529,
        }
    }

    /// The type that belongs to a status.
    pub fn of_status(status: u16) -> Self {
        let of = |kind: &Self| kind.status() == status;
        let other = if status < 500 { Self::InvalidRequest } else { Self::Api };
        Self::ALL.into_iter().find(of).unwrap_or(other)
    }

    /// The words that it comes with where nothing else is known.
    pub const fn words(self) -> &'static str {
        match self {
            Self::InvalidRequest => "Error",
            Self::Authentication => "invalid x-api-key",
            Self::Billing => "Your credit balance is too low to access the Anthropic API.",
            Self::Permission => "Your API key does not have permission to use the specified resource.",
            Self::NotFound => "Not Found",
            Self::TooLarge => "Request exceeds the maximum size",
            Self::RateLimit => "This request would exceed your account's rate limit. Please try again later.",
            Self::Api => "Internal server error",
            Self::Timeout => "Request timed out",
            Self::Overloaded => "Overloaded",
        }
    }
}

/// How a host writes its errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The Messages API, and Vertex, which passes its errors on.
    Messages,
    /// Amazon Bedrock.
    Bedrock,
}

impl ApiError {
    /// An error with the status that belongs to its type.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { status: kind.status(), kind, message: message.into(), retry_after: None }
    }

    /// A request that is refused.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidRequest, message)
    }

    /// A path that is not there.
    pub fn not_found() -> Self {
        Self::new(ErrorKind::NotFound, ErrorKind::NotFound.words())
    }

    /// A host that has too much to do.
    pub fn overloaded() -> Self {
        Self::new(ErrorKind::Overloaded, ErrorKind::Overloaded.words())
    }

    /// A body that is larger than the API takes.
    pub fn too_large() -> Self {
        Self::new(ErrorKind::TooLarge, ErrorKind::TooLarge.words())
    }

    /// The status as a host gives it.
    pub const fn status_at(&self, dialect: Dialect) -> u16 {
        match (dialect, self.kind) {
            (Dialect::Bedrock, ErrorKind::Authentication) => 403,
            (Dialect::Bedrock, ErrorKind::Overloaded) => 503,
            (Dialect::Bedrock, ErrorKind::TooLarge) => 400,
            _ => self.status,
        }
    }

    /// The body of the response.
    pub fn body(&self, dialect: Dialect, request: &str) -> String {
        match dialect {
            Dialect::Messages => json!({"type": "error", "error": self.inner(), "request_id": request}).to_string(),
            Dialect::Bedrock => json!({"message": self.message}).to_string(),
        }
    }

    /// What an event `error` says.
    pub fn event(&self, request: &str) -> String {
        json!({"type": "error", "error": self.inner(), "request_id": request}).to_string()
    }

    /// The name of the exception by which Bedrock calls it.
    pub const fn exception(&self) -> &'static str {
        match self.kind {
            ErrorKind::InvalidRequest | ErrorKind::TooLarge | ErrorKind::Billing => "ValidationException",
            ErrorKind::Authentication => "UnrecognizedClientException",
            ErrorKind::Permission => "AccessDeniedException",
            ErrorKind::NotFound => "ResourceNotFoundException",
            ErrorKind::RateLimit => "ThrottlingException",
            ErrorKind::Api => "InternalServerException",
            ErrorKind::Timeout => "ModelTimeoutException",
            ErrorKind::Overloaded => "ServiceUnavailableException",
        }
    }

    fn inner(&self) -> serde_json::Value {
        json!({"type": self.kind.name(), "message": self.message})
    }
}
