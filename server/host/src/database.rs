//! Opens an installation's database: its embedded PostgreSQL, or a given one.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use jiff::Timestamp;
use octavo_jobs::Workers;
use octavo_platform::proxy::RemoteLimits;
use octavo_platform::token::LoginSettings;
use octavo_platform::{Governance, Platform};
use octavo_postgres::{
    Config, Database, DatabaseOptions, Embedded, EmbeddedError, EmbeddedOptions, ReaderOptions,
    Readers,
};
use octavo_relay::Relay;
use octavo_staff::StaffClient;
use tokio::task::JoinSet;
use tokio_postgres::config::Host::Tcp as TcpHost;
use tokio_postgres::config::SslMode;
use uuid::Uuid;

use super::demo::DemoLibrary;
use super::{data_dir, key, open_files};
use crate::compose::composition_with;
use crate::database_args::DatabaseArgs;
use crate::workbench::Workbench;

/// The file with the URL of a running server's embedded database, for other commands.
const NOTE: &str = "database.url";
/// The same for backups, which need the superuser.
const SUPERUSER_NOTE: &str = "superuser.url";

/// How long the end waits for pending audit entries to be written.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// An opened installation.
#[derive(Debug)]
pub struct Host {
    /// The composed product on its database.
    pub platform: Arc<Platform>,
    /// Its data directory.
    pub data_dir: std::path::PathBuf,
    /// Its embedded PostgreSQL, if this process runs one.
    pub embedded: Option<Embedded>,
    /// Background tasks, which end with the host.
    pub background: JoinSet<()>,
    /// The relay of events to Kafka, if there is one.
    pub relay: Option<Relay>,
}

/// A process's options for the database.
#[derive(Debug, Clone)]
pub struct HostOptions {
    /// Connections shared by single statements.
    pub lanes: usize,
    /// How many transactions run at once; none for as many as there are connections.
    pub transactions_at_once: Option<usize>,
    /// The statement time-out; zero for none.
    pub statement_timeout: Duration,
    /// Whether this process has to run the embedded database itself.
    pub own: bool,
    pub readers: Option<ReaderOptions>,
    /// Until when clients may replace records whatever their `_version`.
    pub suppress_locking_until: Option<Timestamp>,
    pub governance: Governance,
    /// Time-outs for remote modules.
    pub remote: RemoteLimits,
    pub login: LoginSettings,
    /// What the page of the workbench may do.
    pub workbench: Arc<Workbench>,
    /// Who does background work.
    pub workers: Workers,
}

impl Host {
    /// Opens the installation: starts its PostgreSQL, or joins the one of a running server with the
    /// same data directory, or connects to the given one. What tenants share is upgraded now;
    /// tenants are upgraded at their first request.
    ///
    /// # Errors
    /// A message that names the remedy.
    pub async fn open(args: &DatabaseArgs, host_options: HostOptions) -> anyhow::Result<Host> {
        let data_dir = data_dir::resolve(args.data_dir.clone())?;
        data_dir::make(&data_dir)?;
        // Before anything is started or changed, since a damaged file ends the start.
        let earlier_key = key::of_earlier_release(&data_dir)?;
        let (config, embedded) = match &args.database_url {
            Some(url) => (parse(url)?, None),
            None => embedded(&data_dir, args, host_options.own).await?,
        };
        let mut options = DatabaseOptions::new(config);
        options.storage = embedded.as_ref().map(|server| server.storage().to_owned());
        options.lanes = host_options.lanes;
        if let Some(transactions) = host_options.transactions_at_once {
            options.transactions_at_once = transactions;
        }
        options.statement_timeout = host_options.statement_timeout;
        let database = Database::connect(options)
            .await
            .map_err(|error| match embedded {
                Some(_) => anyhow::Error::new(error),
                None => anyhow::anyhow!("{error}; is it running, and is --database-url right?"),
            })?;
        check_version(&database).await?;
        // A random key that signs nothing: the keys from the database replace it.
        let throwaway = Uuid::new_v4().as_bytes().repeat(2);
        let mut composition = composition_with(throwaway, &host_options.workbench);
        composition.limits.suppress_locking_until = host_options.suppress_locking_until;
        composition.limits.remote = host_options.remote;
        composition.limits.connections = open_files::connections(composition.limits.connections);
        composition.governance = host_options.governance.clone();
        composition.login = host_options.login;
        composition.workers = host_options.workers;
        let mut platform = Platform::new(database, composition).map_err(anyhow::Error::msg)?;
        platform = platform.showing(Arc::new(StaffClient));
        platform.prepare_shared().await.with_context(|| {
            format!(
                "the {} cannot be prepared; its user has to own it, and PostgreSQL has to have \
                 the extensions unaccent and pg_trgm (Debian: apt-get install postgresql-contrib)",
                platform.store.database.place()
            )
        })?;
        platform.tenants.set_samples(Arc::new(DemoLibrary));
        key::prepare(&platform.store.database, &data_dir, earlier_key)
            .await
            .context("the keys that tokens are signed with cannot be prepared")?;
        platform
            .identities
            .take_keys(Arc::new(key::StoredKeys))
            .await?;
        if let Some(mut options) = host_options.readers {
            options.statement_timeout = host_options.statement_timeout;
            let readers = Readers::start(&platform.store.database, options).await?;
            platform = platform.reading_on(readers);
        }
        Ok(Host {
            platform: Arc::new(platform),
            data_dir,
            embedded,
            background: JoinSet::new(),
            relay: None,
        })
    }

