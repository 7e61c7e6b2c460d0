//! One logged-in connection for what happens outside the measurement: proving that the server
//! answers and the login is right, reading test data, fetching a token for the hammer.

use std::sync::Arc;

use crate::workload::Answer;
use octavo_client::{Client, Endpoint, EndpointError, Fault, Limits, Trust};

/// Who talks to which server.
#[derive(Debug, Clone)]
pub struct Target {
    /// The server's address: `http://host:port`, with a path before FOLIO's own when it has one.
    pub url: String,
    /// Which certificates an https server may show.
    pub trust: Trust,
    /// The tenant.
    pub tenant: String,
    /// The user's name.
    pub username: String,
    /// The user's password.
    pub password: String,
}

/// Why there is no session, or no answer in one; each text names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The address is of no use.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
    /// Nobody answers.
    #[error(
        "{url} does not answer: {fault}. Is the server running? \
         `octavo serve` starts one; --url names another."
    )]
    Unreachable {
        /// The server.
        url: String,
        /// What happened.
        fault: Fault,
    },
    /// The server refuses the user.
    #[error(
        "{url} refused the login of {who} (HTTP {status}: {body}). \
         Check --tenant, --user and --password."
    )]
    LoginRefused {
        /// The server.
        url: String,
        /// User and tenant.
        who: String,
        /// The answer's status.
        status: u16,
        /// The begin of its body.
        body: String,
    },
    /// The login gave no token.
    #[error("{url} answered the login without an x-okapi-token header. Is it a FOLIO server?")]
    NoToken {
        /// The server.
        url: String,
    },
    /// A list could not be read.
    #[error("GET {target} was answered with HTTP {status}: {body}")]
    Refused {
        /// What was asked.
        target: String,
        /// The answer's status.
        status: u16,
        /// The begin of its body.
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

    /// The server.
    pub fn endpoint(&self) -> &Arc<Endpoint> {
        &self.endpoint
    }

    /// The token of the login.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Reads a target as JSON text.
    ///
    /// # Errors
    /// When there is no answer or its status is not 200.
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

/// The first line's worth of a body, for messages.
fn beginning(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().take(300).collect()
}
