//! The suite is tested by subjects that are wrong on purpose: it must convict each of them.

mod convictions;
mod find_quality;
mod harmless;
mod nearness;
mod stored;
