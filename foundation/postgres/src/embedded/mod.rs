//! The embedded PostgreSQL in a data directory: found, initialized, started, watched, stopped.
//!
//! It listens on a Unix socket in a directory that only its user can enter, and not on the network.
//! Knows nothing of what is stored.

mod binaries;
mod cluster;
mod error;
mod launcher;
mod lock;
mod log_rotation;
mod owner;
mod postmaster;
mod role;
mod settings;
mod sockets;
mod supervisor;

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use tokio_postgres::Config;

pub use error::EmbeddedError;
pub use launcher::Progress;

use cluster::{Layout, SUPERUSER};
use launcher::Launcher;
use lock::DataDirLock;
use owner::Owner;
use supervisor::{Order, Supervisor};

/// How long a drop waits for the server to end.
const DROP_PATIENCE: Duration = Duration::from_secs(5);

/// What a crash may lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Nothing that was committed.
    #[default]
    Full,
    /// Anything. For tests: nothing waits for the disk.
    Relaxed,
}

/// Options of the embedded server. [`EmbeddedOptions::new`] sets the defaults.
#[derive(Clone)]
pub struct EmbeddedOptions {
    /// The directory of all files; created if it does not exist.
    pub data_dir: PathBuf,
    /// PostgreSQL's `bin` directory; searched for by default.
    pub bin_dir: Option<PathBuf>,
    pub durability: Durability,
    /// The user who runs PostgreSQL when octavo is root; `postgres` or `nobody` by default. The
    /// owner of an existing cluster takes precedence.
    pub user: Option<String>,
    /// The database, created if it does not exist; `octavo` by default.
    pub database: String,
    /// The port in the socket's name; 5432 by default.
    pub port: u16,
    /// The time-out of a start, without recovery; 60 s by default.
    pub start_timeout: Duration,
    /// Reports what takes time; by default to the log.
    pub progress: Progress,
}

impl fmt::Debug for EmbeddedOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EmbeddedOptions")
            .field("data_dir", &self.data_dir)
            .field("bin_dir", &self.bin_dir)
            .field("durability", &self.durability)
            .finish_non_exhaustive()
    }
}

impl EmbeddedOptions {
    /// The default options for a data directory.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            data_dir: data_dir.into(),
            bin_dir: None,
            durability: Durability::Full,
            user: None,
            database: "octavo".to_owned(),
            port: 5432,
            start_timeout: Duration::from_secs(60),
            progress: Arc::new(|what| tracing::info!("{what}")),
        }
    }
}

/// A running server. A drop stops it without waiting long; [`Embedded::stop`] stops it properly.
pub struct Embedded {
    supervisor: Supervisor,
    launcher: Launcher,
    stopped: bool,
    // The last field, so that the data directory is unlocked only after the server has ended.
    _lock: DataDirLock,
}

impl fmt::Debug for Embedded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Embedded")
            .field("data_dir", &self.launcher.layout.data_dir)
            .field("pid", &self.pid())
            .finish_non_exhaustive()
    }
}

impl Embedded {
    /// Starts the server of a data directory, or adopts one that a killed octavo left running.
    /// Returns when the database answers.
    pub async fn start(options: EmbeddedOptions) -> Result<Self, EmbeddedError> {
        let layout = Layout::prepare(&options.data_dir)?;
        let lock = DataDirLock::acquire(&layout.data_dir)?;
        let owner = Owner::choose(options.user.as_deref(), &layout.cluster)?;
        owner.check_reachable(&layout.data_dir)?;
        let version = layout.version()?;
        let binaries = binaries::find(options.bin_dir.as_deref(), &layout.data_dir, version)?;
        owner.check_reachable(&binaries.program("postgres"))?;
        if version.is_none() {
            let major = binaries.major;
            (options.progress)(&format!("making a PostgreSQL {major} database cluster"));
            layout
                .initialize(&binaries, &owner, options.durability)
                .await?;
        } else {
            owner.own_tree(&layout.cluster)?;
        }
        let socket_directory = sockets::prepare(&layout.data_dir, &owner)?;
        let launcher = Launcher {
            layout,
            binaries,
            owner,
            durability: options.durability,
            socket_directory,
            port: options.port,
            database: options.database,
            start_timeout: options.start_timeout,
            progress: options.progress,
        };
        let postmaster = launcher.launch().await?;
        let embedded = Self {
            supervisor: Supervisor::start(postmaster, launcher.clone()),
            launcher,
            stopped: false,
            _lock: lock,
        };
        // On failure the drop of `embedded` stops the server.
        embedded.launcher.prepare_role().await?;
        Ok(embedded)
    }

