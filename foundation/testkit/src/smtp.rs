//! A mail server for tests: ESMTP on the loopback with DATA, STARTTLS and AUTH. The recipient
//! decides what happens to a message: `refused-550@…`, `later-451@…`, `slow@…`, `hangup@…`; others
//! are accepted.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;
use tokio_rustls::TlsAcceptor;

/// The server's capabilities and requirements.
#[derive(Debug, Clone, Default)]
pub struct SmtpOptions {
    /// The user name and password that clients need.
    pub log_in: Option<(String, String)>,
    /// Whether STARTTLS is offered, with an untrusted certificate.
    pub start_tls: bool,
}

/// An accepted message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivered {
    /// The sender of the envelope.
    pub from: String,
    /// The recipients of the envelope.
    pub to: Vec<String>,
    /// Headers and body, without dot-stuffing.
    pub text: String,
    /// Whether it was sent over TLS.
    pub encrypted: bool,
}

impl Delivered {
    /// The value of a header's first line.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let head = self.text.split("\r\n\r\n").next().unwrap_or_default();
        let mut lines = head.lines();
        let prefix = format!("{}: ", name.to_lowercase());
        let line = lines.find(|line| line.to_lowercase().starts_with(&prefix))?;
        line.get(prefix.len()..)
    }
}

#[derive(Debug, Default)]
struct State {
    delivered: Vec<Delivered>,
    connections: usize,
    /// Messages to `later-…` that were refused once and will be accepted the next time.
    refused: HashMap<String, usize>,
}

/// A mail server; stopped on drop.
#[derive(Debug)]
pub struct SmtpServer {
    pub address: SocketAddr,
    state: Arc<Mutex<State>>,
    task: AbortHandle,
}

impl SmtpServer {
    /// Starts a server.
    ///
    /// # Panics
    /// When there is no free port or no certificate can be made.
    pub async fn start(options: SmtpOptions) -> SmtpServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        let state = Arc::new(Mutex::new(State::default()));
        let acceptor = options.start_tls.then(acceptor);
        let shared = Arc::clone(&state);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let visit = Visit {
                    options: options.clone(),
                    acceptor: acceptor.clone(),
                    state: Arc::clone(&shared),
                };
                lock(&visit.state).connections += 1;
                tokio::spawn(async move {
                    let _ = visit.serve(stream).await;
                });
            }
        });
        SmtpServer {
            address,
            state,
            task: task.abort_handle(),
        }
    }

    /// The messages accepted so far.
    #[must_use]
    pub fn delivered(&self) -> Vec<Delivered> {
        lock(&self.state).delivered.clone()
    }

    /// The number of connections so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        lock(&self.state).connections
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn acceptor() -> TlsAcceptor {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]);
    let made = made.expect("a certificate");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the usual versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .expect("the certificate fits its key");
    TlsAcceptor::from(Arc::new(config))
}

struct Visit {
    options: SmtpOptions,
    acceptor: Option<TlsAcceptor>,
    state: Arc<Mutex<State>>,
}

/// Why an SMTP session ended.
enum End {
    Quit,
    StartTls,
}

