//! `octavo load`: records from files and generators into a tenant.

mod marc;
mod problems;
mod sample;

use std::process::ExitCode;

use clap::Subcommand;

/// Bring records into a tenant.
#[derive(Debug, Subcommand)]
pub enum LoadCommand {
    /// Turn a file of MARC 21 records into instances and source records.
    ///
    /// The file may be binary (ISO 2709, UTF-8 or MARC-8) or MARCXML. Every record makes an
    /// instance; with --holdings it also makes holdings, with --items items as well. Records that
    /// cannot be read or mapped are named with their position and reason, and set aside.
    ///
    /// A load that was cut off goes on behind the last record that was stored when the same command
    /// is given again. A file that was loaded to its end is not loaded a second time but with
    /// --again, which makes every instance once more.
    Marc(marc::MarcArgs),
    /// Make a large library, the same for the same seed: instances, holdings, items, patrons and
    /// open loans.
    Sample(sample::SampleArgs),
}

/// Runs it.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: LoadCommand) -> anyhow::Result<ExitCode> {
    match command {
        LoadCommand::Marc(args) => marc::run(args).await,
        LoadCommand::Sample(args) => sample::run(args).await,
    }
}
