//! The targets of probes, and their notation on a command line. Nothing here reads files or
//! connects.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use octavo_client::Trust;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// The default interval.
const INTERVAL: Duration = Duration::from_secs(1);

/// What to probe beside a load.
#[derive(Debug, Clone)]
pub struct ProbeOptions {
    /// The address of the server under load: what `server` means.
    pub target: Option<String>,
    /// Processes whose processor time and memory are sampled.
    pub processes: Vec<ProcessTarget>,
    /// PostgreSQL servers, replicas among them.
    pub postgres: Vec<PostgresTarget>,
    /// Whether `CREATE EXTENSION pg_stat_statements` may be run if it is missing. A probe never
    /// changes anything else.
    pub create_extension: bool,
    pub prometheus: Vec<PrometheusTarget>,
    pub logs: Vec<LogTarget>,
    /// The server to ask for version, modules and advice.
    pub server: Option<ServerTarget>,
    /// Which certificates are accepted from https endpoints and PostgreSQL.
    pub trust: Trust,
    /// The interval between samples.
    pub interval: Duration,
}

impl Default for ProbeOptions {
    fn default() -> Self {
        Self {
            target: None,
            processes: Vec::new(),
            postgres: Vec::new(),
            create_extension: false,
            prometheus: Vec::new(),
            logs: Vec::new(),
            server: None,
            trust: Trust::default(),
            interval: INTERVAL,
        }
    }
}

/// A process, or several that are counted as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessTarget {
    /// The process that listens on the target's port, without its children.
    Server,
    /// The postmaster with all its children.
    Postgres,
    /// One process, without its children.
    Pid(i32),
    /// The process that listens on a port, without its children.
    Port(u16),
    /// All processes of a command name.
    Name(String),
    /// The process of a command name that listens on a port.
    NameAtPort(String, u16),
    /// Everything in a control group, below the hierarchy's root.
    Cgroup(PathBuf),
}

/// A PostgreSQL server.
#[derive(Debug, Clone)]
pub enum PostgresTarget {
    /// The one that the server under load started itself.
    OfServer,
    /// One with an address.
    At(Box<Config>),
}

/// An endpoint in Prometheus' text format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrometheusTarget {
    pub url: String,
    /// Prefixes of the names of wanted metrics; empty for all.
    pub prefixes: Vec<String>,
}

/// The log of a FOLIO module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogTarget {
    pub path: PathBuf,
    /// Whether its present content counts too.
    pub whole: bool,
}

/// The server to ask for version, modules and advice.
#[derive(Clone)]
pub struct ServerTarget {
    pub url: String,
    pub tenant: String,
    pub token: String,
}

impl fmt::Debug for ServerTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ServerTarget")
            .field("url", &self.url)
            .field("tenant", &self.tenant)
            .finish_non_exhaustive()
    }
}

/// Why a text names no target. Messages never repeat what may be a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Not a process.
    #[error(
        "`{0}` names no process; write server, postgres, a process id such as 1234, port:9130, \
         name:java, java@8081 or cgroup:/system.slice/x.service, with commas between"
    )]
    Process(String),
    /// Not a database.
    #[error(
        "the address of PostgreSQL cannot be read; write --probe-postgres server for the one that \
         octavo runs itself, postgres://user@host:5432/database, or \"host=/run/postgresql \
         user=postgres dbname=folio\". In a URL, characters such as @ and / of a password are \
         written %40 and %2F"
    )]
    Postgres,
    /// Not an endpoint.
    #[error(
        "`{0}` is not a Prometheus endpoint; write http://host:port/metrics, with prefixes of metrics \
         behind commas: http://127.0.0.1:8081/metrics,jvm_,http_server_"
    )]
    Prometheus(String),
    /// User and password in an endpoint's address.
    #[error(
        "a Prometheus endpoint's address cannot hold a user, a password or a query; have it served \
         without them on this machine's own address, and name that"
    )]
    PrometheusSecret,
    /// Not a file.
    #[error(
        "--probe-log names no file; write the path of a module's log, or whole:PATH to count what \
         already stands in it too"
    )]
    Log,
}

impl ProbeOptions {
    /// Whether there is nothing to probe.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.processes.is_empty()
            && self.postgres.is_empty()
            && self.prometheus.is_empty()
            && self.logs.is_empty()
            && self.server.is_none()
    }
}

impl ProcessTarget {
    /// Several, separated by commas.
    ///
    /// # Errors
    /// When one of them is not a process.
    pub fn list(text: &str) -> Result<Vec<Self>, OptionError> {
        text.split(',').map(str::parse).collect()
    }
}

