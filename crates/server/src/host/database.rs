//! The database of an installation: its own PostgreSQL, or a given one.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use octavo_platform::Platform;
use octavo_postgres::{Config, Database, DatabaseOptions, Embedded, EmbeddedError, EmbeddedOptions};

use super::{data_dir, key};
use crate::cli::DatabaseArgs;
use crate::compose::composition;

/// The file that tells other commands how to reach a running server's embedded database.
const NOTE: &str = "database.url";

/// An opened installation.
#[derive(Debug)]
pub struct Host {
    /// The composed product over its database.
    pub platform: Arc<Platform>,
    /// Its directory.
    pub data_dir: std::path::PathBuf,
    /// Its own PostgreSQL, when it has one and this process runs it.
    pub embedded: Option<Embedded>,
}

/// What a process wants of the database.
#[derive(Debug, Clone, Copy)]
pub struct Wishes {
    /// Connections shared by single statements.
    pub lanes: usize,
    /// How long one statement may run; zero for as long as it takes.
    pub statement_timeout: Duration,
    /// Whether the embedded database must be this process's own.
    pub own: bool,
}

impl Host {
    /// Opens the installation: starts its PostgreSQL, or joins the one that a running server of
    /// the same directory keeps, or connects to the given one. Tables are brought up to date.
    ///
    /// # Errors
    /// A message that names the remedy.
    pub async fn open(args: &DatabaseArgs, wishes: Wishes) -> anyhow::Result<Host> {
        let data_dir = data_dir::resolve(args.data_dir.clone())?;
        let signing_key = key::signing_key(&data_dir)?;
        let (config, embedded) = match &args.database_url {
            Some(url) => (parse(url)?, None),
            None => embedded(&data_dir, args, wishes).await?,
        };
        let mut options = DatabaseOptions::new(config);
        options.lanes = wishes.lanes;
        options.statement_timeout = wishes.statement_timeout;
        let database = Database::connect(options).await?;
        check_version(&database).await?;
        let platform =
            Platform::new(database, composition(signing_key)).map_err(anyhow::Error::msg)?;
        platform.store.provision_shared().await?;
        Ok(Host { platform: Arc::new(platform), data_dir, embedded })
    }

    /// Brings the tables of every tenant up to date.
    ///
    /// # Errors
    /// Names the tenant that could not be.
    pub async fn upgrade_tenants(&self) -> anyhow::Result<Vec<String>> {
        let platform = &self.platform;
        let ids = platform.tenants.load(&platform.store).await?;
        for id in &ids {
            let tenant = octavo_records::Tenant::new(id)?;
            platform
                .tenants
                .provision(&platform.store, &platform.modules, &tenant, id)
                .await
                .with_context(|| format!("tenant {id} could not be brought up to date"))?;
        }
        Ok(ids)
    }

    /// Ends the embedded PostgreSQL, if this process runs one.
    pub async fn close(self) {
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
    }
}

fn parse(url: &str) -> anyhow::Result<Config> {
    // The driver's own message may quote the password.
    url.parse::<Config>().map_err(|_| {
        anyhow::anyhow!(
            "the database URL is not of the form postgresql://user:password@host:port/database"
        )
    })
}

async fn embedded(
    data_dir: &Path,
    args: &DatabaseArgs,
    wishes: Wishes,
) -> anyhow::Result<(Config, Option<Embedded>)> {
    let mut options = EmbeddedOptions::new(data_dir);
    options.bin_dir.clone_from(&args.postgres_bin);
    options.progress = Arc::new(|step: &str| eprintln!("  {step}"));
    let note = data_dir.join(NOTE);
    match Embedded::start(options).await {
        Ok(server) => {
            std::fs::write(&note, server.url())
                .with_context(|| format!("{} cannot be written", note.display()))?;
            Ok((server.config(), Some(server)))
        }
        // A command beside a running server uses that server's database.
        Err(EmbeddedError::InUse { .. }) if !wishes.own => {
            let url = std::fs::read_to_string(&note)
                .with_context(|| format!("{} cannot be read; is the server still starting?", note.display()))?;
            Ok((parse(&url)?, None))
        }
        Err(error) => Err(error.into()),
    }
}

async fn check_version(database: &Database) -> anyhow::Result<()> {
    let rows = database.query("SELECT current_setting('server_version_num')::int", &[]).await?;
    let number: i32 = rows.first().map_or(0, |row| row.get(0));
    let major = number / 10_000;
    if !(15..=18).contains(&major) {
        anyhow::bail!(
            "the database at {} is PostgreSQL {major}; Octavo needs 15, 16, 17 or 18. Upgrade it, \
             or leave --database-url out to let Octavo run its own",
            database.place()
        );
    }
    Ok(())
}
