//! FTP (RFC 959, 2428). Files and passwords go in the clear: that is what the protocol is.

use suppaftp::tokio::AsyncFtpStream;
use suppaftp::types::FileType;
use suppaftp::{FtpError, Mode, Status};

use super::{File, TransferError, address, from_the_top, named, said};
use crate::rules::upload_target::{Login, Target};

/// Logs in and out again.
pub(super) async fn log_in(target: &Target, login: &Login) -> Result<(), TransferError> {
    let mut session = open(target, login).await?;
    leave(&mut session).await;
    Ok(())
}

/// Sends a file into the target's folder, which is made where it is missing.
pub(super) async fn send(
    target: &Target,
    login: &Login,
    file: File<'_>,
) -> Result<(), TransferError> {
    let mut session = open(target, login).await?;
    let sent = store(&mut session, &target.folder, file).await;
    sent.map_err(|error| TransferError::Refused {
        server: named(target),
        answer: answer(&error),
    })?;
    leave(&mut session).await;
    Ok(())
}

async fn open(target: &Target, login: &Login) -> Result<AsyncFtpStream, TransferError> {
    let stream = address::connect(target).await?;
    let is_four = stream.peer_addr().is_ok_and(|peer| peer.is_ipv4());
    let failed = |error: FtpError| TransferError::Connect {
        server: named(target),
        reason: answer(&error),
    };
    let mut session = AsyncFtpStream::connect_with_stream(stream)
        .await
        .map_err(failed)?;
    // The file goes to the server that took the password, whatever address it names.
    session.set_passive_nat_workaround(true);
    session.set_mode(match is_four {
        true => Mode::Passive,
        false => Mode::ExtendedPassive,
    });
    let logged_in = session
        .login(login.username.as_str(), login.password.as_str())
        .await;
    logged_in.map_err(|error| TransferError::LogIn {
        server: named(target),
        answer: answer(&error),
    })?;
    Ok(session)
}

async fn store(session: &mut AsyncFtpStream, folder: &str, file: File<'_>) -> Result<(), FtpError> {
    session.transfer_type(FileType::Binary).await?;
    if session
        .cwd(folder)
        .await
        .is_err_and(|error| is_missing(&error))
    {
        make_folders(session, folder).await;
        session.cwd(folder).await?;
    }
    let mut content = file.content;
    session.put_file(file.name, &mut content).await?;
    Ok(())
}

/// What exists already is refused, which is no failure: whether the folder is there shows afterwards.
async fn make_folders(session: &mut AsyncFtpStream, folder: &str) {
    for part in from_the_top(folder) {
        let _exists = session.mkdir(part).await;
    }
}

fn is_missing(error: &FtpError) -> bool {
    matches!(error, FtpError::UnexpectedResponse(response) if response.status == Status::FileUnavailable)
}

/// A server that does not say goodbye has the file all the same.
async fn leave(session: &mut AsyncFtpStream) {
    if let Err(error) = session.quit().await {
        tracing::debug!(
            error = answer(&error),
            "a file server did not end its session"
        );
    }
}

fn answer(error: &FtpError) -> String {
    match error {
        FtpError::UnexpectedResponse(response) => said(&String::from_utf8_lossy(&response.body)),
        other => said(&other.to_string()),
    }
}
