//! Subjects that are wrong on purpose: the suite detects each of them, and reports none of the harmless variants.

mod detection;
mod find_quality;
mod harmless;
mod nearness;
mod stored;
mod unchanged;
