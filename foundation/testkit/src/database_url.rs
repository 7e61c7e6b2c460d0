//! The URL of a database, for programs that take one.

use octavo_postgres::Config;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use tokio_postgres::config::Host;

/// The URL of the first host of a configuration: a directory of a socket, or a name and a port.
///
/// # Panics
/// When the configuration names no host.
#[must_use]
pub fn database_url(config: &Config) -> String {
    let text = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let host = match config.get_hosts().first().expect("a host") {
        Host::Tcp(name) => name.clone(),
        Host::Unix(directory) => directory.display().to_string(),
    };
    let port = config.get_ports().first().copied().unwrap_or(5432);
    let mut url = format!(
        "postgresql:///{}?host={}&port={port}",
        text(config.get_dbname().unwrap_or("postgres")),
        text(&host)
    );
    if let Some(user) = config.get_user() {
        url.push_str(&format!("&user={}", text(user)));
    }
    if let Some(password) = config.get_password() {
        url.push_str(&format!(
            "&password={}",
            text(&String::from_utf8_lossy(password))
        ));
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut config = Config::new();
        config
            .host_path("/tmp/a b")
            .port(6543)
            .user("ada")
            .password("p&q")
            .dbname("octavo-1");
        let read: Config = database_url(&config).parse().expect("a URL");
        assert_eq!(read.get_hosts(), config.get_hosts());
        assert_eq!(read.get_ports(), config.get_ports());
        assert_eq!(read.get_password(), config.get_password());
        assert_eq!(read.get_dbname(), config.get_dbname());
    }
}
