//! A connection to a server with a log-in: the only use that commands make of the client.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use octavo_client::{Client, Limits};
use octavo_driver::cli::TargetArgs;
use octavo_platform::gateway::{TENANT, TOKEN};

use octavo_driver::session::Session;

/// A server and a user on it.
pub struct Server {
    client: Client,
    session: Session,
    tenant: String,
}

/// A request.
#[derive(Debug, Clone)]
pub struct Question {
    pub method: String,
    /// Path and query, encoded.
    pub target: String,
    /// Further headers.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Vec<u8>>,
}

/// A response and its times, from the beginning of the exchange.
#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    /// For connecting; zero on an open connection.
    pub connect: Duration,
    /// To the first byte, including connecting.
    pub first_byte: Duration,
    /// To the last byte.
    pub whole: Duration,
    /// Bytes of head and body.
    pub bytes: usize,
    head: String,
    pub body: Vec<u8>,
}

impl Answer {
    /// A header's value; several with one name are joined by commas.
    pub fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self
            .head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(':'))
            .filter(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The beginning of the body, for messages.
    pub fn beginning(&self) -> String {
        let text = String::from_utf8_lossy(&self.body);
        let line: Vec<&str> = text.split_whitespace().collect();
        line.join(" ").chars().take(300).collect()
    }
}

impl Server {
    /// Connects and logs in; `patience` is the time-out of responses.
    ///
    /// # Errors
    /// When the server does not answer or refuses the log-in.
    pub async fn open(args: &TargetArgs, patience: Duration) -> anyhow::Result<Server> {
        let target = args.target();
        let session = Session::open(&target).await?;
        let limits = Limits {
            response: patience,
            ..Limits::default()
        };
        Ok(Server {
            client: Client::new(Arc::clone(session.endpoint()), limits),
            session,
            tenant: target.tenant,
        })
    }

    /// `scheme://host[:port]`.
    pub fn origin(&self) -> String {
        let endpoint = self.session.endpoint();
        format!("{}{}", endpoint.origin, endpoint.prefix)
    }

    /// Sends a request on a connection that is kept open between requests.
    ///
    /// # Errors
    /// When there is no complete response.
    pub async fn ask(&mut self, question: &Question) -> anyhow::Result<Answer> {
        let request = self.request(question);
        let exchanged = self.client.exchange(&request, false).await;
        let exchange = exchanged
            .with_context(|| format!("{} {} got no answer", question.method, question.target))?;
        Ok(Answer {
            status: exchange.status,
            connect: exchange.connect,
            first_byte: exchange.latency,
            whole: exchange.elapsed,
            bytes: exchange.bytes,
            head: String::from_utf8_lossy(self.client.head(&exchange)).into_owned(),
            body: self.client.body(&exchange).to_vec(),
        })
    }

    /// Reads JSON on the connection of the log-in, beside [`Server::ask`].
    ///
    /// # Errors
    /// When the status is not 200.
    pub async fn read(&mut self, target: &str) -> anyhow::Result<Vec<u8>> {
        Ok(self.session.get(target).await?)
    }

    fn request(&self, question: &Question) -> Vec<u8> {
        let endpoint = self.session.endpoint();
        let mut head = format!(
            "{} {}{} HTTP/1.1\r\nHost: {}\r\n{TENANT}: {}\r\n{TOKEN}: {}\r\n",
            question.method,
            endpoint.prefix,
            question.target,
            endpoint.host,
            self.tenant,
            self.session.token()
        );
        let has = |name: &str| {
            let mut names = question.headers.iter().map(|(name, _)| name);
            names.any(|known| known.eq_ignore_ascii_case(name))
        };
        if !has("accept") {
            head.push_str("Accept: */*\r\n");
        }
        if let Some(body) = &question.body {
            if !has("content-type") {
                head.push_str("Content-Type: application/json\r\n");
            }
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        for (name, value) in &question.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let mut request = head.into_bytes();
        request.extend_from_slice(question.body.as_deref().unwrap_or_default());
        request
    }
}

/// Encodes what cannot stand in a request line; `%`, `+` and `&` stay as typed.
///
/// # Errors
/// When it does not begin with a slash.
pub fn encode(target: &str) -> anyhow::Result<String> {
    if !target.starts_with('/') {
        bail!("`{target}` is no path; write it as '/users?query=username==\"diku_admin\"'");
    }
    let bytes = target.as_bytes();
    let mut encoded = String::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        let stays = match byte {
            b'%' => bytes
                .get(at + 1..at + 3)
                .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
            b'"' | b'#' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}' => false,
            byte => byte.is_ascii_graphic(),
        };
        match stays {
            true => encoded.push(char::from(*byte)),
            false => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    Ok(encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_encoded_once() {
        for (typed, sent) in [
            ("/users", "/users"),
            ("/a?query=b==\"1 2\"", "/a?query=b==%221%202%22"),
            ("/a?query=b%3D%3D%221%22", "/a?query=b%3D%3D%221%22"),
            ("/a?query=100%", "/a?query=100%25"),
            ("/a?q=é+b&c", "/a?q=%C3%A9+b&c"),
            ("/a#b\r\nc", "/a%23b%0D%0Ac"),
        ] {
            assert_eq!(encode(typed).unwrap(), sent, "{typed}");
        }
        assert!(encode("users").is_err());
    }
}