    /// Closes the connections, and stops the embedded PostgreSQL if this process runs one.
    pub async fn close(mut self) {
        // Timers run jobs, too: these are finished or broken off before the timers are.
        self.platform.workers.stop().await;
        if let Some(relay) = self.relay.take() {
            relay.stop().await;
        }
        // Then those who would mend a connection that ends.
        self.background.shutdown().await;
        if let Some(readers) = &self.platform.gateway.readers {
            readers.close();
        }
        let last = tokio::time::timeout(LAST_WORDS, self.platform.store.flush_advice());
        if !matches!(last.await, Ok(Ok(()))) {
            tracing::debug!("the last index advice could not be stored");
        }
        // Only now: storing the advice needs a connection.
        self.platform.store.database.close();
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
    }
}

/// The connection configuration from a URL.
///
/// # Errors
/// A message with the remedy, never with the password.
pub(super) fn parse(url: &str) -> anyhow::Result<Config> {
    // The driver's own message may quote the password.
    let config: Config = url.parse().map_err(|_| {
        anyhow::anyhow!(
            "the database URL is not of the form postgresql://user:password@host:port/database"
        )
    })?;
    // Text before the last @ of a host is a part of the password.
    let torn = config
        .get_hosts()
        .iter()
        .any(|host| matches!(host, TcpHost(name) if name.contains('@')));
    if torn {
        anyhow::bail!("the database URL holds more than one @; write those of the password as %40");
    }
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        anyhow::bail!(
            "the database URL names no host; it is of the form \
             postgresql://user:password@host:port/database"
        );
    }
    if config.get_ssl_mode() == SslMode::Require {
        anyhow::bail!(
            "the database URL asks for TLS (sslmode=require), which Octavo does not speak to the \
             database yet; use a private network or a tunnel, and leave sslmode out"
        );
    }
    Ok(config)
}

async fn embedded(
    data_dir: &Path,
    args: &DatabaseArgs,
    own: bool,
) -> anyhow::Result<(Config, Option<Embedded>)> {
    let mut options = EmbeddedOptions::new(data_dir);
    options.bin_dir.clone_from(&args.postgres_bin);
    options.progress = Arc::new(|step: &str| eprintln!("  {step}"));
    let note = data_dir.join(NOTE);
    match Embedded::start(options).await {
        Ok(server) => {
            let urls = [
                (&note, server.url()),
                (&data_dir.join(SUPERUSER_NOTE), server.superuser_url()),
            ];
            for (note, url) in urls {
                std::fs::write(note, url)
                    .with_context(|| format!("{} cannot be written", note.display()))?;
            }
            Ok((server.config(), Some(server)))
        }
        // A command beside a running server uses that server's database.
        Err(EmbeddedError::InUse { .. }) if !own => {
            let url = std::fs::read_to_string(&note).with_context(|| {
                format!(
                    "{} cannot be read; is the server still starting?",
                    note.display()
                )
            })?;
            Ok((parse(&url)?, None))
        }
        Err(error) => Err(error.into()),
    }
}

async fn check_version(database: &Database) -> anyhow::Result<()> {
    let rows = database
        .query(
            "SELECT current_setting('server_version_num')::int AS number",
            &[],
        )
        .await?;
    let number: i32 = rows.first().map_or(0, |row| row.get("number"));
    suitable(number, &database.place())
}

/// Checks `server_version_num`, in which 150018 stands for 15.18.
fn suitable(number: i32, place: &str) -> anyhow::Result<()> {
    let major = number / 10_000;
    if !(15..=18).contains(&major) {
        anyhow::bail!(
            "the {place} is PostgreSQL {major}; Octavo needs 15, 16, 17 or 18. Upgrade it, or \
             leave --database-url out to let Octavo run its own"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_versions_that_the_sql_is_written_for_are_used() {
        for number in [150_000, 150_018, 160_004, 170_002, 180_000] {
            assert!(
                suitable(number, "database octavo at db:5432").is_ok(),
                "{number}"
            );
        }
        for (number, major) in [(140_012, "14"), (190_000, "19"), (0, "0")] {
            let message = suitable(number, "database octavo at db:5432")
                .expect_err("not a version that is supported")
                .to_string();
            assert!(
                message.starts_with(&format!(
                    "the database octavo at db:5432 is PostgreSQL {major}; Octavo needs 15"
                )),
                "{message}"
            );
        }
    }

    #[test]
    fn a_url_that_cannot_be_used_is_reported_without_its_password() {
        for (url, part) in [
            (
                "postgresql://app:hunter2@db:notaport/octavo",
                "not of the form",
            ),
            ("hunter2", "not of the form"),
            ("postgresql://app:hunter@hunter2@db/octavo", "as %40"),
            (
                "postgresql:///octavo?user=app&password=hunter2",
                "names no host",
            ),
            (
                "postgresql://app:hunter2@db/octavo?sslmode=require",
                "asks for TLS",
            ),
        ] {
            let message = parse(url).expect_err(url).to_string();
            assert!(message.contains(part), "{message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
    }
}
