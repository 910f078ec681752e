//! The *models* that the mock lists. It answers for any other name too.

use serde_json::{Value, json};

use crate::error::{ApiError, ErrorKind};

/// Names, as people read them, and dates.
const MODELS: [(&str, &str, &str); 8] = [
    ("claude-opus-4-8", "Claude Opus 4.8", "2026-05-05T00:00:00Z"),
    ("claude-opus-4-6", "Claude Opus 4.6", "2026-02-05T00:00:00Z"),
    ("claude-sonnet-4-6", "Claude Sonnet 4.6", "2026-02-17T00:00:00Z"),
    ("claude-opus-4-5-20251101", "Claude Opus 4.5", "2025-11-24T00:00:00Z"),
    ("claude-haiku-4-5-20251001", "Claude Haiku 4.5", "2025-10-15T00:00:00Z"),
    ("claude-sonnet-4-5-20250929", "Claude Sonnet 4.5", "2025-09-29T00:00:00Z"),
    ("claude-opus-4-1-20250805", "Claude Opus 4.1", "2025-08-05T00:00:00Z"),
    ("claude-sonnet-4-20250514", "Claude Sonnet 4", "2025-05-22T00:00:00Z"),
];

/// The list of models.
pub(crate) fn list() -> Value {
    let models = MODELS.map(|(id, name, created)| model(id, name, created));
    json!({"data": models, "has_more": false, "first_id": MODELS[0].0, "last_id": MODELS[MODELS.len() - 1].0})
}

/// One model, by its name or by the beginning of it. Fails for a name that is no model's.
pub(crate) fn one(id: &str) -> Result<Value, ApiError> {
    let known = MODELS.iter().find(|(known, ..)| *known == id || known.strip_prefix(id).is_some_and(is_date));
    match known {
        Some((id, name, created)) => Ok(model(id, name, created)),
        None if id.starts_with("claude") => Ok(model(id, id, "2026-01-01T00:00:00Z")),
        None => Err(ApiError::new(ErrorKind::NotFound, format!("model: {id}"))),
    }
}

fn is_date(rest: &str) -> bool {
    rest.len() == 9 && rest.starts_with('-') && rest[1..].bytes().all(|byte| byte.is_ascii_digit())
}

fn model(id: &str, name: &str, created: &str) -> Value {
    json!({"type": "model", "id": id, "display_name": name, "created_at": created})
}
