//! From messages to a request, stage by stage.
