//! Entry point: parses the command line, runs the command, and turns its result into an exit
//! status.

use std::process::ExitCode;

use clap::Parser;
use octavo_server::cli::{Cli, run};

/// This allocator can sample, for `octavo profile heap`.
#[cfg(feature = "heap-profiles")]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// This allocator is built in seconds.
#[cfg(not(feature = "heap-profiles"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("octavo: {error:#}");
            ExitCode::from(2)
        }
    }
}
