//! LISTEN on a connection that reconnects, with any number of subscribers.
//!
//! Notifications sent while the connection is down are lost for good, so subscribers are informed
//! of the loss: a cache that depends on notifications must be dropped then.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::poll_fn;
use octavo_boxed::boxed;
use tokio::sync::{broadcast, mpsc};
use tokio::task::AbortHandle;
use tokio_postgres::{AsyncMessage, Client, Config};

use crate::backoff::Backoff;
use crate::connect;
use crate::error::{DatabaseError, describe};
use crate::migrate::quote_identifier;
use crate::timeout;

/// How many events a slow subscriber may lag before it loses some.
const BACKLOG: usize = 1_024;
/// How often a silent connection is probed.
const PING_EVERY: Duration = Duration::from_secs(20);

/// An event for subscribers. `RecvError::Lagged` of the receiver means the same as [`Self::Lost`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenerEvent {
    Notification {
        /// The channel's name, as given to `NOTIFY`.
        channel: String,
        /// Payload, at most 8,000 bytes; empty when there was none.
        payload: String,
    },
    /// The connection is lost; notifications are missed from now on.
    Lost,
    /// The connection is back.
    Restored,
}

/// Listens until dropped.
#[derive(Debug)]
pub struct Listener {
    events: broadcast::Sender<ListenerEvent>,
    task: AbortHandle,
}

/// An open connection and its notifications; the channel ends when the connection does.
struct ListeningConnection {
    client: Client,
    events: mpsc::Receiver<ListenerEvent>,
}

impl Listener {
    /// Connects and listens; no notification after this returns is missed.
    #[boxed]
    pub async fn start(config: Config, channels: &[&str]) -> Result<Self, DatabaseError> {
        let config = connect::with_defaults(config);
        let listen: String = channels
            .iter()
            .map(|channel| format!("LISTEN {};", quote_identifier(channel)))
            .collect();
        let connection = open(&config, &listen).await?;
        let (events, _) = broadcast::channel(BACKLOG);
        let task = tokio::spawn(keep_listening(connection, config, listen, events.clone()));
        Ok(Self {
            events,
            task: task.abort_handle(),
        })
    }

    /// Subscribes to all events from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<ListenerEvent> {
        self.events.subscribe()
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn keep_listening(
    mut connection: ListeningConnection,
    config: Config,
    listen: String,
    events: broadcast::Sender<ListenerEvent>,
) {
    loop {
        relay(&mut connection, &events).await;
        tracing::warn!("the notification connection is down; reconnecting");
        // Without subscribers this is not an error: there may be one later.
        let _ = events.send(ListenerEvent::Lost);
        connection = reopen(&config, &listen).await;
        tracing::info!("the notification connection is up again");
        let _ = events.send(ListenerEvent::Restored);
    }
}

/// Passes events on until the connection ends or stops answering.
async fn relay(connection: &mut ListeningConnection, events: &broadcast::Sender<ListenerEvent>) {
    loop {
        match tokio::time::timeout(PING_EVERY, connection.events.recv()).await {
            Ok(Some(event)) => {
                let _ = events.send(event);
            }
            Ok(None) => return,
            Err(_) => {
                // An interrupted network closes no connection; only sending shows that it is gone.
                let ping =
                    tokio::time::timeout(timeout::PING, connection.client.batch_execute("")).await;
                if !matches!(ping, Ok(Ok(()))) {
                    return;
                }
            }
        }
    }
}

async fn reopen(config: &Config, listen: &str) -> ListeningConnection {
    let mut backoff = Backoff::of_connections();
    loop {
        tokio::time::sleep(backoff.pause()).await;
        match open(config, listen).await {
            Ok(connection) => return connection,
            Err(error) => tracing::debug!(%error, "still not listening"),
        }
    }
}

async fn open(config: &Config, listen: &str) -> Result<ListeningConnection, DatabaseError> {
    let (client, mut connection) = connect::open(config).await?;
    let (sender, events) = mpsc::channel(BACKLOG);
    tokio::spawn(async move {
        let mut messages = poll_fn(|cx| connection.poll_message(cx));
        while let Some(message) = messages.next().await {
            match message {
                Ok(AsyncMessage::Notification(note)) => {
                    let channel = note.channel().to_owned();
                    let payload = note.payload().to_owned();
                    let event = ListenerEvent::Notification { channel, payload };
                    if sender.send(event).await.is_err() {
                        return;
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(reason = describe(&error), "stopped listening");
                    return;
                }
            }
        }
    });
    client.batch_execute(listen).await?;
    Ok(ListeningConnection { client, events })
}
