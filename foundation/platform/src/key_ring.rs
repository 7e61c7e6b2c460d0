//! The keys of tokens as they change: read when the database tells of it, and when a token names a
//! key that is not known here.

use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError};
use octavo_records::{StoreError, Tenant};
use tokio::sync::Mutex;

use crate::change_listener::Heard;
use crate::platform::Platform;
use crate::token::{Claims, KeySource, Signer, TokenError};

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

    async fn reload_for_unknown(&self) {
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

impl Platform {
    /// Signs a token for a tenant as it is now: one that is made later with its id does not take it.
    #[boxed]
    pub async fn sign(&self, tenant: &Tenant, mut claims: Claims) -> Result<String, StoreError> {
        let incarnation = self.tenants.incarnation(&self.store, tenant).await?;
        claims.incarnation = incarnation.map(|one| one.id);
        let signed = self.signer.sign(&claims);
        signed.map_err(|error| StoreError::fault(error))
    }

    /// Whether a token was signed for a tenant as it is now.
    #[boxed]
    pub async fn is_of_tenant(&self, tenant: &Tenant, claims: &Claims) -> Result<bool, StoreError> {
        let incarnation = self.tenants.incarnation(&self.store, tenant).await?;
        let same = incarnation.is_some_and(|one| claims.is_of(one));
        Ok(same && claims.tenant == tenant.id())
    }

    /// Verifies a refresh token, be its key known here yet or not.
    ///
    /// # Errors
    /// When it is forged, malformed, past its end, or a token of another kind.
    #[boxed]
    pub async fn verify_refresh(&self, token: &str) -> Result<Claims, TokenError> {
        match self.signer.verify_refresh(token) {
            Err(TokenError::UnknownKey) => {
                self.reload_keys_for_unknown().await;
                self.signer.verify_refresh(token)
            }
            verified => verified,
        }
    }

    /// The same for one that may have ended: its session can be logged out all the same.
    ///
    /// # Errors
    /// As [`Platform::verify_refresh`], but for its end.
    #[boxed]
    pub async fn verify_ended_refresh(&self, token: &str) -> Result<Claims, TokenError> {
        match self.signer.verify_ended_refresh(token) {
            Err(TokenError::UnknownKey) => {
                self.reload_keys_for_unknown().await;
                self.signer.verify_ended_refresh(token)
            }
            verified => verified,
        }
    }

    /// Reads the keys again unless that was just done.
    pub(crate) async fn reload_keys_for_unknown(&self) {
        if let Some(ring) = &self.keys {
            ring.reload_for_unknown().await;
        }
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
