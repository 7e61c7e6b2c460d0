//! A server for one test, with streaming replicas. A replica is made as for any installation of
//! PostgreSQL: the files are copied between `pg_backup_start` and `pg_backup_stop`.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

use super::{PREFIX, stop_when_we_end, sweep};
use crate::database::{Database, DatabaseOptions};
use crate::embedded::{Durability, Embedded, EmbeddedOptions};

/// Replicas need a sufficient WAL level, and commits that are acknowledged only when flushed; the
/// other tests' settings have neither.
const SETTINGS: &str = "\nwal_level = replica\nmax_wal_senders = 10\nsynchronous_commit = on\n\
    full_page_writes = on\nhot_standby = on\n";

/// A server that replicas can follow.
#[derive(Debug)]
pub struct Primary {
    server: Option<Embedded>,
    directory: Scratch,
    replicas: AtomicU32,
}

/// A replica of a [`Primary`].
#[derive(Debug)]
pub struct Replica {
    server: Option<Embedded>,
    directory: Scratch,
}

#[derive(Debug)]
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Primary {
    /// A server with an empty database `octavo`.
    pub async fn start() -> Primary {
        Primary::start_with("").await
    }

    /// The same with further settings, as in `postgresql.conf`.
    pub async fn start_with(settings: &str) -> Primary {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let base = super::base_directory();
        sweep(&base);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = base.join(format!("{PREFIX}{}-primary-{number}", std::process::id()));
        stop_when_we_end(&directory);
        let directory = Scratch(directory);
        start(&directory.0).await.stop().await;
        append(
            &directory.0.join("cluster/postgresql.conf"),
            &format!("{SETTINGS}{settings}\n"),
        );
        let server = start(&directory.0).await;
        Primary {
            server: Some(server),
            directory,
            replicas: AtomicU32::new(0),
        }
    }

    /// The connection to its database.
    #[must_use]
    pub fn config(&self) -> Config {
        self.server.as_ref().expect("a running server").config()
    }

    /// Creates a replica and waits until it can be read from.
    pub async fn replica(&self) -> Replica {
        let number = self.replicas.fetch_add(1, Ordering::Relaxed);
        let name = self.directory.0.file_name().expect("a name");
        let name = format!("{}-replica-{number}", name.to_string_lossy());
        let directory = Scratch(self.directory.0.with_file_name(name));
        stop_when_we_end(&directory.0);
        let cluster = directory.0.join("cluster");
        fs::DirBuilder::new()
            .mode(0o755)
            .create(&directory.0)
            .expect("a directory");
        fs::set_permissions(&directory.0, fs::Permissions::from_mode(0o755)).expect("its mode");
        let superuser = self
            .server
            .as_ref()
            .expect("a running server")
            .superuser_config();
        back_up(&superuser, &self.directory.0.join("cluster"), &cluster).await;
        append(
            &cluster.join("postgresql.conf"),
            &format!("primary_conninfo = '{}'\n", conninfo(&superuser)),
        );
        write(&cluster, "standby.signal", "");
        Replica {
            server: Some(start(&directory.0).await),
            directory,
        }
    }

    pub async fn stop(mut self) {
        self.server.take().expect("a running server").stop().await;
    }
}

impl Replica {
    /// The connection to it.
    ///
    /// # Panics
    /// While it is stopped.
    #[must_use]
    pub fn config(&self) -> Config {
        self.server.as_ref().expect("a running replica").config()
    }

    /// Pauses replay, while the log is still received.
    pub async fn pause(&self) {
        self.run("SELECT pg_wal_replay_pause()").await;
        let database = self.database().await;
        loop {
            let sql = "SELECT pg_get_wal_replay_pause_state()";
            let rows = database.query(sql, &[]).await.expect("an answer");
            if rows[0].get::<_, &str>("pg_get_wal_replay_pause_state") == "paused" {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    /// Resumes replay.
    pub async fn resume(&self) {
        self.run("SELECT pg_wal_replay_resume()").await;
    }

    /// Promotes it to a primary.
    pub async fn promote(&self) {
        self.run("SELECT pg_promote(true)").await;
    }

    /// Kills it. Its supervisor restarts it after a moment.
    ///
    /// # Panics
    /// While it does not run.
    pub fn kill(&self) {
        let server = self.server.as_ref().expect("a running replica");
        let pid = server.pid().expect("a running process");
        kill(Pid::from_raw(pid), Signal::SIGKILL).expect("a signal to a process of ours");
    }

    /// Stops it.
    ///
    /// # Panics
    /// While it is stopped.
    pub async fn stop(&mut self) {
        self.server.take().expect("a running replica").stop().await;
    }

    /// Starts it again.
    pub async fn start(&mut self) {
        self.server = Some(start(&self.directory.0).await);
    }

    /// Runs one statement on it.
    pub async fn run(&self, sql: &str) {
        let database = self.database().await;
        let _ = database.query(sql, &[]).await.expect("an answer");
    }

    /// As superuser, who alone may pause replay.
    async fn database(&self) -> Database {
        let server = self.server.as_ref().expect("a running replica");
        let options = DatabaseOptions {
            lanes: 1,
            ..DatabaseOptions::new(server.superuser_config())
        };
        Database::connect(options).await.expect("a connection")
    }
}

async fn start(directory: &Path) -> Embedded {
    let options = EmbeddedOptions {
        durability: Durability::Relaxed,
        ..EmbeddedOptions::new(directory)
    };
    let started = Embedded::start(options).await;
    started.unwrap_or_else(|error| panic!("{error}"))
}

/// A copy of a running server's files, which recovery completes.
async fn back_up(config: &Config, from: &Path, to: &Path) {
    let database = Database::connect(DatabaseOptions::new(config.clone()))
        .await
        .expect("a connection");
    // Both calls have to be made on one connection.
    let connection = database.connection().await.expect("a connection");
    let begin = "SELECT pg_backup_start('replica', true)::text";
    let _ = connection.query(begin, &[]).await.expect("a backup begins");
    let status = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(status.expect("cp runs").success());
    let end = "SELECT labelfile FROM pg_backup_stop(false)";
    let row = connection.query_opt(end, &[]).await.expect("it ends");
    let label: String = row.expect("a label").get("labelfile");
    for stray in ["postmaster.pid", "postmaster.opts", "octavo.conf"] {
        let _ = fs::remove_file(to.join(stray));
    }
    write(to, "backup_label", &label);
}

/// Writes a file of a cluster, owned by the user who runs it.
fn write(cluster: &Path, name: &str, text: &str) {
    let path = cluster.join(name);
    fs::write(&path, text).expect("a file");
    let owner = cluster.metadata().expect("a directory");
    chown(&path, Some(owner.uid()), Some(owner.gid())).expect("its owner");
}

fn conninfo(config: &Config) -> String {
    let Some(Host::Unix(directory)) = config.get_hosts().first() else {
        panic!("our servers are reached by a socket")
    };
    format!(
        "host={} port={} user={}",
        directory.display(),
        config.get_ports().first().copied().unwrap_or(5432),
        config.get_user().unwrap_or("octavo"),
    )
}

fn append(path: &Path, text: &str) {
    let mut whole = fs::read_to_string(path).expect("a file");
    whole.push_str(text);
    fs::write(path, whole).expect("a file");
}
