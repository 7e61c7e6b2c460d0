//! Who a search is run for, so that nobody's searches keep others waiting. Only whether two askers
//! are the same is known here, not who they are.

use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::LazyLock;

tokio::task_local! {
    static ASKER: Asker;
}

/// One of those who share the database.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Asker {
    pub(crate) tenant: u64,
    pub(crate) user: u64,
}

impl Asker {
    /// A user of a tenant, by whatever they are known.
    pub fn of(tenant: impl Hash, user: impl Hash) -> Self {
        // Keyed anew by each process: nobody can choose whose share to use up.
        static KEYED: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        let tenant = KEYED.hash_one(tenant);
        Self {
            tenant,
            user: KEYED.hash_one((tenant, user)),
        }
    }
}

/// Awaits a future whose searches are run for this asker.
pub async fn asking<T>(asker: Asker, future: impl Future<Output = T>) -> T {
    ASKER.scope(asker, future).await
}

/// For whom the code runs that runs now; nothing for work of our own.
pub(crate) fn current() -> Option<Asker> {
    ASKER.try_with(|asker| *asker).ok()
}
