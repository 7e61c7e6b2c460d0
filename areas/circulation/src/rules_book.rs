//! What is kept of every tenant: compiled rules and calendars, places and policies. Each is used only
//! while the database says that it is still the same, so a change is seen by the next check-out on
//! every process.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use octavo_calendar::CalendarBook;
use octavo_platform::trace;
use octavo_records::{Executor, StoreError};

use crate::house::HouseBook;
use crate::rules::CompiledRules;
use crate::store::{Tables, policy};

type Kept = HashMap<String, (String, Arc<CompiledRules>)>;

/// What is kept, by tenant.
#[derive(Debug, Default)]
pub struct RulesBook {
    kept: Mutex<Kept>,
    /// The compiled calendars.
    pub calendars: CalendarBook,
    /// Places, service points, types, groups and policies.
    pub houses: HouseBook,
}

impl RulesBook {
    /// The rules of this version, compiled now unless they are kept already.
    ///
    /// # Errors
    /// When the tenant has no rules, or the database does not answer.
    pub async fn rules(
        &self,
        executor: &impl Executor,
        tables: Tables<'_>,
        version: Option<&str>,
    ) -> Result<Arc<CompiledRules>, StoreError> {
        let tenant = tables.tenant.id();
        if let Some((kept, rules)) = self.lock().get(tenant)
            && version == Some(kept.as_str())
        {
            return Ok(Arc::clone(rules));
        }
        let missing = || StoreError::Database(format!("tenant {tenant} has no circulation rules"));
        let (_, version, text) = policy::rules_text(executor, tables)
            .await?
            .ok_or_else(missing)?;
        // The text was checked when it was stored; a policy deleted since is met when it is used.
        let compiling = trace::span("compile the rules");
        let rules = CompiledRules::compile(&text, None).map_err(|error| {
            StoreError::Database(format!(
                "tenant {tenant}'s circulation rules: {}",
                error.message
            ))
        })?;
        drop(compiling);
        let rules = Arc::new(rules);
        self.lock()
            .insert(tenant.to_owned(), (version, Arc::clone(&rules)));
        Ok(rules)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
