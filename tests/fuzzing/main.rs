//! *Fuzzing*: the seeds, the dictionaries, the laws, and the mutations of inputs.

mod dictionaries;
mod laws;
mod mutations;
mod seeds;
