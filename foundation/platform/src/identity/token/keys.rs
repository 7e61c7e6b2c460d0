//! The keys that tokens are signed with, and their source.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use jsonwebtoken::{DecodingKey, EncodingKey};
use octavo_postgres::{Database, DatabaseError};
use ring::digest::{SHA256, digest};

/// A signing key. Its `Debug` does not show the secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// The name that tokens carry (`kid`).
    pub id: String,
    pub secret: Vec<u8>,
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Key").field(&self.id).finish()
    }
}

impl Key {
    /// A key with a name derived from its secret by a one-way hash, so that the same secret has the
    /// same name in every process.
    #[must_use]
    pub fn new(secret: Vec<u8>) -> Key {
        let fingerprint = digest(&SHA256, &secret);
        let id = fingerprint.as_ref()[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Key { id, secret }
    }
}

pub type KeyLoad<'a> = Pin<Box<dyn Future<Output = Result<Vec<Key>, DatabaseError>> + Send + 'a>>;

/// Where the keys are stored.
pub trait KeySource: Send + Sync {
    /// All valid keys, newest first; the newest signs.
    fn load<'a>(&'a self, database: &'a Database) -> KeyLoad<'a>;
}

/// Keys ready for use, the newest first.
pub(super) struct Keys {
    /// Counts replacements: a token verified under an earlier set is verified again.
    pub(super) epoch: u64,
    ready: Vec<Ready>,
}

pub(super) struct Ready {
    pub(super) id: String,
    pub(super) encoding: EncodingKey,
    pub(super) decoding: DecodingKey,
}

impl Keys {
    pub(super) fn new(epoch: u64, keys: &[Key]) -> Keys {
        let ready = keys.iter().map(|key| Ready {
            id: key.id.clone(),
            encoding: EncodingKey::from_secret(&key.secret),
            decoding: DecodingKey::from_secret(&key.secret),
        });
        Keys {
            epoch,
            ready: ready.collect(),
        }
    }

    pub(super) fn newest(&self) -> Option<&Ready> {
        self.ready.first()
    }

    pub(super) fn of(&self, id: &str) -> Option<&Ready> {
        self.ready.iter().find(|key| key.id == id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Ready> {
        self.ready.iter()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.ready.iter().map(|key| key.id.as_str())
    }
}
