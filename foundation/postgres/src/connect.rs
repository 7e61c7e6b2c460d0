//! Opens one connection. Errors say where and why, never the password.

use std::time::Duration;

use tokio_postgres::config::Host;
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{Client, Config, Connection, NoTls, Socket};

use crate::backoff::Backoff;
use crate::error::{DatabaseError, describe};
use crate::timeout;

/// The two halves that the driver returns: the client, and the task that must be polled for it.
pub(crate) type Opened = (Client, Connection<Socket, NoTlsStream>);

/// After this long without traffic the peer is probed, so that a vanished host is noticed.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(30);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_RETRIES: u32 = 3;

/// Completes a configuration with defaults.
pub(crate) fn with_defaults(mut config: Config) -> Config {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(timeout::CONNECT);
    }
    if config.get_application_name().is_none() {
        config.application_name("octavo");
    }
    config.keepalives_idle(KEEPALIVE_IDLE);
    if config.get_keepalives_interval().is_none() {
        config.keepalives_interval(KEEPALIVE_INTERVAL);
    }
    if config.get_keepalives_retries().is_none() {
        config.keepalives_retries(KEEPALIVE_RETRIES);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(timeout::UNACKNOWLEDGED);
    }
    config
}

/// Opens a connection.
pub(crate) async fn open(config: &Config) -> Result<Opened, DatabaseError> {
    config.connect(NoTls).await.map_err(|error| {
        DatabaseError::unreachable(format!("{}: {}", place(config), describe(&error)))
    })
}

/// Whether a retry cannot help: wrong password, no such role or database.
pub(crate) fn is_final(error: &tokio_postgres::Error) -> bool {
    error
        .code()
        .is_some_and(|code| code.code().starts_with("28") || code.code() == "3D000")
}

/// Retries until a connection opens or `wait` has passed; wrong credentials end it at once.
pub(crate) async fn wait_until_reachable(
    config: &Config,
    wait: Duration,
) -> Result<(), DatabaseError> {
    let started = tokio::time::Instant::now();
    let mut backoff = Backoff::of_connections();
    let mut announced = false;
    loop {
        let error = match config.connect(NoTls).await {
            Ok(_) => return Ok(()),
            Err(error) => error,
        };
        let reason = format!("{}: {}", place(config), describe(&error));
        if is_final(&error) {
            return Err(DatabaseError::unreachable(reason));
        }
        if started.elapsed() + backoff.peek() >= wait {
            let seconds = started.elapsed().as_secs_f32();
            let reason = format!("{reason} (tried for {seconds:.1} s)");
            return Err(DatabaseError::unreachable(reason));
        }
        if !announced && started.elapsed() > Duration::from_secs(1) {
            tracing::warn!(%reason, "waiting for the database");
            announced = true;
        }
        tokio::time::sleep(backoff.pause()).await;
    }
}

/// "database octavo at db.example:5432", for messages.
pub(crate) fn place(config: &Config) -> String {
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .enumerate()
        .map(|(index, host)| {
            // As in libpq, there is one port for all hosts or one for each.
            let ports = config.get_ports();
            let port = ports.get(index).or(ports.first()).copied().unwrap_or(5432);
            match host {
                Host::Tcp(name) => format!("{name}:{port}"),
                Host::Unix(directory) => format!("{}/.s.PGSQL.{port}", directory.display()),
            }
        })
        .collect();
    let database = config
        .get_dbname()
        .or(config.get_user())
        .unwrap_or("(default)");
    if hosts.is_empty() {
        format!("database {database} at no host")
    } else {
        format!("database {database} at {}", hosts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_names_the_host_and_never_the_password() {
        let check = |url: &str, expected: &str| {
            let place = place(&url.parse().unwrap());
            assert_eq!(place, expected);
            assert!(!place.contains("secret"));
        };
        check(
            "postgresql://app:secret@db.example/books",
            "database books at db.example:5432",
        );
        check(
            "postgresql://app:secret@a:1,b:2/x",
            "database x at a:1, b:2",
        );
        check(
            "host=/run/pg user=app password=secret",
            "database app at /run/pg/.s.PGSQL.5432",
        );
    }
}
