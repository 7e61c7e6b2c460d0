//! The compiled calendars of every tenant. A cache entry is used only while the version in the database
//! is the same, so the next check-out on every process sees a change.

use std::sync::Arc;

use octavo_boxed::boxed;
use octavo_platform::trace;
use octavo_records::{ByVersion, Executor, StoreError, Tables};

use crate::compiled::Calendars;
use crate::store;

/// Compiled calendars by tenant.
#[derive(Debug, Default)]
pub struct CalendarBook {
    kept: ByVersion<String, Calendars>,
}

impl CalendarBook {
    /// The calendars of this version, which the caller read with [`store::version_sql`]; compiled unless
    /// they are cached.
    ///
    /// # Errors
    /// When a stored calendar cannot be read.
    #[boxed]
    pub async fn calendars(
        &self,
        executor: &dyn Executor,
        tables: Tables<'_>,
        version: Option<&str>,
    ) -> Result<Arc<Calendars>, StoreError> {
        let compiled = async {
            // Cached under the version read together with the calendars; the caller's may be older.
            let (version, records) = store::all(executor, tables).await?;
            let _compiling = trace::span("compile the calendars");
            Ok((version, Calendars::new(&records)))
        };
        self.kept.current(tables.tenant, version, compiled).await
    }
}
