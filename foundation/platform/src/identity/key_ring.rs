//! The keys of tokens as they change: read when the database tells of it, and when a token names a
//! key that is not known here.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use tokio::sync::Mutex;

use crate::background::heard::Heard;
use crate::token::{KeySource, Signer};

/// The channel on which the database tells that keys were made or removed.
pub const KEY_CHANNEL: &str = "octavo_keys";

/// Anybody can send tokens of unknown keys: they make this process read its keys once in so long.
const UNKNOWN_EVERY: Duration = Duration::from_millis(500);

/// Where keys come from and go to.
pub struct KeyRing {
    source: Arc<dyn KeySource>,
    database: Database,
    signer: Arc<Signer>,
    /// When they were last read because of an unknown one.
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

    /// Reads the keys and uses them.
    ///
    /// # Errors
    /// When the database does not answer; the keys stay as they are.
    #[boxed]
    pub async fn reload(&self) -> Result<(), DatabaseError> {
        let keys = self.source.load(&self.database).await?;
        self.signer.replace(&keys);
        Ok(())
    }

    pub(crate) async fn reload_for_unknown(&self) {
        // Those who wait here find the keys read by the one before them.
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
    /// Reads the keys when they changed or may have.
    pub(crate) async fn hear(&self, heard: &Heard) {
        match heard {
            Heard::Notice { channel, .. } if *channel != KEY_CHANNEL => {}
            Heard::Lost | Heard::Closed => {}
            Heard::Notice { .. } | Heard::Restored | Heard::Missed => {
                if let Err(error) = self.reload().await {
                    // A token of a key that is not known makes it try again.
                    tracing::warn!(%error, "the keys of tokens could not be read");
                }
            }
        }
    }
}