impl FromStr for ProcessTarget {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let wrong = || OptionError::Process(text.to_owned());
        let port = |text: &str| {
            let port = text.parse().ok().filter(|port: &u16| *port > 0);
            port.ok_or_else(wrong)
        };
        let text = text.trim();
        match text {
            "server" => return Ok(Self::Server),
            "postgres" => return Ok(Self::Postgres),
            _ => {}
        }
        if let Some((kind, rest)) = text.split_once(':') {
            return match (kind, rest) {
                ("port", rest) => port(rest).map(Self::Port),
                ("cgroup", rest) if is_group(rest) => Ok(Self::Cgroup(PathBuf::from(rest))),
                ("name", rest) if is_command(rest) => Ok(Self::Name(rest.to_owned())),
                _ => Err(wrong()),
            };
        }
        if let Some((name, rest)) = text.split_once('@') {
            return match is_command(name) {
                true => Ok(Self::NameAtPort(name.to_owned(), port(rest)?)),
                false => Err(wrong()),
            };
        }
        let pid = text.parse().ok().filter(|pid: &i32| *pid > 0);
        pid.map(Self::Pid).ok_or_else(wrong)
    }
}

/// Whether it is a path below the root of the hierarchy that does not leave it.
fn is_group(text: &str) -> bool {
    let mut parts = text.split('/');
    parts.next() == Some("") && parts.all(|part| part != "..")
}

fn is_command(text: &str) -> bool {
    !text.is_empty() && !text.contains(['/', '@', ':'])
}

impl fmt::Display for ProcessTarget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Server => formatter.write_str("server"),
            Self::Postgres => formatter.write_str("postgres"),
            Self::Pid(pid) => write!(formatter, "{pid}"),
            Self::Port(port) => write!(formatter, "port:{port}"),
            Self::Name(name) => write!(formatter, "name:{name}"),
            Self::NameAtPort(name, port) => write!(formatter, "{name}@{port}"),
            Self::Cgroup(path) => write!(formatter, "cgroup:{}", path.display()),
        }
    }
}

impl FromStr for PostgresTarget {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let text = text.trim();
        if text == "server" {
            return Ok(Self::OfServer);
        }
        if text.is_empty() {
            return Err(OptionError::Postgres);
        }
        let config = text.parse().map_err(|_| OptionError::Postgres)?;
        Ok(Self::At(Box::new(config)))
    }
}

impl PostgresTarget {
    /// The address for people: host, port and database, never user or password.
    pub(crate) fn place(config: &Config) -> String {
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let database = config.get_dbname().or(config.get_user()).unwrap_or("");
        let host = match config.get_hosts().first() {
            Some(Host::Tcp(name)) => format!("{name}:{port}"),
            Some(Host::Unix(directory)) => format!("{}:{port}", directory.display()),
            None => format!("this machine:{port}"),
        };
        format!("{host}/{database}")
    }
}

impl FromStr for PrometheusTarget {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let mut parts = text.trim().split(',').map(str::trim);
        let url = parts.next().unwrap_or_default();
        let rest = url
            .strip_prefix("http://")
            .or_else(|| url.strip_prefix("https://"));
        let Some(rest) = rest.filter(|rest| !rest.is_empty() && !rest.starts_with('/')) else {
            // An invalid address may still contain a password.
            let shown = if url.contains('@') { "…" } else { url };
            return Err(OptionError::Prometheus(shown.to_owned()));
        };
        if rest.contains(['@', '?']) {
            return Err(OptionError::PrometheusSecret);
        }
        let url = match rest.contains('/') {
            true => url.to_owned(),
            false => format!("{url}/metrics"),
        };
        let prefixes: Vec<String> = parts
            .filter(|prefix| !prefix.is_empty())
            .map(str::to_owned)
            .collect();
        let named = |prefix: &String| {
            let mut letters = prefix.chars();
            letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':'))
        };
        match prefixes.iter().find(|prefix| !named(prefix)) {
            Some(wrong) => Err(OptionError::Prometheus(wrong.clone())),
            None => Ok(Self { url, prefixes }),
        }
    }
}

impl FromStr for LogTarget {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (path, whole) = match text.strip_prefix("whole:") {
            Some(path) => (path, true),
            None => (text, false),
        };
        if path.trim().is_empty() {
            return Err(OptionError::Log);
        }
        let path = PathBuf::from(path);
        Ok(Self { path, whole })
    }
}

#[cfg(test)]
mod tests;
