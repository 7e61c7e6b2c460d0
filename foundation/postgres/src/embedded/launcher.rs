//! Starts a server: adopts one that still runs, removes what a dead one left, starts a new one,
//! waits until it answers.

use std::fs::OpenOptions;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use tokio_postgres::{Config, NoTls};

use super::Durability;
use super::binaries::Binaries;
use super::cluster::{Layout, SUPERUSER, write_whole};
use super::error::{EmbeddedError, io_error};
use super::owner::Owner;
use super::postmaster::{self, PidFile, Postmaster, is_postmaster_of, pid_file_path};
use super::role;
use super::settings::{self, Facts};
use crate::error::{DatabaseError, describe};
use crate::migrate::quote_identifier;
use crate::timeout;

/// A callback for short progress messages.
pub type Progress = Arc<dyn Fn(&str) + Send + Sync>;

const POLL_FIRST: Duration = Duration::from_millis(5);
const POLL_MOST: Duration = Duration::from_millis(100);
/// The message of a server that finds shared memory of its predecessor attached: after a kill, its
/// backends may take a moment longer to end.
const STILL_IN_USE: &str = "pre-existing shared memory block";
const LEFTOVERS_PAUSE: Duration = Duration::from_millis(200);
/// How much of the log's end an error quotes, in bytes.
const TAIL: u64 = 2_000;

/// Everything needed to start the server repeatedly.
#[derive(Clone)]
pub(super) struct Launcher {
    pub layout: Layout,
    pub binaries: Binaries,
    pub owner: Owner,
    pub durability: Durability,
    pub socket_directory: PathBuf,
    pub port: u16,
    pub database: String,
    pub start_timeout: Duration,
    pub progress: Progress,
}

/// The result of a connection attempt.
enum Answer {
    Ready,
    NoDatabase,
    NotYet { starting_up: bool, reason: String },
}

impl Launcher {
    /// The connection configuration for a user.
    pub(super) fn config(&self, user: &str) -> Config {
        let mut config = Config::new();
        config
            .host_path(&self.socket_directory)
            .port(self.port)
            .user(user)
            .dbname(&self.database)
            .connect_timeout(timeout::CONNECT);
        config
    }

    /// Adopts a running server, or starts one; returns when it answers.
    pub(super) async fn launch(&self) -> Result<Postmaster, EmbeddedError> {
        if let Some(postmaster) = self.adopt().await? {
            return Ok(postmaster);
        }
        let since = Instant::now();
        let mut reported = false;
        loop {
            match self.start().await {
                Err(EmbeddedError::StartFailed { tail, .. })
                    if tail.contains(STILL_IN_USE) && since.elapsed() < self.start_timeout =>
                {
                    if !reported {
                        let what = "waiting for the last processes of a killed PostgreSQL to end";
                        (self.progress)(what);
                        reported = true;
                    }
                    tokio::time::sleep(LEFTOVERS_PAUSE).await;
                }
                outcome => return outcome,
            }
        }
    }

    /// Starts a server; returns when it answers.
    async fn start(&self) -> Result<Postmaster, EmbeddedError> {
        self.write_settings().await?;
        self.remove_socket_lock()?;
        let log_start = self.log_length();
        let mut postmaster = self.spawn()?;
        let guard = StopWhenDropped(postmaster.pid());
        let answer = tokio::select! {
            answer = self.wait_ready() => answer,
            _ = postmaster.wait() => Err(self.start_failed(log_start)),
        };
        guard.disarm();
        if let Err(error) = answer {
            postmaster.stop(Duration::from_secs(5)).await;
            return Err(error);
        }
        Ok(postmaster)
    }

