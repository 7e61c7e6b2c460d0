//! The compiled calendars of every tenant. What is kept is used only while the database says that
//! nothing changed, so a change is seen by the next check-out on every process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use octavo_platform::trace;
use octavo_records::{Executor, StoreError, Tables};

use crate::compiled::Calendars;
use crate::store;

type Kept = HashMap<String, (String, Arc<Calendars>)>;

/// Compiled calendars by tenant.
#[derive(Debug, Default)]
pub struct CalendarBook {
    kept: Mutex<Kept>,
}

impl CalendarBook {
    /// The calendars of this version, which a statement of the caller's read as
    /// [`store::version_sql`]; compiled now unless they are kept already.
    ///
    /// # Errors
    /// When the database does not answer, or a stored calendar cannot be read.
    pub async fn calendars(
        &self,
        executor: &impl Executor,
        tables: Tables<'_>,
        version: Option<&str>,
    ) -> Result<Arc<Calendars>, StoreError> {
        let tenant = tables.tenant.id();
        if let Some((kept, calendars)) = self.lock().get(tenant)
            && version == Some(kept.as_str())
        {
            return Ok(Arc::clone(calendars));
        }
        // The version read with the calendars is theirs; that of the caller may be older.
        let (version, records) = store::all(executor, tables).await?;
        let compiling = trace::span("compile the calendars");
        let calendars = Arc::new(Calendars::new(&records));
        drop(compiling);
        if let Some(version) = version {
            self.lock()
                .insert(tenant.to_owned(), (version, Arc::clone(&calendars)));
        }
        Ok(calendars)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
