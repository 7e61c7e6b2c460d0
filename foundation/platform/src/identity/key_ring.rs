//! The keys of tokens as they change: loaded when the database notifies of a change, and when a
//! token names an unknown key.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use tokio::sync::Mutex;

use crate::background::listened_event::ListenedEvent;
use crate::token::{KeySource, Signer};

/// The channel of notifications that keys were added or removed.
pub const KEY_CHANNEL: &str = "octavo_keys";

/// Anybody can send tokens with unknown keys; they make this process load its keys no more often
/// than this.
const UNKNOWN_EVERY: Duration = Duration::from_millis(500);

/// Loads keys from their source into the signer.
pub struct KeyRing {
    source: Arc<dyn KeySource>,
    database: Database,
    signer: Arc<Signer>,
    /// When they were last loaded because of an unknown one.
    asked: Mutex<Option<Instant>>,
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyRing")
    }
}

impl KeyRing {
    pub(crate) fn new(
        source: Arc<dyn KeySource>,
        database: Database,
        signer: Arc<Signer>,
    ) -> KeyRing {
        KeyRing {
            source,
            database,
            signer,
            asked: Mutex::new(None),
        }
    }

    /// Loads the keys and uses them.
    ///
    /// # Errors
    /// When they cannot be read; the keys stay as they are.
    #[boxed]
    pub async fn reload(&self) -> Result<(), DatabaseError> {
        let keys = self.source.load(&self.database).await?;
        self.signer.replace(&keys);
        Ok(())
    }

    pub(crate) async fn reload_for_unknown(&self) {
        // Callers that wait here find the keys loaded by the one before them.
        let mut asked = self.asked.lock().await;
        if asked.is_some_and(|at| at.elapsed() < UNKNOWN_EVERY) {
            return;
        }
        if let Err(error) = self.reload().await {
            tracing::debug!(%error, "the keys of tokens could not be read");
        }
        *asked = Some(Instant::now());
    }
}

impl KeyRing {
    /// Loads the keys after a notification, or when one may have been missed.
    pub(crate) async fn handle(&self, event: &ListenedEvent) {
        match event {
            ListenedEvent::Notice { channel, .. } if *channel != KEY_CHANNEL => {}
            // The keys in memory still hold; they are loaded again when the connection is back.
            ListenedEvent::Lost | ListenedEvent::Closed => {}
            ListenedEvent::Notice { .. } | ListenedEvent::Restored | ListenedEvent::Missed => {
                if let Err(error) = self.reload().await {
                    // The next token with an unknown key tries again.
                    tracing::warn!(%error, "the keys of tokens could not be read");
                }
            }
        }
    }
}
