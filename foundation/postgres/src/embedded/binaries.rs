//! Finds PostgreSQL's programs: the operator's directory, `PATH`, the distributions' directories, a
//! bundle unpacked by `scripts/setup.sh`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::error::EmbeddedError;

/// The major versions that this program's SQL supports.
pub(super) const SUPPORTED: std::ops::RangeInclusive<u32> = 15..=18;

/// A directory with `postgres` and `initdb` of one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Binaries {
    pub directory: PathBuf,
    pub major: u32,
}

impl Binaries {
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    /// Whether this server has a loadable library.
    pub(super) fn has_library(&self, name: &str) -> bool {
        let file = format!("{name}.so");
        let prefix = self.directory.parent().unwrap_or(&self.directory);
        ["lib", "lib/postgresql", "lib64/pgsql", "lib/pgsql"]
            .iter()
            .any(|place| prefix.join(place).join(&file).is_file())
    }
}

/// Finds the programs; with `major`, only of that version.
pub(super) fn find(
    explicit: Option<&Path>,
    data_dir: &Path,
    major: Option<u32>,
) -> Result<Binaries, EmbeddedError> {
    let named = explicit
        .map(Path::to_owned)
        .or_else(|| env_path("OCTAVO_PG_BIN"));
    if let Some(directory) = named {
        let found = inspect(&directory).map_err(|reason| EmbeddedError::UnsuitableBinaries {
            directory: directory.clone(),
            reason,
        })?;
        return choose(vec![found], data_dir, major);
    }
    let found = candidates(data_dir)
        .iter()
        .filter_map(|place| inspect(place).ok())
        .collect();
    choose(found, data_dir, major)
}

fn choose(
    found: Vec<Binaries>,
    data_dir: &Path,
    major: Option<u32>,
) -> Result<Binaries, EmbeddedError> {
    let versions: Vec<String> = found
        .iter()
        .map(|binaries| binaries.major.to_string())
        .collect();
    let mut fitting = found
        .into_iter()
        .filter(|binaries| major.is_none_or(|major| binaries.major == major));
    match (fitting.next(), major) {
        (Some(binaries), _) => Ok(binaries),
        (None, Some(cluster)) if !versions.is_empty() => Err(EmbeddedError::WrongVersion {
            data_dir: data_dir.to_owned(),
            cluster,
            found: versions.join(" and "),
        }),
        (None, _) => Err(EmbeddedError::NoBinaries {
            wanted: major.map_or_else(
                || format!("{} to {}", SUPPORTED.start(), SUPPORTED.end()),
                |major| major.to_string(),
            ),
            searched: format!(
                "PATH, /usr/lib/postgresql, {} and {}",
                data_dir.join("postgresql").display(),
                cache_dir().join("postgresql").display()
            ),
        }),
    }
}

/// Examines a directory, or says why it cannot be used. Symbolic links are resolved first: one on
/// `PATH` leads to where the server's other files are.
fn inspect(directory: &Path) -> Result<Binaries, String> {
    let postgres = directory
        .join("postgres")
        .canonicalize()
        .map_err(|error| format!("no program `postgres` in it ({error})"))?;
    let directory = postgres.parent().unwrap_or(directory).to_owned();
    if !directory.join("initdb").is_file() {
        return Err(format!("no program `initdb` beside {}", postgres.display()));
    }
    let output = Command::new(&postgres)
        .arg("--version")
        .output()
        .map_err(|error| format!("{} does not run ({error})", postgres.display()))?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let major = parse_major(&answer)
        .ok_or_else(|| format!("`postgres --version` says {:?}", answer.trim()))?;
    if !SUPPORTED.contains(&major) {
        return Err(format!(
            "it is PostgreSQL {major}; {} to {} are supported",
            SUPPORTED.start(),
            SUPPORTED.end()
        ));
    }
    Ok(Binaries { directory, major })
}

/// The major version in "postgres (PostgreSQL) 15.18 (Debian ...)".
fn parse_major(answer: &str) -> Option<u32> {
    let number = answer.strip_prefix("postgres (PostgreSQL) ")?;
    let digits = number
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(number.len());
    number[..digits].parse().ok()
}

/// All directories to examine, best first.
fn candidates(data_dir: &Path) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path)
        .filter(|place| place.join("postgres").exists())
        .collect();
    places.extend(versions_in(Path::new("/usr/lib/postgresql")));
    for major in SUPPORTED.rev() {
        places.push(PathBuf::from(format!("/usr/pgsql-{major}/bin")));
    }
    places.extend(versions_in(&data_dir.join("postgresql")));
    places.extend(versions_in(&cache_dir().join("postgresql")));
    places
}

/// `<root>/<version>/bin`, highest version first.
fn versions_in(root: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(root) else {
        return Vec::new();
    };
    let mut versions: Vec<(Vec<u32>, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let version = name
                .split('.')
                .map(|part| part.parse().ok())
                .collect::<Option<_>>()?;
            Some((version, entry.path().join("bin")))
        })
        .collect();
    versions.sort_by(|a, b| b.0.cmp(&a.0));
    versions.into_iter().map(|(_, path)| path).collect()
}

/// Where `scripts/setup.sh` unpacks a bundle: `/var/cache/octavo` for root, since then another user
/// runs PostgreSQL, who may not enter root's home; otherwise the user's cache.
fn cache_dir() -> PathBuf {
    if nix::unistd::geteuid().is_root() {
        return PathBuf::from("/var/cache/octavo");
    }
    env_path("XDG_CACHE_HOME")
        .or_else(|| env_path("HOME").map(|home| home.join(".cache")))
        .unwrap_or_else(|| PathBuf::from("/var/cache"))
        .join("octavo")
}

fn env_path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_version_is_read_from_the_answer() {
        assert_eq!(
            parse_major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"),
            Some(15)
        );
        assert_eq!(parse_major("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(parse_major("psql (PostgreSQL) 15.18"), None);
        assert_eq!(parse_major(""), None);
    }

    fn binaries(major: u32) -> Binaries {
        Binaries {
            directory: PathBuf::from(format!("/pg/{major}")),
            major,
        }
    }

    #[test]
    fn data_pick_their_own_version() {
        let found = vec![binaries(18), binaries(15)];
        let data = Path::new("/data");
        assert_eq!(choose(found.clone(), data, None).unwrap().major, 18);
        assert_eq!(choose(found.clone(), data, Some(15)).unwrap().major, 15);
        let message = choose(found, data, Some(16)).unwrap_err().to_string();
        assert!(message.contains("made by PostgreSQL 16"), "{message}");
        assert!(message.contains("18 and 15"), "{message}");
    }

    #[test]
    fn a_machine_without_postgresql_is_shown_how_to_get_one() {
        for (major, wanted) in [
            (None, "no PostgreSQL 15 to 18"),
            (Some(16), "no PostgreSQL 16"),
        ] {
            let message = choose(Vec::new(), Path::new("/data"), major)
                .unwrap_err()
                .to_string();
            for part in [
                wanted,
                "apt-get install postgresql",
                "OCTAVO_PG_BIN",
                "/data/postgresql",
            ] {
                assert!(message.contains(part), "{part} in {message}");
            }
        }
    }
}
