//! One logged-in connection for everything outside of the measurement: checking the server and the
//! login, reading test data, fetching a token for `hammer`.

use std::sync::Arc;

use crate::workload::Answer;
use octavo_client::{Client, Endpoint, EndpointError, Fault, Limits, Trust};

/// A server, a tenant and a user.
#[derive(Debug, Clone)]
pub struct Target {
    /// The server's address: `http://host:port`, with a path before FOLIO's own when it has one.
    pub url: String,
    /// Which certificates are accepted from an https server.
    pub trust: Trust,
    pub tenant: String,
    pub username: String,
    pub password: String,
}

/// Why there is no session, or no response in one; each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    #[error(
        "{url} does not answer: {fault}. Is the server running? \
         `octavo serve` starts one; --url names another."
    )]
    Unreachable { url: String, fault: Fault },
    #[error(
        "{url} refused the login of {who} (HTTP {status}: {body}). \
         Check --tenant, --user and --password."
    )]
    LoginRefused {
        url: String,
        who: String,
        status: u16,
        /// The beginning of the body.
        body: String,
    },
    /// The response to the login had no token.
    #[error("{url} answered the login without an x-okapi-token header. Is it a FOLIO server?")]
    NoToken { url: String },
    /// A list could not be read.
    #[error("GET {target} was answered with HTTP {status}: {body}")]
    Refused {
        target: String,
        status: u16,
        /// The beginning of the body.
        body: String,
    },
}

/// A logged-in connection.
pub struct Session {
    client: Client,
    endpoint: Arc<Endpoint>,
    tenant: String,
    token: String,
}

impl Session {
    /// Resolves the address, connects and logs in with `POST /authn/login`.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses the login.
    pub async fn open(target: &Target) -> Result<Self, SessionError> {
        let endpoint = Arc::new(Endpoint::resolve(&target.url, &target.trust).await?);
        let client = Client::new(Arc::clone(&endpoint), Limits::default());
        let tenant = target
            .tenant
            .chars()
            .filter(|letter| !letter.is_control())
            .collect();
        let mut session = Self {
            client,
            endpoint,
            tenant,
            token: String::new(),
        };
        session.log_in(target).await?;
        Ok(session)
    }

    pub fn endpoint(&self) -> &Arc<Endpoint> {
        &self.endpoint
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// Reads a target as JSON text.
    ///
    /// # Errors
    /// When there is no response or its status is not 200.
    pub async fn get(&mut self, target: &str) -> Result<Vec<u8>, SessionError> {
        let head = self.head("GET", target);
        let request = format!("{head}X-Okapi-Token: {}\r\n\r\n", self.token);
        let (status, body, _) = self.exchange(request.as_bytes()).await?;
        if status != 200 {
            let body = beginning(&body);
            return Err(SessionError::Refused {
                target: target.to_owned(),
                status,
                body,
            });
        }
        Ok(body)
    }

    async fn log_in(&mut self, target: &Target) -> Result<(), SessionError> {
        let credentials =
            serde_json::json!({ "username": target.username, "password": target.password });
        let body = credentials.to_string();
        let head = self.head("POST", "/authn/login");
        let request = format!(
            "{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let (status, body, token) = self.exchange(request.as_bytes()).await?;
        let url = target.url.clone();
        if !(200..300).contains(&status) {
            return Err(SessionError::LoginRefused {
                url,
                who: format!("{} in tenant {}", target.username, target.tenant),
                status,
                body: beginning(&body),
            });
        }
        self.token = token.ok_or(SessionError::NoToken { url })?;
        Ok(())
    }

    fn head(&self, method: &str, target: &str) -> String {
        let Endpoint { prefix, host, .. } = &*self.endpoint;
        format!(
            "{method} {prefix}{target} HTTP/1.1\r\nHost: {host}\r\nAccept: */*\r\n\
             X-Okapi-Tenant: {}\r\n",
            self.tenant
        )
    }

    async fn exchange(
        &mut self,
        request: &[u8],
    ) -> Result<(u16, Vec<u8>, Option<String>), SessionError> {
        let exchanged = self.client.exchange(request, true).await;
        let exchange = exchanged.map_err(|fault| SessionError::Unreachable {
            url: self.endpoint.origin.clone(),
            fault,
        })?;
        let (head, body) = (self.client.head(&exchange), self.client.body(&exchange));
        let answer = Answer {
            status: exchange.status,
            head,
            body,
        };
        Ok((
            exchange.status,
            body.to_vec(),
            answer.header("x-okapi-token"),
        ))
    }
}

/// The beginning of a body, for messages.
fn beginning(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(300).collect()
}
