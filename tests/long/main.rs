//! What takes *long*: exhaustive and repeated tests, other processes, and real disks.

mod client;
mod crash;
mod disks;
mod exhaustive;
mod processes;
#[path = "../common/shapes.rs"]
#[allow(dead_code, reason = "the programs need different parts of it")]
mod shapes;
