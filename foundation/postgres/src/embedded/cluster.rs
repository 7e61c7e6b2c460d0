//! The files of a data directory, and `initdb`. The cluster gets its name only when it is complete:
//! an interrupted `initdb` leaves a directory of another name, which is deleted.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::Durability;
use super::binaries::Binaries;
use super::error::{EmbeddedError, io_error};
use super::owner::Owner;

/// The superuser of an embedded cluster: creates the database and makes backups.
pub(super) const SUPERUSER: &str = "octavo";

/// The paths in a data directory.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub data_dir: PathBuf,
    /// PostgreSQL's own directory.
    pub cluster: PathBuf,
    pub log: PathBuf,
}

impl Layout {
    /// Creates the data directory if it does not exist.
    pub(super) fn prepare(data_dir: &Path) -> Result<Self, EmbeddedError> {
        // When started by root, PostgreSQL runs as another user, who must get through to the
        // cluster inside.
        let mode = if nix::unistd::geteuid().is_root() {
            0o755
        } else {
            0o700
        };
        if !data_dir.exists() {
            fs::DirBuilder::new()
                .recursive(true)
                .mode(mode)
                .create(data_dir)
                .map_err(io_error("create", data_dir))?;
            // The umask restricts the mode given at creation.
            fs::set_permissions(data_dir, fs::Permissions::from_mode(mode))
                .map_err(io_error("set the mode of", data_dir))?;
        }
        let data_dir = data_dir
            .canonicalize()
            .map_err(io_error("resolve", data_dir))?;
        Ok(Self {
            cluster: data_dir.join("cluster"),
            log: data_dir.join("postgresql.log"),
            data_dir,
        })
    }

    /// Major version of the cluster, `None` when there is none yet.
    pub(super) fn version(&self) -> Result<Option<u32>, EmbeddedError> {
        let path = self.cluster.join("PG_VERSION");
        match fs::read_to_string(&path) {
            Ok(text) => text.trim().parse().map(Some).map_err(|_| {
                let text = format!("it holds {text:?}, not a version");
                io_error("understand", &path)(std::io::Error::other(text))
            }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(io_error("read", &path)(error)),
        }
    }

    /// Creates the cluster.
    pub(super) async fn initialize(
        &self,
        binaries: &Binaries,
        owner: &Owner,
        durability: Durability,
    ) -> Result<(), EmbeddedError> {
        let fresh = self.data_dir.join("cluster.initializing");
        let run = async |locale: &str| {
            empty_directory(&fresh, owner)?;
            let mut command = owner.command(&binaries.program("initdb"), &fresh);
            command
                .kill_on_drop(true)
                .arg("-D")
                .arg(&fresh)
                .args(arguments(binaries.major, locale));
            if durability == Durability::Relaxed {
                command.arg("--no-sync");
            }
            command
                .output()
                .await
                .map_err(io_error("run", &binaries.program("initdb")))
        };
        let mut output = run("C.UTF-8").await?;
        if !output.status.success() {
            // An old or a very small system may not have the locale. C folds only ASCII letters, so
            // where PostgreSQL has its own C.UTF-8 (17 and later) that one stays.
            tracing::warn!("initdb refused locale C.UTF-8; trying C");
            output = run("C").await?;
        }
        if !output.status.success() {
            let output = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(EmbeddedError::Initdb { output });
        }
        include_our_settings(&fresh)?;
        fs::rename(&fresh, &self.cluster).map_err(io_error("rename", &fresh))
    }
}

fn arguments(major: u32, locale: &str) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "-U",
        SUPERUSER,
        "-E",
        "UTF8",
        "-A",
        "trust",
        "--no-instructions",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(format!("--locale={locale}"));
    if major >= 17 {
        arguments.push("--locale-provider=builtin".to_owned());
        arguments.push("--builtin-locale=C.UTF-8".to_owned());
    }
    arguments
}

fn empty_directory(path: &Path, owner: &Owner) -> Result<(), EmbeddedError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(io_error("remove", path)(error));
        }
        _ => {}
    }
    fs::DirBuilder::new()
        .mode(0o700)
        .create(path)
        .map_err(io_error("create", path))?;
    owner.own(path)
}

fn include_our_settings(cluster: &Path) -> Result<(), EmbeddedError> {
    use std::io::Write as _;
    let path = cluster.join("postgresql.conf");
    fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut file| {
            file.write_all(
                b"\n# Written by octavo at every start. Settings below this line win over it, \
                  and those of ALTER SYSTEM over both.\ninclude_if_exists = 'octavo.conf'\n",
            )
        })
        .map_err(io_error("write", &path))
}

/// Writes a file of the cluster atomically.
pub(super) fn write_whole(path: &Path, text: &str, owner: &Owner) -> Result<(), EmbeddedError> {
    let fresh = path.with_extension("tmp");
    fs::write(&fresh, text).map_err(io_error("write", &fresh))?;
    fs::set_permissions(&fresh, fs::Permissions::from_mode(0o600))
        .map_err(io_error("set the mode of", &fresh))?;
    owner.own(&fresh)?;
    fs::rename(&fresh, path).map_err(io_error("rename", &fresh))
}
