//! *Fuzzing*: the seeds, the dictionaries, the laws, and the mutations of inputs.

mod accepted;
mod broken;
mod campaign;
mod dictionaries;
mod efforts;
mod laws;
mod mutations;
mod seeds;
mod smaller;
