//! From messages to what a UI shows.