    /// A running server of this cluster, left by an octavo that was killed.
    async fn adopt(&self) -> Result<Option<Postmaster>, EmbeddedError> {
        let cluster = &self.layout.cluster;
        let Some(file) = PidFile::read(cluster) else {
            return Ok(None);
        };
        if !is_postmaster_of(file.pid, cluster) {
            tracing::info!(
                pid = file.pid,
                "removing the pid file of a server that is gone"
            );
            let path = pid_file_path(cluster);
            std::fs::remove_file(&path).map_err(io_error("remove", &path))?;
            return Ok(None);
        }
        let mut postmaster = Postmaster::Adopted {
            pid: file.pid,
            cluster: cluster.clone(),
        };
        let same_place = file.socket_directory == self.socket_directory && file.port == self.port;
        if same_place {
            let answer = tokio::select! {
                answer = self.wait_ready_for(Duration::from_secs(10)) => answer,
                // It was shutting down.
                _ = postmaster.wait() => return Ok(None),
            };
            if answer.is_ok() {
                (self.progress)("took over the PostgreSQL that was still running");
                tracing::info!(pid = file.pid, "adopted a running PostgreSQL");
                return Ok(Some(postmaster));
            }
        }
        tracing::warn!(
            pid = file.pid,
            "a running PostgreSQL does not answer here; restarting it"
        );
        postmaster.stop(Duration::from_secs(30)).await;
        Ok(None)
    }

