//! The compiled calendars of every tenant. What is kept is used only while the database says that
//! nothing changed, so a change is seen by the next check-out on every process.

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
    /// The calendars of this version, which a statement of the caller's read as
    /// [`store::version_sql`]; compiled now unless they are kept already.
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
            // The version read with the calendars is theirs; that of the caller may be older.
            let (version, records) = store::all(executor, tables).await?;
            let _compiling = trace::span("compile the calendars");
            Ok((version, Calendars::new(&records)))
        };
        self.kept.current(tables.tenant, version, compiled).await
    }
}
