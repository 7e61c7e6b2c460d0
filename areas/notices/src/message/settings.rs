//! The mail server's settings, read from any of FOLIO's three sources.

use std::fmt;
use std::time::Duration;

use lettre::transport::smtp::authentication::Mechanism;
use serde_json::{Map, Value, json};

/// FOLIO's message for incomplete settings.
pub const INCOMPLETE: &str = "The 'mod-config' module doesn't have a minimum config for SMTP server, \
     the min config is: [EMAIL_SMTP_HOST, EMAIL_SMTP_PORT, EMAIL_USERNAME, EMAIL_PASSWORD]";

/// The default retention of messages, in hours.
pub const EXPIRATION_HOURS_DEFAULT: i64 = 24;
/// The default and maximal connect time-out.
const CONNECT_MAX: Duration = Duration::from_secs(30);

/// The use of STARTTLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartTls {
    /// Never.
    Disabled,
    /// If the server offers it.
    Optional,
    /// Always, else nothing is sent.
    Required,
}

/// Whether we log in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Login {
    /// Never.
    Disabled,
    /// If the server offers a supported mechanism.
    IfOffered,
    /// Always, or nothing is sent.
    Required,
    /// With a token instead of the password.
    Token,
}

/// The settings of the mail server.
#[derive(Clone, PartialEq)]
pub struct SmtpSettings {
    /// Its name or address.
    pub host: String,
    pub port: u16,
    /// The username.
    pub username: String,
    /// The password.
    pub password: String,
    /// TLS from the first byte.
    pub ssl: bool,
    /// Accept any certificate.
    pub trust_all: bool,
    /// Whether we log in.
    pub login: Login,
    /// When TLS begins.
    pub start_tls: StartTls,
    /// The allowed SASL mechanisms among supported ones; `None` for all.
    pub mechanisms: Option<Vec<Mechanism>>,
    /// The default sender.
    pub from: String,
    /// Names by address.
    pub identities: Vec<(String, String)>,
    /// Headers that every message has.
    pub headers: Vec<(String, String)>,
    /// The connect time-out.
    pub connect_timeout: Duration,
}

impl fmt::Debug for SmtpSettings {
    /// Without username and password, for logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpSettings")
            .field("host", &self.host)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

impl SmtpSettings {
    /// Reads stored settings; `None` when host, port, username or password are missing.
    #[must_use]
    pub fn read(value: &Value) -> Option<SmtpSettings> {
        let text = |name: &str| value[name].as_str().unwrap_or_default().trim().to_owned();
        let filled = |name: &str| Some(text(name)).filter(|text| !text.is_empty());
        let is = |name: &str| value[name].as_bool().unwrap_or(false);
        let login = match text("loginOption").as_str() {
            "DISABLED" => Login::Disabled,
            "REQUIRED" => Login::Required,
            "XOAUTH2" => Login::Token,
            _ => Login::IfOffered,
        };
        let start_tls = match text("startTlsOptions").as_str() {
            "DISABLED" => StartTls::Disabled,
            "REQUIRED" => StartTls::Required,
            _ => StartTls::Optional,
        };
        let connect = value["connectTimeout"].as_u64().filter(|wait| *wait > 0);
        Some(SmtpSettings {
            host: filled("host")?,
            port: u16::try_from(value["port"].as_u64()?)
                .ok()
                .filter(|port| *port > 0)?,
            username: filled("username")?,
            // A password may begin or end with a blank.
            password: value["password"]
                .as_str()
                .filter(|one| !one.trim().is_empty())?
                .to_owned(),
            ssl: is("ssl"),
            trust_all: is("trustAll"),
            login,
            start_tls,
            mechanisms: mechanisms(&text("authMethods")),
            from: text("from"),
            identities: pairs(&value["identities"], "address", "name"),
            headers: pairs(&value["emailHeaders"], "name", "value"),
            connect_timeout: connect
                .map_or(CONNECT_MAX, Duration::from_millis)
                .min(CONNECT_MAX),
        })
    }

