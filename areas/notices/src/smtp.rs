//! One connection to a mail server: opened as the settings say, used for one message after the other.

use std::time::Duration;

use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::extension::ClientId;

use crate::message::mime::Mail;
use crate::message::settings::{Login, SmtpSettings, StartTls};

/// The time-out of sending one message, from connecting to the final reply.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(30);

/// A connection, logged in.
pub struct Session {
    connection: AsyncSmtpConnection,
    settings: SmtpSettings,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// Sends a message over the open connection or a new one. Any failure, also a time-out, closes the
/// connection, since its protocol state is unknown; the next message opens a new one.
///
/// # Errors
/// The server's reply, or why it was not reached. It contains no password.
pub async fn send(
    kept: &mut Option<Session>,
    settings: &SmtpSettings,
    mail: &Mail,
) -> Result<(), String> {
    let before = kept.take().filter(|session| session.settings == *settings);
    let sent = async {
        let mut session = match before {
            Some(session) => session.alive_or_new(settings).await?,
            None => Session::open(settings).await?,
        };
        let outcome = session.connection.send(&mail.envelope, &mail.bytes).await;
        outcome.map_err(|error| error.to_string())?;
        Ok(session)
    };
    let session = tokio::time::timeout(SEND_TIMEOUT, sent)
        .await
        .unwrap_or_else(|_| {
            Err(format!(
                "{}:{} did not take the message within {} s",
                settings.host,
                settings.port,
                SEND_TIMEOUT.as_secs()
            ))
        })?;
    *kept = Some(session);
    Ok(())
}

/// Ends a connection politely, if there is one.
pub async fn close(kept: Option<Session>) {
    if let Some(mut session) = kept {
        let _ = tokio::time::timeout(Duration::from_secs(2), session.connection.quit()).await;
    }
}

impl Session {
    /// The server may have ended the connection since the last message.
    async fn alive_or_new(mut self, settings: &SmtpSettings) -> Result<Session, String> {
        match self.connection.test_connected().await {
            true => Ok(self),
            false => Session::open(settings).await,
        }
    }

    async fn open(settings: &SmtpSettings) -> Result<Session, String> {
        let hello = ClientId::default();
        let place = (settings.host.as_str(), settings.port);
        let from_the_start = settings.ssl.then(|| tls(settings)).transpose()?;
        let wait = Some(settings.connect_timeout);
        let opened =
            AsyncSmtpConnection::connect_tokio1(place, wait, &hello, from_the_start, None).await;
        let mut connection =
            opened.map_err(|error| format!("{}:{}: {error}", settings.host, settings.port))?;
        let offered = connection.can_starttls();
        let wanted = match settings.start_tls {
            StartTls::Disabled => false,
            StartTls::Optional => offered,
            StartTls::Required => true,
        };
        if wanted && !connection.is_encrypted() {
            if !offered {
                return Err(
                    "the server does not offer STARTTLS, which the settings require".to_owned(),
                );
            }
            let begun = connection.starttls(tls(settings)?, &hello).await;
            begun.map_err(|error| error.to_string())?;
        }
        log_in(&mut connection, settings).await?;
        Ok(Session {
            connection,
            settings: settings.clone(),
        })
    }
}

async fn log_in(
    connection: &mut AsyncSmtpConnection,
    settings: &SmtpSettings,
) -> Result<(), String> {
    let usual = [Mechanism::Plain, Mechanism::Login];
    let ways: &[Mechanism] = match (settings.login, settings.mechanisms.as_deref()) {
        (Login::Disabled, _) => return Ok(()),
        (Login::Token, _) => &[Mechanism::Xoauth2],
        (_, None) => &usual,
        (_, Some(named)) => named,
    };
    let server = connection.server_info();
    let way = ways
        .iter()
        .find(|way| server.supports_auth_mechanism(**way));
    let Some(way) = way.copied() else {
        return match settings.login {
            Login::IfOffered => Ok(()),
            _ => Err("the server offers no way to log in that the settings allow".to_owned()),
        };
    };
    let credentials = Credentials::new(settings.username.clone(), settings.password.clone());
    let outcome = connection.auth(&[way], &credentials).await;
    outcome.map_err(|error| format!("the server refused the log-in: {error}"))?;
    Ok(())
}

fn tls(settings: &SmtpSettings) -> Result<TlsParameters, String> {
    TlsParameters::builder(settings.host.clone())
        .dangerous_accept_invalid_certs(settings.trust_all)
        .build_rustls()
        .map_err(|error| error.to_string())
}
