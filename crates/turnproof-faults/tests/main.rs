//! The suite is tested by subjects that are wrong on purpose and by programs that misbehave.

mod faults;
mod programs;
