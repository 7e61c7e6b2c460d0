//! The user for whom a search runs, so that the searches of one do not delay others. This crate
//! only compares askers; it does not know who they are.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;

tokio::task_local! {
    static ASKER: Asker;
}

/// A user of the database, hashed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Asker {
    pub(crate) tenant: u64,
    pub(crate) user: u64,
}

impl Asker {
    /// A user of a tenant, by any keys.
    pub fn of(tenant: impl Hash, user: impl Hash) -> Self {
        // A random key for each process: nobody can choose ids that collide with another user's
        // share.
        static KEYED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        let tenant = KEYED.hash_one(tenant);
        Self {
            tenant,
            user: KEYED.hash_one((tenant, user)),
        }
    }
}

/// Awaits a future whose searches run for this asker.
pub async fn asking<T>(asker: Asker, future: impl Future<Output = T>) -> T {
    ASKER.scope(asker, future).await
}

/// The asker of the running code; `None` for the program's own work.
pub(crate) fn current() -> Option<Asker> {
    ASKER.try_with(|asker| *asker).ok()
}
