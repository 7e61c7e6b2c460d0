//! The houses of all tenants. One is used only while the database says that its version is still
//! the same, so a change is seen by the next check-out on every process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use octavo_platform::trace;
use octavo_records::{Executor, StoreError};

use super::House;
use crate::store::{Tables, house};

type Kept = HashMap<String, (i64, Arc<House>)>;

/// Houses by tenant.
#[derive(Debug, Default)]
pub struct HouseBook {
    kept: Mutex<Kept>,
}

impl HouseBook {
    /// The house of this version, read now unless it is kept already.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn house(
        &self,
        executor: &impl Executor,
        tables: Tables<'_>,
        version: i64,
    ) -> Result<Arc<House>, StoreError> {
        let tenant = tables.tenant.id();
        if let Some((kept, house)) = self.lock().get(tenant)
            && *kept == version
        {
            return Ok(Arc::clone(house));
        }
        // Something newer than the version is possible and harmless: the next look reads it again.
        let reading = house::read(executor, tables);
        let house = Arc::new(trace::within("read places and policies anew", reading).await?);
        self.lock()
            .insert(tenant.to_owned(), (version, Arc::clone(&house)));
        Ok(house)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