impl Visit {
    async fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut plain = BufReader::new(stream);
        plain.write_all(b"220 localhost ESMTP\r\n").await?;
        if matches!(self.talk(&mut plain, false).await?, End::Quit) {
            return Ok(());
        }
        let Some(acceptor) = &self.acceptor else {
            return Ok(());
        };
        let encrypted = acceptor.accept(plain.into_inner()).await?;
        self.talk(&mut BufReader::new(encrypted), true).await?;
        Ok(())
    }

    async fn talk<S>(&self, stream: &mut BufReader<S>, encrypted: bool) -> std::io::Result<End>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send,
    {
        let mut logged_in = self.options.log_in.is_none();
        let (mut from, mut to) = (String::new(), Vec::<String>::new());
        loop {
            let Some(line) = read_line(stream).await? else {
                return Ok(End::Quit);
            };
            let upper = line.to_uppercase();
            let answer: String = if upper.starts_with("EHLO") || upper.starts_with("HELO") {
                let mut lines = vec!["localhost", "8BITMIME", "SMTPUTF8"];
                if self.acceptor.is_some() && !encrypted {
                    lines.push("STARTTLS");
                }
                if self.options.log_in.is_some() {
                    lines.push("AUTH PLAIN LOGIN");
                }
                let last = lines.len() - 1;
                let extensions = lines.iter().enumerate().map(|(at, line)| {
                    let sign = if at == last { ' ' } else { '-' };
                    format!("250{sign}{line}\r\n")
                });
                extensions.collect()
            } else if upper == "STARTTLS" && self.acceptor.is_some() && !encrypted {
                stream.write_all(b"220 go ahead\r\n").await?;
                return Ok(End::StartTls);
            } else if upper.starts_with("AUTH PLAIN ") {
                logged_in = self.is_log_in(&line[11..]);
                authenticated(logged_in)
            } else if upper.starts_with("AUTH LOGIN") {
                stream.write_all(b"334 VXNlcm5hbWU6\r\n").await?;
                let name = read_line(stream).await?.unwrap_or_default();
                stream.write_all(b"334 UGFzc3dvcmQ6\r\n").await?;
                let password = read_line(stream).await?.unwrap_or_default();
                let whole = format!("\0{}\0{}", decoded(&name), decoded(&password));
                logged_in = self.is_log_in(&STANDARD.encode(whole));
                authenticated(logged_in)
            } else if upper.starts_with("MAIL FROM:") {
                match logged_in {
                    false => "530 5.7.0 log in first\r\n".to_owned(),
                    true => {
                        from = address(&line);
                        to.clear();
                        "250 ok\r\n".to_owned()
                    }
                }
            } else if upper.starts_with("RCPT TO:") {
                let recipient = address(&line);
                let answer = self.recipient(&recipient).await;
                if answer.starts_with("250") {
                    to.push(recipient);
                }
                answer
            } else if upper == "DATA" {
                stream.write_all(b"354 end with a dot\r\n").await?;
                let Some(text) = read_data(stream).await? else {
                    return Ok(End::Quit);
                };
                if to.iter().any(|one| one.starts_with("hangup@")) {
                    return Ok(End::Quit);
                }
                lock(&self.state).delivered.push(Delivered {
                    from: from.clone(),
                    to: std::mem::take(&mut to),
                    text,
                    encrypted,
                });
                "250 2.0.0 taken\r\n".to_owned()
            } else if upper == "QUIT" {
                stream.write_all(b"221 bye\r\n").await?;
                return Ok(End::Quit);
            } else if upper == "NOOP" || upper == "RSET" {
                "250 ok\r\n".to_owned()
            } else {
                "500 5.5.2 what?\r\n".to_owned()
            };
            stream.write_all(answer.as_bytes()).await?;
        }
    }

    fn is_log_in(&self, encoded: &str) -> bool {
        let expected = self.options.log_in.as_ref();
        let decoded_text = decoded(encoded);
        expected.is_some_and(|(name, password)| decoded_text == format!("\0{name}\0{password}"))
    }

    async fn recipient(&self, recipient: &str) -> String {
        if recipient.starts_with("refused-550@") {
            return "550 5.1.1 no such mailbox\r\n".to_owned();
        }
        if recipient.starts_with("later-451@") {
            let mut state = lock(&self.state);
            let times = state.refused.entry(recipient.to_owned()).or_default();
            *times += 1;
            if *times == 1 {
                return "451 4.7.1 come again\r\n".to_owned();
            }
        }
        if recipient.starts_with("slow@") {
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        "250 ok\r\n".to_owned()
    }
}

fn authenticated(is: bool) -> String {
    match is {
        true => "235 2.7.0 welcome\r\n".to_owned(),
        false => "535 5.7.8 no such user or password\r\n".to_owned(),
    }
}

fn decoded(text: &str) -> String {
    let bytes = STANDARD.decode(text).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn address(line: &str) -> String {
    let inner = line
        .split('<')
        .nth(1)
        .and_then(|rest| rest.split('>').next());
    inner.unwrap_or_default().to_owned()
}

async fn read_line<S>(stream: &mut BufReader<S>) -> std::io::Result<Option<String>>
where
    S: AsyncRead + Unpin,
{
    let mut line = String::new();
    let count = stream.read_line(&mut line).await?;
    let line = line.trim_end_matches(['\r', '\n']);
    Ok((count > 0).then(|| line.to_owned()))
}

async fn read_data<S>(stream: &mut BufReader<S>) -> std::io::Result<Option<String>>
where
    S: AsyncRead + Unpin,
{
    let mut text = String::new();
    loop {
        let Some(line) = read_line(stream).await? else {
            return Ok(None);
        };
        if line == "." {
            return Ok(Some(text));
        }
        text.push_str(line.strip_prefix('.').unwrap_or(&line));
        text.push_str("\r\n");
    }
}
