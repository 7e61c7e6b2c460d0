//! Which database a command uses.

use std::path::PathBuf;

use clap::Args;

/// Which database to use.
#[derive(Debug, Clone, Args)]
pub struct DatabaseArgs {
    /// The directory of the embedded PostgreSQL [default: /var/lib/octavo as root, else
    /// ~/.local/share/octavo]
    #[arg(long, env = "OCTAVO_DATA_DIR", value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Use this PostgreSQL (15 to 18) instead of an embedded one, as in
    /// postgresql://octavo@db.example.org/octavo
    #[arg(
        long,
        env = "OCTAVO_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database_url: Option<String>,
    /// The directory of the PostgreSQL programs (initdb, postgres) for the embedded one
    #[arg(long, env = "OCTAVO_PG_BIN", value_name = "DIR")]
    pub postgres_bin: Option<PathBuf>,
}
