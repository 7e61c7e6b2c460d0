//! Opens a probe's own connection. Errors name the remedy, never the user or the password.

use std::path::Path;
use std::time::Duration;

use octavo_client::Trust;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config};

use super::tls::Tls;
use crate::options::PostgresTarget;
use crate::process::find::{self, FindError};
use crate::process::stat;

/// The superuser of the database that the server runs itself, and the database's name.
const OWN: &str = "octavo";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Directories in which systems keep PostgreSQL's socket.
const SOCKET_PLACES: [&str; 3] = ["/var/run/postgresql", "/run/postgresql", "/tmp"];

/// The settings of every connection: no sample may wait long for a lock, or take long itself.
const SESSION: &str = "SET statement_timeout = '10s'; SET lock_timeout = '1s'; SET jit = off; \
                       SET search_path = pg_catalog; SET bytea_output = hex";

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(
        "{place} and this side do not agree on TLS: {reason}; trust its authority with \
         --certificate-authority, or leave sslmode=require out"
    )]
    Tls { place: String, reason: String },
    #[error(
        "{0} refused the password; check the URL, or set PGPASSWORD so that no argument holds it"
    )]
    Password(String),
    #[error(
        "{0} refused the user (peer authentication, or pg_hba.conf); run the workbench as the \
         operating system's user of that name, or give host, user and password of a role that may \
         log in over TCP"
    )]
    Role(String),
    #[error(
        "the socket of {0} may be entered only by its own user; run the workbench as root or as \
         that user"
    )]
    Socket(String),
    #[error("nobody listens at {0}; is PostgreSQL running there?")]
    Nobody(String),
    #[error("{place} did not take the connection: {reason}")]
    Other { place: String, reason: String },
}

/// The connection configuration of a target, completed as far as necessary.
pub(super) fn resolve(
    target: &PostgresTarget,
    server: Option<&str>,
) -> Result<Config, ConnectError> {
    let mut config = match target {
        PostgresTarget::OfServer => of_server(server)?,
        PostgresTarget::At(config) => (**config).clone(),
    };
    if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
        let port = config.get_ports().first().copied().unwrap_or(5432);
        let socket = format!(".s.PGSQL.{port}");
        let mut places = SOCKET_PLACES.iter();
        let found = places.find(|place| Path::new(place).join(&socket).exists());
        config.host_path(found.unwrap_or(&SOCKET_PLACES[0]));
    }
    if config.get_password().is_none()
        && let Some(password) = std::env::var_os("PGPASSWORD")
    {
        config.password(password.into_encoded_bytes());
    }
    config.application_name("octavo-probe");
    config.connect_timeout(CONNECT_TIMEOUT);
    Ok(config)
}

fn of_server(server: Option<&str>) -> Result<Config, FindError> {
    let port = find::local_port(server.ok_or(FindError::NoTarget)?)?;
    let listener = find::listener(port)?;
    let postmaster = find::postmaster_of_server(&stat::read_all(), listener.pid)?;
    let (directory, port) = find::socket_of(postmaster.pid)?;
    let mut config = Config::new();
    config.host_path(directory).port(port).user(OWN).dbname(OWN);
    Ok(config)
}

/// Connects and sets up the session. Where TLS is only preferred, a man in the middle could disable
/// it, so checking the certificate would prove nothing.
pub(super) async fn open(config: &Config, trust: &Trust) -> Result<Client, ConnectError> {
    let place = PostgresTarget::place(config);
    let tls = Tls::new(match config.get_ssl_mode() {
        SslMode::Require => trust,
        _ => &Trust::Anything,
    });
    let tls = tls.map_err(|reason| ConnectError::Tls {
        place: place.clone(),
        reason,
    })?;
    let limit = CONNECT_TIMEOUT * 2;
    let opened = tokio::time::timeout(limit, async {
        let (client, connection) = config.connect(tls).await?;
        // It ends with the client; its error does not matter.
        tokio::spawn(connection);
        client.batch_execute(SESSION).await?;
        Ok(client)
    });
    match opened.await {
        Ok(Ok(client)) => Ok(client),
        Ok(Err(error)) => Err(explain(place, &error)),
        Err(_) => Err(ConnectError::Other {
            place,
            reason: format!("no answer within {} s", limit.as_secs()),
        }),
    }
}

fn explain(place: String, error: &tokio_postgres::Error) -> ConnectError {
    if let Some(database) = error.as_db_error() {
        return match database.code().code() {
            "28P01" => ConnectError::Password(place),
            "28000" => ConnectError::Role(place),
            _ => ConnectError::Other {
                place,
                reason: database.message().to_owned(),
            },
        };
    }
    let source = std::error::Error::source(error);
    let kind = source.and_then(|source| source.downcast_ref::<std::io::Error>());
    match kind.map(std::io::Error::kind) {
        Some(std::io::ErrorKind::PermissionDenied) => ConnectError::Socket(place),
        Some(std::io::ErrorKind::NotFound | std::io::ErrorKind::ConnectionRefused) => {
            ConnectError::Nobody(place)
        }
        _ if error.to_string().contains("TLS") => ConnectError::Tls {
            place,
            reason: reason(error),
        },
        _ => ConnectError::Other {
            place,
            reason: reason(error),
        },
    }
}

/// An error's own message, without its context.
pub(super) fn reason(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(database) => database.message().to_owned(),
        None => match std::error::Error::source(error) {
            Some(source) => format!("{error} ({source})"),
            None => error.to_string(),
        },
    }
}

/// The postmasters of targets on this machine.
pub(crate) fn postmasters(targets: &[PostgresTarget]) -> Vec<i32> {
    let of_target = |target: &PostgresTarget| match target {
        PostgresTarget::OfServer => None,
        PostgresTarget::At(config) => {
            let config = resolve(&PostgresTarget::At(config.clone()), None).ok()?;
            let port = config.get_ports().first().copied().unwrap_or(5432);
            match config.get_hosts().first()? {
                Host::Unix(directory) => find::behind_socket(directory, port),
                Host::Tcp(name) if find::is_local(name) => Some(find::listener(port).ok()?.pid),
                Host::Tcp(_) => None,
            }
        }
    };
    targets.iter().filter_map(of_target).collect()
}

/// Whether a database is on this machine, so that its processes can be seen.
pub(crate) fn is_here(target: &PostgresTarget) -> bool {
    match target {
        PostgresTarget::OfServer => true,
        PostgresTarget::At(config) => config.get_hosts().first().is_none_or(|host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => find::is_local(name),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_filled_in() {
        let target: PostgresTarget = "user=folio port=5499".parse().unwrap();
        let config = resolve(&target, None).unwrap();
        assert_eq!(config.get_hosts().len(), 1);
        assert_eq!(config.get_application_name(), Some("octavo-probe"));
    }

    #[test]
    fn the_servers_own_database_needs_a_server() {
        let error = resolve(&PostgresTarget::OfServer, None).unwrap_err();
        assert!(matches!(error, ConnectError::Find(FindError::NoTarget)));
        let error = resolve(&PostgresTarget::OfServer, Some("http://192.0.2.1")).unwrap_err();
        assert!(matches!(error, ConnectError::Find(FindError::Elsewhere(_))));
    }
}
