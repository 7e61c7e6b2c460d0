//! Files that go to another server by FTP or SFTP. It knows files and servers, and nothing of vouchers.

mod address;
mod ftp;
mod sftp;

use std::time::Duration;

use crate::rules::upload_target::{Login, Protocol, Target};

/// A server that does not accept a connection is waited for so long.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// The whole of an upload, and of a log-in, takes no longer.
pub const TRANSFER_MAX: Duration = Duration::from_secs(120);
const LOG_IN_MAX: Duration = Duration::from_secs(30);
/// Characters of a server's answer that are kept.
const ANSWER_CHARS_MAX: usize = 200;

/// Why a file is not on its server.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    #[error("Unable to connect to {server}: {reason}")]
    Connect { server: String, reason: String },
    #[error(
        "Unable to connect to {server}: its address is local to a network link, where services of a cloud are; name the server itself"
    )]
    Forbidden { server: String },
    #[error("{server} has another key than before; if that is meant, save the credentials again")]
    OtherKey { server: String },
    #[error("{server} refused the user name or password: {answer}")]
    LogIn { server: String, answer: String },
    #[error("{server} refused the file: {answer}")]
    Refused { server: String, answer: String },
    #[error("{server} took longer than {} s", limit.as_secs())]
    TimedOut { server: String, limit: Duration },
}

/// A file to be sent.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    pub name: &'a str,
    pub content: &'a [u8],
}

/// The fingerprint of a server's key: what is expected, then what was seen. FTP has none.
pub type Fingerprint = Option<String>;

/// Sends a file; returns the server's key.
///
/// # Errors
/// When the server cannot be reached, has another key than `known`, or refuses.
pub async fn send(
    target: &Target,
    login: &Login,
    known: Fingerprint,
    file: File<'_>,
) -> Result<Fingerprint, TransferError> {
    within(target, TRANSFER_MAX, async {
        match target.protocol {
            Protocol::Ftp => ftp::send(target, login, file).await.map(|()| None),
            Protocol::Sftp => sftp::send(target, login, known, file).await,
        }
    })
    .await
    .map_err(|error| error.without(login))
}

/// Logs in and out again; returns the server's key.
///
/// # Errors
/// As [`send`].
pub async fn log_in(
    target: &Target,
    login: &Login,
    known: Fingerprint,
) -> Result<Fingerprint, TransferError> {
    within(target, LOG_IN_MAX, async {
        match target.protocol {
            Protocol::Ftp => ftp::log_in(target, login).await.map(|()| None),
            Protocol::Sftp => sftp::log_in(target, login, known).await,
        }
    })
    .await
    .map_err(|error| error.without(login))
}

async fn within<T>(
    target: &Target,
    limit: Duration,
    work: impl Future<Output = Result<T, TransferError>>,
) -> Result<T, TransferError> {
    let timed_out = |_| TransferError::TimedOut {
        server: named(target),
        limit,
    };
    tokio::time::timeout(limit, work).await.map_err(timed_out)?
}

/// A server as messages name it.
fn named(target: &Target) -> String {
    match target.host.contains(':') {
        true => format!("[{}]:{}", target.host, target.port),
        false => format!("{}:{}", target.host, target.port),
    }
}

/// A folder after those that it lies in: `/a`, `/a/b`, `/a/b/c`.
fn from_the_top(folder: &str) -> impl Iterator<Item = &str> {
    let ends = folder
        .match_indices('/')
        .map(|(at, _)| at)
        .skip_while(|at| *at == 0);
    ends.chain([folder.len()]).map(|end| &folder[..end])
}

/// What a server said, short and on one line.
fn said(answer: &str) -> String {
    let line: String = answer
        .trim()
        .chars()
        .map(|one| if one.is_control() { ' ' } else { one })
        .take(ANSWER_CHARS_MAX)
        .collect();
    line.trim_end().to_owned()
}

impl TransferError {
    /// Nothing of a password is kept, though a server repeats it.
    fn without(self, login: &Login) -> TransferError {
        let clean = |answer: String| match login.password.is_empty() {
            true => answer,
            false => answer.replace(&login.password, "…"),
        };
        match self {
            TransferError::LogIn { server, answer } => TransferError::LogIn {
                server,
                answer: clean(answer),
            },
            TransferError::Refused { server, answer } => TransferError::Refused {
                server,
                answer: clean(answer),
            },
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_short_line_without_the_password() {
        let login = Login {
            username: "u".to_owned(),
            password: "tulip".to_owned(),
        };
        let error = TransferError::LogIn {
            server: "a.example:21".to_owned(),
            answer: said(&format!(" 530 no\r\nPASS tulip {}", "x".repeat(500))),
        };
        let shown = error.without(&login).to_string();
        let begins = "a.example:21 refused the user name or password: 530 no  PASS … xxx";
        assert!(shown.starts_with(begins), "{shown}");
        assert!(shown.chars().count() < 260, "{shown}");
    }
}
