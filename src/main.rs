//! The command `turnproof`; everything it does is in the library.

fn main() -> std::process::ExitCode {
    turnproof::cli::run(std::env::args_os())
}
