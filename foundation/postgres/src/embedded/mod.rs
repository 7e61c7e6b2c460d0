//! A PostgreSQL of our own in a data directory: found, initialized, started, watched, stopped.
//!
//! Reached by a Unix socket in a directory that only its user can enter; nothing listens on the
//! network. Knows nothing of what is stored.

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

/// How long dropping waits for the server to end.
const DROP_PATIENCE: Duration = Duration::from_secs(5);

/// What a crash may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Nothing that was committed.
    #[default]
    Full,
    /// Everything. For tests: nothing waits for the disk.
    Relaxed,
}

/// How to run the embedded server. [`EmbeddedOptions::new`] gives the defaults.
#[derive(Clone)]
pub struct EmbeddedOptions {
    /// Where everything lies; made when missing.
    pub data_dir: PathBuf,
    /// PostgreSQL's `bin` directory; searched for by default.
    pub bin_dir: Option<PathBuf>,
    /// Full by default.
    pub durability: Durability,
    /// The user to run PostgreSQL when we are root; `postgres` or `nobody` by default. The owner
    /// of an existing cluster goes before it.
    pub user: Option<String>,
    /// The database, made when missing; `octavo` by default.
    pub database: String,
    /// The number in the socket's name; 5432 by default.
    pub port: u16,
    /// How long a start may take, recovery not counted; 60 s by default.
    pub start_timeout: Duration,
    /// Is told what takes time; goes to the log by default.
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
    /// The defaults, for a data directory.
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

/// A running server. Stops it when dropped, as well as that can be done without waiting long;
/// [`Embedded::stop`] does it properly.
pub struct Embedded {
    supervisor: Supervisor,
    launcher: Launcher,
    stopped: bool,
    // Last: the data directory is free only when the server is gone.
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
    /// Starts the server of a data directory, or takes over one that an earlier, killed octavo
    /// left running. Returns when the database answers.
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
        // When this fails, the value stops the server as it goes.
        embedded.launcher.prepare_role().await?;
        Ok(embedded)
    }

    /// Stops the server: open transactions are rolled back, everything else is written.
    pub async fn stop(mut self) {
        self.supervisor
            .shared
            .stopping
            .store(true, Ordering::Release);
        self.supervisor.carry_out(Order::Stop).await;
        self.stopped = true;
        sockets::tidy(&self.launcher.socket_directory, self.data_dir());
    }

    /// Lets go of the data directory and leaves the server running, for the next octavo to take
    /// over.
    pub async fn leave_running(mut self) {
        self.supervisor
            .shared
            .stopping
            .store(true, Ordering::Release);
        self.supervisor.carry_out(Order::LeaveRunning).await;
        self.stopped = true;
    }

    /// The way to the database, for [`crate::DatabaseOptions`], as the role that owns it and may
    /// do nothing beyond it.
    pub fn config(&self) -> Config {
        self.launcher.config(role::SERVER)
    }

    /// The way to the database as the superuser, for backups and tests.
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

    /// The directory with the database's files.
    pub fn storage(&self) -> &Path {
        &self.launcher.layout.cluster
    }

    /// Major version of the server.
    pub fn major_version(&self) -> u32 {
        self.launcher.binaries.major
    }

    /// The server's process, `None` while it is being started again.
    pub fn pid(&self) -> Option<i32> {
        Some(self.supervisor.shared.pid.load(Ordering::Acquire)).filter(|pid| *pid != 0)
    }

    /// The data directory, resolved.
    pub fn data_dir(&self) -> &Path {
        &self.launcher.layout.data_dir
    }

    /// The server's log.
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
        // The pid file goes last; the process itself may stay a zombie until the task sees it.
        let pid_file = postmaster::pid_file_path(&self.launcher.layout.cluster);
        let since = Instant::now();
        while pid_file.exists() && since.elapsed() < DROP_PATIENCE {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Text as it stands in a URL.
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