    /// An address with the name that the settings know for it.
    #[must_use]
    pub fn named(&self, address: &str) -> String {
        let known = self.identities.iter().find(|(one, _)| one == address);
        match known.filter(|(_, name)| !name.trim().is_empty()) {
            Some((address, name)) => {
                let name = name.replace(['"', '\\', '\r', '\n'], "");
                format!("\"{name}\" <{address}>")
            }
            None => address.to_owned(),
        }
    }
}

fn mechanisms(text: &str) -> Option<Vec<Mechanism>> {
    if text.is_empty() {
        return None;
    }
    let words = text.split(|one: char| one.is_whitespace() || one == ',');
    let known = words.filter_map(|word| match word.to_ascii_uppercase().as_str() {
        "PLAIN" => Some(Mechanism::Plain),
        "LOGIN" => Some(Mechanism::Login),
        "XOAUTH2" => Some(Mechanism::Xoauth2),
        _ => None,
    });
    Some(known.collect())
}

fn pairs(list: &Value, first: &str, second: &str) -> Vec<(String, String)> {
    let elements = list.as_array().map_or(&[][..], Vec::as_slice);
    let text = |element: &Value, name: &str| element[name].as_str().unwrap_or_default().to_owned();
    elements
        .iter()
        .map(|element| (text(element, first), text(element, second)))
        .filter(|(first, _)| !first.trim().is_empty())
        .collect()
}

/// The configuration entries of a tenant as one value.
#[must_use]
pub fn of_entries(entries: &[Value]) -> Value {
    let mut settings = Map::new();
    let mut headers = Vec::new();
    for entry in entries {
        let code = entry["code"].as_str().unwrap_or_default();
        let Some(value) = entry["value"]
            .as_str()
            .filter(|value| !value.trim().is_empty())
        else {
            continue;
        };
        if entry["configName"] == "email.headers" {
            headers.push(json!({"name": code, "value": value}));
            continue;
        }
        let (name, value) = match code.to_ascii_uppercase().as_str() {
            "EMAIL_SMTP_HOST" => ("host", json!(value)),
            "EMAIL_SMTP_PORT" => ("port", json!(value.trim().parse::<u64>().ok())),
            "EMAIL_USERNAME" => ("username", json!(value)),
            "EMAIL_PASSWORD" => ("password", json!(value)),
            "EMAIL_SMTP_SSL" => ("ssl", json!(value.eq_ignore_ascii_case("true"))),
            "EMAIL_TRUST_ALL" => ("trustAll", json!(value.eq_ignore_ascii_case("true"))),
            "EMAIL_SMTP_LOGIN_OPTION" => ("loginOption", json!(value)),
            "EMAIL_START_TLS_OPTIONS" => ("startTlsOptions", json!(value)),
            "AUTH_METHODS" => ("authMethods", json!(value)),
            "EMAIL_FROM" => ("from", json!(value)),
            _ => continue,
        };
        settings.insert(name.to_owned(), value);
    }
    settings.insert("emailHeaders".to_owned(), Value::Array(headers));
    Value::Object(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_things_are_needed() {
        let whole = json!({"host": "mail", "port": 25, "username": "u", "password": " p "});
        let read = SmtpSettings::read(&whole).expect("it is whole");
        assert_eq!(
            (read.login, read.start_tls),
            (Login::IfOffered, StartTls::Optional)
        );
        assert_eq!(read.password, " p ");
        assert!(!format!("{read:?}").contains(" p "));
        for name in ["host", "port", "username", "password"] {
            for value in [json!(null), json!(" "), json!(70_000)] {
                let mut part = whole.clone();
                part[name] = value;
                assert_eq!(SmtpSettings::read(&part), None, "{part}");
            }
        }
    }

    #[test]
    fn entries_of_the_configuration_are_settings_too() {
        let entry = |name: &str, code: &str, value: &str| json!({"configName": name, "code": code, "value": value});
        let read = SmtpSettings::read(&of_entries(&[
            entry("smtp", "EMAIL_SMTP_HOST", "mail"),
            entry("smtp", "email_smtp_port", "465"),
            entry("email", "EMAIL_USERNAME", "u"),
            entry("email", "EMAIL_PASSWORD", "p"),
            entry("smtp", "EMAIL_SMTP_SSL", "true"),
            entry("smtp", "EMAIL_START_TLS_OPTIONS", "DISABLED"),
            entry("smtp", "AUTH_METHODS", "CRAM-MD5 login"),
            entry("email.headers", "Reply-To", "desk@example.org"),
        ]))
        .expect("it is whole");
        assert!(read.ssl && !read.trust_all);
        assert_eq!((read.port, read.start_tls), (465, StartTls::Disabled));
        assert_eq!(read.mechanisms, Some(vec![Mechanism::Login]));
        assert_eq!(
            read.headers,
            [("Reply-To".to_owned(), "desk@example.org".to_owned())]
        );
        assert_eq!(SmtpSettings::read(&of_entries(&[])), None);
    }
}
