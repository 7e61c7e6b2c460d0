//! `octavo export`: records out of a tenant into files.

mod marc;

use std::process::ExitCode;

use clap::Subcommand;

/// Write records into files.
#[derive(Debug, Subcommand)]
pub enum ExportCommand {
    /// Write the catalogue as MARC 21.
    ///
    /// Records leave in the order in which they were loaded, which is that of their HRIDs. By
    /// default each leaves exactly as it came, to the byte, while nothing has changed it since; a
    /// record that was edited leaves as it is now. So what `octavo load marc` read,
    /// `octavo export marc` writes.
    ///
    /// With --form catalogue records leave as FOLIO's data export writes them: 001 is the HRID, and
    /// 999 with the indicators f names the instance and the source record.
    ///
    /// Instances that have no MARC are made into MARC from their properties.
    ///
    /// Progress goes to standard error, the records to the file or to standard output, so that
    /// they can be piped on: octavo export marc | yaz-marcdump -
    Marc(marc::MarcArgs),
}

/// Runs it.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: ExportCommand) -> anyhow::Result<ExitCode> {
    match command {
        ExportCommand::Marc(args) => marc::run(args).await,
    }
}
