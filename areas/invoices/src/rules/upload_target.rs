//! Where an export is uploaded to: what a configuration and its credentials say, without I/O.

use serde_json::Value;

use super::document::{self, Document};

/// FOLIO's messages for what is missing.
pub const NO_CREDENTIALS: &str = "Credentials for FTP upload were not found";
const NO_URI: &str = "URI for FTP upload was not found";
const NOT_VALID: &str = "URI should be valid ftp path";

/// How a file gets to its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    Ftp,
    Sftp,
}

impl Protocol {
    fn port(self) -> u16 {
        match self {
            Protocol::Ftp => 21,
            Protocol::Sftp => 22,
        }
    }

    fn scheme(self) -> &'static str {
        match self {
            Protocol::Ftp => "ftp://",
            Protocol::Sftp => "sftp://",
        }
    }

    /// FOLIO's folder where a configuration names none.
    fn folder(self) -> &'static str {
        match self {
            Protocol::Ftp => "/files/invoices",
            Protocol::Sftp => "/ftp/files/invoices",
        }
    }
}

/// A folder on a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub protocol: Protocol,
    /// A name or an address; an IPv6 address without brackets.
    pub host: String,
    pub port: u16,
    pub folder: String,
}

/// A name and its password. Neither is shown: a failure's report may have what a server answered.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    pub username: String,
    pub password: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Login")
    }
}

/// Where a configuration leads.
///
/// # Errors
/// What is missing or wrong, in FOLIO's words.
pub fn target(configuration: &Document) -> Result<Target, &'static str> {
    let text = |name: &str| {
        document::text(configuration, name)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let uri = text("uploadURI").ok_or(NO_URI)?;
    let named = match text("ftpFormat") {
        Some("SFTP") => Some(Protocol::Sftp),
        Some("FTP") => Some(Protocol::Ftp),
        _ => None,
    };
    let lower = uri.to_ascii_lowercase();
    let of_uri = [Protocol::Ftp, Protocol::Sftp]
        .into_iter()
        .find(|protocol| lower.starts_with(protocol.scheme()))
        .ok_or(NOT_VALID)?;
    // As in FOLIO the format decides; `ftp://` with SFTP is common in what libraries have stored.
    let protocol = named.unwrap_or(of_uri);
    if protocol == Protocol::Ftp && of_uri == Protocol::Sftp {
        return Err(NOT_VALID);
    }
    let rest = &uri[of_uri.scheme().len()..];
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (host, port) = host_and_port(authority).ok_or(NOT_VALID)?;
    let of_configuration = configuration.get("ftpPort").and_then(Value::as_u64);
    let of_configuration = of_configuration.and_then(|port| u16::try_from(port).ok());
    let port = port.or(of_configuration).unwrap_or(protocol.port());
    let of_path = Some(path).filter(|path| !path.is_empty());
    let folder = match (text("uploadDirectory"), of_path) {
        (Some(folder), _) => folder.to_owned(),
        (None, Some(path)) => format!("/{path}"),
        (None, None) => protocol.folder().to_owned(),
    };
    match port == 0 || is_unsafe(&folder) {
        true => Err(NOT_VALID),
        false => Ok(Target {
            protocol,
            host,
            port,
            folder,
        }),
    }
}

/// The name and password of stored credentials.
///
/// # Errors
/// FOLIO's message where there are none, or none that a server can be told.
pub fn login(credentials: Option<&Document>) -> Result<Login, &'static str> {
    let credentials = credentials.ok_or(NO_CREDENTIALS)?;
    let text = |name: &str| {
        document::text(credentials, name)
            .unwrap_or_default()
            .to_owned()
    };
    let login = Login {
        username: text("username"),
        password: text("password"),
    };
    match login.username.is_empty() || is_unsafe(&login.username) || is_unsafe(&login.password) {
        true => Err(NO_CREDENTIALS),
        false => Ok(login),
    }
}

/// FTP ends a command with a line: a line in a name would be a command.
fn is_unsafe(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// `host`, `host:port`, `[address]:port`. A name and password are not taken from an address that is shown to
/// everybody who sees the configuration.
fn host_and_port(authority: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, port) = rest.split_once(']')?;
            (host, port)
        }
        None => match authority.find(':') {
            Some(at) => authority.split_at(at),
            None => (authority, ""),
        },
    };
    let is_allowed =
        |one: char| one.is_ascii_alphanumeric() || matches!(one, '.' | '-' | '_' | ':');
    if host.is_empty() || !host.chars().all(is_allowed) {
        return None;
    }
    match port {
        "" => Some((host.to_owned(), None)),
        _ => {
            let port = port.strip_prefix(':')?.parse().ok()?;
            Some((host.to_owned(), Some(port)))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Document {
        value.as_object().cloned().expect("an object")
    }

    fn shown(configuration: Value) -> String {
        match target(&object(configuration)) {
            Err(message) => message.to_owned(),
            Ok(one) => format!(
                "{:?} {} {} {}",
                one.protocol, one.host, one.port, one.folder
            ),
        }
    }

    #[test]
    fn a_configuration_leads_to_a_folder_or_says_what_is_missing() {
        for (configuration, expected) in [
            (json!({}), NO_URI),
            (json!({"uploadURI": " "}), NO_URI),
            (json!({"uploadURI": "a.example"}), NOT_VALID),
            (json!({"uploadURI": "http://a.example"}), NOT_VALID),
            (json!({"uploadURI": "ftp://"}), NOT_VALID),
            (json!({"uploadURI": "ftp://u:p@a.example"}), NOT_VALID),
            (json!({"uploadURI": "ftp://a.example:x"}), NOT_VALID),
            (json!({"uploadURI": "ftp://a.example:0"}), NOT_VALID),
            (
                json!({"uploadURI": "ftp://a.example", "uploadDirectory": "a\r\nDELE b"}),
                NOT_VALID,
            ),
            (
                json!({"uploadURI": "sftp://a.example", "ftpFormat": "FTP"}),
                NOT_VALID,
            ),
            (
                json!({"uploadURI": "ftp://a.example"}),
                "Ftp a.example 21 /files/invoices",
            ),
            (
                json!({"uploadURI": "SFTP://a.example/in/box"}),
                "Sftp a.example 22 /in/box",
            ),
            (
                json!({"uploadURI": "ftp://a.example:2121", "ftpFormat": "SFTP", "ftpPort": 22,
                       "uploadDirectory": "inbox"}),
                "Sftp a.example 2121 inbox",
            ),
            (
                json!({"uploadURI": "ftp://[2001:db8::1]/", "ftpFormat": "FTP", "ftpPort": 2100}),
                "Ftp 2001:db8::1 2100 /files/invoices",
            ),
        ] {
            assert_eq!(shown(configuration.clone()), expected, "{configuration}");
        }
    }

    #[test]
    fn credentials_are_a_name_and_no_commands() {
        let of = |value: Value| login(Some(&object(value)));
        assert_eq!(login(None), Err(NO_CREDENTIALS));
        assert_eq!(of(json!({"password": "p"})), Err(NO_CREDENTIALS));
        assert_eq!(of(json!({"username": "u\r\nQUIT"})), Err(NO_CREDENTIALS));
        let known = of(json!({"username": "u", "password": "secret"})).expect("a login");
        assert_eq!(format!("{known:?}"), "Login");
    }
}