    /// Stops the server: open transactions are rolled back, everything else is written to disk.
    pub async fn stop(mut self) {
        self.supervisor
            .shared
            .stopping
            .store(true, Ordering::Release);
        self.supervisor.carry_out(Order::Stop).await;
        self.stopped = true;
        sockets::tidy(&self.launcher.socket_directory, self.data_dir());
    }

    /// Releases the data directory and leaves the server running, for the next octavo to adopt.
    pub async fn leave_running(mut self) {
        self.supervisor
            .shared
            .stopping
            .store(true, Ordering::Release);
        self.supervisor.carry_out(Order::LeaveRunning).await;
        self.stopped = true;
    }

    /// The connection configuration for [`crate::DatabaseOptions`], with the role that owns the
    /// database and has no other rights.
    pub fn config(&self) -> Config {
        self.launcher.config(role::SERVER)
    }

    /// The connection configuration of the superuser, for backups and tests.
    pub fn superuser_config(&self) -> Config {
        self.launcher.config(SUPERUSER)
    }

    /// [`Self::config`] as a connection string, for psql and pgbench. Holds no password.
    pub fn url(&self) -> String {
        self.url_of(role::SERVER)
    }

    /// [`Self::superuser_config`] as a connection string, for pg_basebackup and pg_restore. Holds no
    /// password.
    pub fn superuser_url(&self) -> String {
        self.url_of(SUPERUSER)
    }

    fn url_of(&self, user: &str) -> String {
        format!(
            "postgresql:///{}?host={}&port={}&user={user}",
            percent_encoded(&self.launcher.database),
            percent_encoded(&self.launcher.socket_directory.to_string_lossy()),
            self.launcher.port,
        )
    }

    /// The directory of the database's files.
    pub fn storage(&self) -> &Path {
        &self.launcher.layout.cluster
    }

    pub fn major_version(&self) -> u32 {
        self.launcher.binaries.major
    }

    /// The server's process id; `None` while it is being restarted.
    pub fn pid(&self) -> Option<i32> {
        Some(self.supervisor.shared.pid.load(Ordering::Acquire)).filter(|pid| *pid != 0)
    }

    /// The data directory, with symbolic links resolved.
    pub fn data_dir(&self) -> &Path {
        &self.launcher.layout.data_dir
    }

    pub fn log_file(&self) -> &Path {
        &self.launcher.layout.log
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        if self.stopped {
            return;
        }
        self.supervisor
            .shared
            .stopping
            .store(true, Ordering::Release);
        let Some(pid) = self.pid() else { return };
        postmaster::send(pid, Signal::SIGINT);
        // The pid file is removed last; the process itself may stay a zombie until the supervisor
        // reaps it.
        let pid_file = postmaster::pid_file_path(&self.launcher.layout.cluster);
        let since = Instant::now();
        while pid_file.exists() && since.elapsed() < DROP_PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Percent-encodes text for a URL.
fn percent_encoded(text: &str) -> String {
    text.bytes()
        .fold(String::with_capacity(text.len()), |mut encoded, byte| {
            match byte {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    encoded.push(char::from(byte));
                }
                _ => {
                    // Writing to a String cannot fail.
                    let _ = write!(encoded, "%{byte:02X}");
                }
            }
            encoded
        })
}
