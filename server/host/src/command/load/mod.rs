//! `octavo load`: loads records from files and generators into a tenant.

mod index_phase;
mod marc;
mod problems;
mod record_count;
mod sample;
mod user_problems;
mod user_rows;
mod users;

use std::process::ExitCode;

use clap::Subcommand;

/// Load records into a tenant.
#[derive(Debug, Subcommand)]
pub enum LoadCommand {
    /// Load a file of MARC 21 records as instances and source records.
    ///
    /// The file may be binary (ISO 2709, UTF-8 or MARC-8) or MARCXML. Every record makes an
    /// instance; with --holdings it also makes holdings, with --items items as well. Records that
    /// cannot be read or mapped are reported with their position and reason, and skipped.
    ///
    /// When an interrupted load is started again with the same command, it continues after the last
    /// stored record. A file that was loaded completely is not loaded again without --again, which
    /// makes every instance once more.
    Marc(marc::MarcArgs),
    /// Generate a large library, the same for the same seed: instances, holdings, items, patrons
    /// and open loans.
    Sample(sample::SampleArgs),
    /// Create and update users from a file of another system, as POST /user-import does.
    ///
    /// An existing user, by externalSystemId, is updated; all others are created. Patron groups,
    /// address types, departments and options of custom fields are given by name, and have to exist.
    /// Users who cannot be stored are reported with their position and reason, and skipped; the
    /// command then ends with status 1. Loading the same file again updates the same users, so that
    /// it can be done each night.
    #[command(after_help = "A CSV file begins with a line of column names:\n\n  \
        username,externalSystemId,active,patronGroup,lastName,firstName,email,departments,addresses.Home.city\n  \
        jane,4711,true,undergrad,Doe,Jane,jane@example.org,Law;History,Oslo\n\n\
        Needed are username and externalSystemId, and lastName with anything personal. Several values of a field are separated by ;\n\
        A JSON file is the body of POST /user-import, or an array of its users. All columns are described in\n\
        docs/user-import.md.\n\n\
        Examples:\n  \
        octavo load users students.csv --source-type sis --errors set-aside.tsv\n  \
        octavo load users students.csv --source-type sis --deactivate-missing   each night\n  \
        octavo load users staff.json --tenant college --update-only-present")]
    Users(users::UsersArgs),
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: LoadCommand) -> anyhow::Result<ExitCode> {
    match command {
        LoadCommand::Marc(args) => marc::run(args).await,
        LoadCommand::Sample(args) => sample::run(args).await,
        LoadCommand::Users(args) => users::run(args).await,
    }
}
