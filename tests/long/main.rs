//! What takes *long*: exhaustive and repeated tests, other processes, and real disks.

mod crash;
mod disks;
mod exhaustive;
mod processes;
