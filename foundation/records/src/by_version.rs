//! A cache of one value for each tenant, valid for as long as the database has the same version.
//! The caller reads the version with each operation, so a change is seen by the next operation on
//! every process.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::tenant::Tenant;

type VersionedValues<V, T> = HashMap<String, (V, Arc<T>)>;

/// Values by tenant, each with the version that it was made from.
pub struct ByVersion<V, T> {
    kept: Mutex<VersionedValues<V, T>>,
}

impl<V, T> ByVersion<V, T> {
    /// The value of this version, from the cache or from `reading`, which is not polled if the
    /// cache has it. It is cached under the version that `reading` returns with it, or not at all
    /// if that is none. A value may be newer than that version, never older: then the next call
    /// reads it again.
    ///
    /// # Errors
    /// Those of `reading`; the cache stays as it was.
    pub async fn current<Q, E>(
        &self,
        tenant: &Tenant,
        version: Option<&Q>,
        reading: impl Future<Output = Result<(Option<V>, T), E>>,
    ) -> Result<Arc<T>, E>
    where
        V: Borrow<Q>,
        Q: PartialEq + ?Sized,
    {
        if let Some((kept, value)) = self.lock().get(tenant.id())
            && version == Some(kept.borrow())
        {
            return Ok(Arc::clone(value));
        }
        let (version, value) = reading.await?;
        let value = Arc::new(value);
        if let Some(version) = version {
            let kept = (version, Arc::clone(&value));
            self.lock().insert(tenant.id().to_owned(), kept);
        }
        Ok(value)
    }

    fn lock(&self) -> MutexGuard<'_, VersionedValues<V, T>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<V, T> Default for ByVersion<V, T> {
    fn default() -> Self {
        ByVersion {
            kept: Mutex::default(),
        }
    }
}

impl<V, T> fmt::Debug for ByVersion<V, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ByVersion").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(id: &str) -> Tenant {
        Tenant::new(id).expect("a tenant's id")
    }

    async fn found(
        book: &ByVersion<i64, &'static str>,
        tenant: &Tenant,
        version: Option<i64>,
        there: (Option<i64>, &'static str),
    ) -> &'static str {
        let reading = std::future::ready(Ok::<_, ()>(there));
        let value = book.current(tenant, version.as_ref(), reading).await;
        *value.expect("a value")
    }

    #[tokio::test]
    async fn a_value_is_read_again_when_its_version_is_another() {
        let (book, one) = (ByVersion::default(), tenant("one"));
        let (first, second) = ((Some(1), "first"), (Some(2), "second"));
        assert_eq!(found(&book, &one, Some(1), first).await, "first");
        assert_eq!(found(&book, &one, Some(1), second).await, "first");
        assert_eq!(found(&book, &one, Some(2), second).await, "second");
        assert_eq!(found(&book, &one, Some(2), first).await, "second");
        // Each tenant has its own value, even with the same version.
        let other = tenant("other");
        assert_eq!(found(&book, &other, Some(2), first).await, "first");
    }

    #[tokio::test]
    async fn a_value_belongs_to_the_version_it_was_read_with() {
        let (book, one) = (ByVersion::default(), tenant("one"));
        let newer = (Some(2), "newer");
        assert_eq!(found(&book, &one, Some(1), newer).await, "newer");
        assert_eq!(found(&book, &one, Some(2), (None, "unread")).await, "newer");
    }

    #[tokio::test]
    async fn what_has_no_version_is_not_kept_and_no_failure_loses_what_is() {
        let (book, one) = (ByVersion::default(), tenant("one"));
        assert_eq!(found(&book, &one, None, (None, "first")).await, "first");
        assert_eq!(found(&book, &one, None, (None, "second")).await, "second");
        assert_eq!(
            found(&book, &one, Some(1), (Some(1), "third")).await,
            "third"
        );
        assert_eq!(found(&book, &one, None, (None, "fourth")).await, "fourth");
        let failing = std::future::ready(Err("no answer"));
        let failed = book.current(&one, Some(&2), failing).await;
        assert_eq!(failed, Err("no answer"));
        assert_eq!(found(&book, &one, Some(1), (None, "unread")).await, "third");
    }
}
