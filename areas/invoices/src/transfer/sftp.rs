//! SFTP over SSH. The server's key is remembered from the first connection on.

use std::sync::{Arc, Mutex, PoisonError};

use russh::client::{self, Handle, KeyboardInteractiveAuthResponse as Asked};
use russh::keys::{HashAlg, PublicKeyOrCertificate};
use russh_sftp::client::SftpSession;
use russh_sftp::client::error::Error as SftpError;
use tokio::io::AsyncWriteExt;

use super::{CONNECT_MAX, File, Fingerprint, TransferError, address, from_the_top, named, said};
use crate::rules::upload_target::{Login, Target};

/// Rounds of questions that a server asks before it accepts a password.
const QUESTIONS_MAX: usize = 3;

/// Logs in, opens a session for files and leaves.
pub(super) async fn log_in(
    target: &Target,
    login: &Login,
    known: Fingerprint,
) -> Result<Fingerprint, TransferError> {
    let (connection, files, seen) = open(target, login, known).await?;
    leave(&connection, &files).await;
    Ok(seen)
}

/// Sends a file into the target's folder, which is made where it is missing.
pub(super) async fn send(
    target: &Target,
    login: &Login,
    known: Fingerprint,
    file: File<'_>,
) -> Result<Fingerprint, TransferError> {
    let (connection, files, seen) = open(target, login, known).await?;
    let refused = |answer: String| TransferError::Refused {
        server: named(target),
        answer: said(&answer),
    };
    let folder = target.folder.trim_end_matches('/');
    make_folders(&files, folder)
        .await
        .map_err(|error| refused(error.to_string()))?;
    let path = format!("{folder}/{}", file.name);
    let written = async {
        let mut stored = files
            .create(path)
            .await
            .map_err(|error| error.to_string())?;
        let written = stored.write_all(file.content).await;
        written.map_err(|error| error.to_string())?;
        stored.close().await.map_err(|error| error.to_string())
    };
    written.await.map_err(refused)?;
    leave(&connection, &files).await;
    Ok(seen)
}

/// Looks at the key of a server.
#[derive(Debug, Clone)]
struct Keys {
    known: Fingerprint,
    seen: Arc<Mutex<Fingerprint>>,
}

impl client::Handler for Keys {
    type Error = russh::Error;

    async fn check_server_key(
        &mut self,
        key: &PublicKeyOrCertificate,
    ) -> Result<bool, russh::Error> {
        let key = match key {
            PublicKeyOrCertificate::PublicKey { key, .. } => key.key_data(),
            PublicKeyOrCertificate::Certificate(certificate) => certificate.public_key(),
        };
        let seen = key.fingerprint(HashAlg::Sha256).to_string();
        let is_known = self.known.as_ref().is_none_or(|known| *known == seen);
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(seen);
        Ok(is_known)
    }
}

async fn open(
    target: &Target,
    login: &Login,
    known: Fingerprint,
) -> Result<(Handle<Keys>, SftpSession, Fingerprint), TransferError> {
    let server = || named(target);
    let failed = |reason: String| TransferError::Connect {
        server: server(),
        reason: said(&reason),
    };
    let stream = address::connect(target).await?;
    let config = client::Config {
        inactivity_timeout: Some(CONNECT_MAX * 3),
        ..client::Config::default()
    };
    let keys = Keys {
        known,
        seen: Arc::default(),
    };
    let seen = Arc::clone(&keys.seen);
    let connected = client::connect_stream(Arc::new(config), stream, keys).await;
    let mut connection = connected.map_err(|error| match error {
        russh::Error::UnknownKey => TransferError::OtherKey { server: server() },
        other => failed(other.to_string()),
    })?;
    let accepted = authenticate(&mut connection, login).await;
    if !accepted.map_err(|error| failed(error.to_string()))? {
        return Err(TransferError::LogIn {
            server: server(),
            answer: "permission denied".to_owned(),
        });
    }
    let files = async {
        let channel = connection.channel_open_session().await;
        let channel = channel.map_err(|error| error.to_string())?;
        let asked = channel.request_subsystem(true, "sftp").await;
        asked.map_err(|error| error.to_string())?;
        let opened = SftpSession::new(channel.into_stream()).await;
        opened.map_err(|error| error.to_string())
    };
    let files = files.await.map_err(failed)?;
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Ok((connection, files, seen))
}

/// The password, or the same as the answer to a question: some servers have only the one, some only the other.
async fn authenticate(connection: &mut Handle<Keys>, login: &Login) -> Result<bool, russh::Error> {
    let tried = connection.authenticate_password(&login.username, &login.password);
    if tried.await?.success() {
        return Ok(true);
    }
    let mut asked = connection
        .authenticate_keyboard_interactive_start(&login.username, None)
        .await?;
    for _ in 0..QUESTIONS_MAX {
        let prompts = match asked {
            Asked::Success => return Ok(true),
            Asked::Failure { .. } => return Ok(false),
            Asked::InfoRequest { prompts, .. } => prompts,
        };
        let answers = prompts.iter().map(|_| login.password.clone()).collect();
        asked = connection
            .authenticate_keyboard_interactive_respond(answers)
            .await?;
    }
    Ok(matches!(asked, Asked::Success))
}

async fn make_folders(files: &SftpSession, folder: &str) -> Result<(), SftpError> {
    if folder.is_empty() || files.try_exists(folder).await? {
        return Ok(());
    }
    for part in from_the_top(folder) {
        if !files.try_exists(part).await? {
            files.create_dir(part).await?;
        }
    }
    Ok(())
}

/// A server that does not say goodbye has the file all the same.
async fn leave(connection: &Handle<Keys>, files: &SftpSession) {
    let closed = files.close().await;
    let ended = connection
        .disconnect(russh::Disconnect::ByApplication, "", "en")
        .await;
    if closed.is_err() || ended.is_err() {
        tracing::debug!("a file server did not end its session");
    }
}
