//! Who runs PostgreSQL: octavo's own user, or an unprivileged user when octavo runs as root, since
//! PostgreSQL refuses to run as root.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Stdio;

use nix::unistd::{Gid, Uid, User, chown, geteuid};
use tokio::process::Command;

use super::error::{EmbeddedError, io_error};

/// The user PostgreSQL runs as.
#[derive(Clone, Debug)]
pub(super) struct Owner {
    uid: Uid,
    gid: Gid,
    name: String,
    /// Whether octavo is root and switches to this user.
    switched: bool,
}

impl Owner {
    /// Chooses the user for a cluster: its owner if it exists, otherwise `explicit`, `postgres` or
    /// `nobody`.
    pub(super) fn choose(explicit: Option<&str>, cluster: &Path) -> Result<Self, EmbeddedError> {
        let cluster_owner = cluster.metadata().ok().map(|metadata| metadata.uid());
        let us = geteuid();
        if !us.is_root() {
            return match cluster_owner {
                Some(owner) if owner != us.as_raw() => Err(EmbeddedError::NotOwner {
                    path: cluster.to_owned(),
                    owner,
                }),
                _ => Ok(Self {
                    uid: us,
                    gid: nix::unistd::getegid(),
                    name: us.to_string(),
                    switched: false,
                }),
            };
        }
        let found = match (cluster_owner, explicit) {
            (Some(uid), _) if uid != 0 => User::from_uid(Uid::from_raw(uid)).ok().flatten(),
            (_, Some(name)) => by_name(name),
            _ => by_name("postgres").or_else(|| by_name("nobody")),
        };
        match found {
            Some(user) if !user.uid.is_root() => Ok(Self {
                uid: user.uid,
                gid: user.gid,
                name: user.name,
                switched: true,
            }),
            _ => Err(EmbeddedError::NoUnprivilegedUser {
                user: explicit.unwrap_or("nobody").to_owned(),
            }),
        }
    }

    pub(super) fn uid(&self) -> u32 {
        self.uid.as_raw()
    }

    /// Checks that this user may enter every directory above `path`, and `path` itself if it is
    /// one.
    pub(super) fn check_reachable(&self, path: &Path) -> Result<(), EmbeddedError> {
        if !self.switched {
            return Ok(());
        }
        for directory in path.ancestors() {
            let metadata = directory
                .metadata()
                .map_err(io_error("examine", directory))?;
            if metadata.is_dir() && !self.may_enter(&metadata) {
                return Err(EmbeddedError::NotTraversable {
                    directory: directory.to_owned(),
                    path: path.to_owned(),
                    user: self.name.clone(),
                });
            }
        }
        Ok(())
    }

    /// The execute bit of the class that this user is in; supplementary groups are dropped.
    fn may_enter(&self, metadata: &std::fs::Metadata) -> bool {
        let bit = if metadata.uid() == self.uid.as_raw() {
            0o100
        } else if metadata.gid() == self.gid.as_raw() {
            0o010
        } else {
            0o001
        };
        metadata.mode() & bit != 0
    }

    /// Changes the owner of a file or directory to this user.
    pub(super) fn own(&self, path: &Path) -> Result<(), EmbeddedError> {
        if !self.switched {
            return Ok(());
        }
        chown(path, Some(self.uid), Some(self.gid))
            .map_err(|errno| io_error("change the owner of", path)(errno.into()))
    }

    /// Changes the owner of a tree that root owns, as after a copy made by root.
    pub(super) fn own_tree(&self, root: &Path) -> Result<(), EmbeddedError> {
        let metadata = root.symlink_metadata().map_err(io_error("examine", root))?;
        if !self.switched || metadata.uid() != 0 || metadata.is_symlink() {
            return Ok(());
        }
        if metadata.is_dir() {
            for entry in root.read_dir().map_err(io_error("read", root))? {
                self.own_tree(&entry.map_err(io_error("read", root))?.path())?;
            }
        }
        self.own(root)
    }

    /// A command run as this user and detached from the terminal: Ctrl-C must reach only octavo,
    /// which then stops PostgreSQL in order.
    pub(super) fn command(&self, program: &Path, directory: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(directory)
            .stdin(Stdio::null())
            .process_group(0);
        for (name, _) in std::env::vars_os() {
            // Variables for clients that PostgreSQL's programs would also obey.
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        if self.switched {
            command.uid(self.uid.as_raw()).gid(self.gid.as_raw());
        }
        command
    }
}

fn by_name(name: &str) -> Option<User> {
    User::from_name(name).ok().flatten()
}