    /// Removes the lock file that a killed server left beside its socket. The directory belongs to
    /// this cluster, and no server of it runs; but PostgreSQL would trust the process id in the
    /// file if any process has it now.
    fn remove_socket_lock(&self) -> Result<(), EmbeddedError> {
        let name = format!(".s.PGSQL.{}.lock", self.port);
        let path = self.socket_directory.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(io_error("remove", &path)(error))
            }
            _ => Ok(()),
        }
    }

    async fn write_settings(&self) -> Result<(), EmbeddedError> {
        let (has_lz4, has_syncfs) = tokio::join!(
            self.takes_setting("wal_compression", "lz4"),
            self.takes_setting("recovery_init_sync_method", "syncfs"),
        );
        let text = settings::render(&Facts {
            memory_bytes: settings::memory_bytes(),
            durability: self.durability,
            socket_directory: &self.socket_directory,
            port: self.port,
            has_statistics: self.binaries.has_library("pg_stat_statements"),
            has_lz4,
            has_syncfs,
        });
        write_whole(&self.layout.cluster.join("octavo.conf"), &text, &self.owner)
    }

    /// Whether the server was built with support for a value of a setting.
    async fn takes_setting(&self, name: &str, value: &str) -> bool {
        let mut command = self
            .owner
            .command(&self.binaries.program("postgres"), &self.layout.cluster);
        command
            .kill_on_drop(true)
            .arg("-D")
            .arg(&self.layout.cluster)
            .args(["-C", name, "-c", &format!("{name}={value}")]);
        let asked = command.output().await;
        asked.is_ok_and(|answer| {
            answer.status.success() && answer.stdout.trim_ascii() == value.as_bytes()
        })
    }

    fn spawn(&self) -> Result<Postmaster, EmbeddedError> {
        let log = OpenOptions::new()
            .create(true)
            .append(true)
            .mode(0o600)
            .open(&self.layout.log)
            .map_err(io_error("open", &self.layout.log))?;
        let second = log
            .try_clone()
            .map_err(io_error("open", &self.layout.log))?;
        let program = self.binaries.program("postgres");
        let child = self
            .owner
            .command(&program, &self.layout.cluster)
            .arg("-D")
            .arg(&self.layout.cluster)
            .stdout(log)
            .stderr(second)
            .spawn()
            .map_err(io_error("run", &program))?;
        Ok(Postmaster::Child(child))
    }

    async fn wait_ready(&self) -> Result<(), EmbeddedError> {
        self.wait_ready_for(self.start_timeout).await
    }

    /// Polls until a connection opens. The limit does not run while the server is recovering: a
    /// large log takes its time.
    async fn wait_ready_for(&self, limit: Duration) -> Result<(), EmbeddedError> {
        let mut since = Instant::now();
        let mut reported = Instant::now();
        let mut pause = POLL_FIRST;
        loop {
            match self.ask(&self.database).await? {
                Answer::Ready => return Ok(()),
                Answer::NoDatabase => return self.create_database().await,
                Answer::NotYet {
                    starting_up,
                    reason,
                } => {
                    if starting_up {
                        since = Instant::now();
                    }
                    if reported.elapsed() > Duration::from_secs(2) {
                        (self.progress)(&format!("waiting for PostgreSQL: {reason}"));
                        reported = Instant::now();
                    }
                }
            }
            if since.elapsed() > limit {
                let log = self.layout.log.clone();
                return Err(EmbeddedError::StartTimeout {
                    log,
                    seconds: limit.as_secs(),
                });
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(POLL_MOST);
        }
    }

    async fn ask(&self, database: &str) -> Result<Answer, EmbeddedError> {
        let error = match self.config(SUPERUSER).dbname(database).connect(NoTls).await {
            Ok(_) => return Ok(Answer::Ready),
            Err(error) => error,
        };
        match error.code().map(|code| code.code()) {
            Some("3D000") => Ok(Answer::NoDatabase),
            Some("57P03") => Ok(Answer::NotYet {
                starting_up: true,
                reason: describe(&error),
            }),
            Some(_) => Err(DatabaseError::from(error).into()),
            None => Ok(Answer::NotYet {
                starting_up: false,
                reason: describe(&error),
            }),
        }
    }

    async fn create_database(&self) -> Result<(), EmbeddedError> {
        let create = format!("CREATE DATABASE {}", quote_identifier(&self.database));
        self.run_in("postgres", &create).await?;
        if self.binaries.has_library("pg_stat_statements") {
            let extension = "CREATE EXTENSION IF NOT EXISTS pg_stat_statements";
            if let Err(error) = self.run_in(&self.database, extension).await {
                tracing::info!(%error, "no statement statistics");
            }
        }
        Ok(())
    }

    /// Makes sure that the server's role exists and owns everything in the database. A replica gets
    /// both from its primary.
    pub(super) async fn prepare_role(&self) -> Result<(), EmbeddedError> {
        let connected = self.config(SUPERUSER).connect(NoTls).await;
        let (client, connection) = connected.map_err(DatabaseError::from)?;
        let driver = tokio::spawn(connection);
        let outcome = role::prepare(&client, &self.database, &self.progress).await;
        drop(client);
        // The result is here already; how the connection closes does not matter.
        let _ = driver.await;
        Ok(outcome.map_err(DatabaseError::from)?)
    }

    async fn run_in(&self, database: &str, sql: &str) -> Result<(), EmbeddedError> {
        let connected = self.config(SUPERUSER).dbname(database).connect(NoTls).await;
        let (client, connection) = connected.map_err(DatabaseError::from)?;
        let driver = tokio::spawn(connection);
        let answer = client.batch_execute(sql).await;
        drop(client);
        // The result is here already; how the connection closes does not matter.
        let _ = driver.await;
        Ok(answer.map_err(DatabaseError::from)?)
    }

    fn log_length(&self) -> u64 {
        self.layout
            .log
            .metadata()
            .map_or(0, |metadata| metadata.len())
    }

    fn start_failed(&self, log_start: u64) -> EmbeddedError {
        let tail = tail(&self.layout.log, log_start).unwrap_or_else(|error| error.to_string());
        EmbeddedError::StartFailed {
            log: self.layout.log.clone(),
            tail,
        }
    }
}

/// Stops a server that nobody waits for any more, because octavo was stopped during the start.
struct StopWhenDropped(Option<i32>);

impl StopWhenDropped {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        if let Some(pid) = self.0 {
            postmaster::send(pid, Signal::SIGINT);
        }
    }
}

fn tail(path: &Path, start: u64) -> std::io::Result<String> {
    let mut file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(start.max(length.saturating_sub(TAIL))))?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim().to_owned())
}
