//! `octavo export`: writes a tenant's records to files.

mod marc;

use std::process::ExitCode;

use clap::Subcommand;

/// Write records to files.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write the catalogue as MARC 21.
    ///
    /// Records are written in the order in which they were loaded, which is that of their HRIDs. By
    /// default a record that has not changed since is written byte for byte as it was loaded, and
    /// an edited record in its present state. So `octavo export marc` writes what `octavo load
    /// marc` read.
    ///
    /// With --form catalogue records are written like FOLIO's data export: 001 is the HRID, and 999
    /// with the indicators f names the instance and the source record.
    ///
    /// For instances without MARC a record is made from their properties.
    ///
    /// Progress goes to standard error, and the records to the file or to standard output, so that
    /// they can be piped: octavo export marc | yaz-marcdump -
    Marc(marc::MarcArgs),
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: ExportCommand) -> anyhow::Result<ExitCode> {
    match command {
        ExportCommand::Marc(args) => marc::run(args).await,
    }
}
