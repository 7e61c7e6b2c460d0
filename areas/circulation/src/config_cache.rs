//! Per-process cache of every tenant's compiled rules, calendars and configuration. An entry is used
//! only while its version in the database is the same, so the next check-out on every process sees a
//! change.

use std::sync::Arc;

use octavo_calendar::{CalendarBook, Calendars};
use octavo_platform::trace;
use octavo_records::{ByVersion, Executor, StoreError};

use crate::circulation_config::CirculationConfig;
use crate::rules::CompiledRules;
use crate::store::policy::TenantTerms;
use crate::store::{Tables, circulation_config, policy};

/// The cache by tenant. Callers pass the tenant's terms, which have the current versions.
#[derive(Debug, Default)]
pub struct ConfigCache {
    rules: ByVersion<String, CompiledRules>,
    calendars: CalendarBook,
    configs: ByVersion<i64, CirculationConfig>,
}

impl ConfigCache {
    /// The rules, compiled unless cached.
    ///
    /// # Errors
    /// When the tenant has no rules.
    pub async fn rules(
        &self,
        executor: &dyn Executor,
        tables: Tables<'_>,
        terms: &TenantTerms,
    ) -> Result<Arc<CompiledRules>, StoreError> {
        let tenant = tables.tenant;
        let compiled = async {
            let id = tenant.id();
            let missing = || StoreError::fault(format!("tenant {id} has no circulation rules"));
            let text = policy::rules_text(executor, tables).await?;
            let (_, version, text) = text.ok_or_else(missing)?;
            // The text was checked when it was stored; a policy deleted since is detected when it is
            // used.
            let _compiling = trace::span("compile the rules");
            let rules = CompiledRules::compile(&text, None).map_err(|error| {
                let reason = error.message;
                StoreError::fault(format!("tenant {id}'s circulation rules: {reason}"))
            })?;
            Ok((Some(version), rules))
        };
        let version = terms.rules_version.as_deref();
        self.rules.current(tenant, version, compiled).await
    }

    /// The calendars, compiled unless cached.
    ///
    /// # Errors
    /// When a stored calendar cannot be read.
    pub async fn calendars(
        &self,
        executor: &dyn Executor,
        tables: Tables<'_>,
        terms: &TenantTerms,
    ) -> Result<Arc<Calendars>, StoreError> {
        let version = terms.calendars_version.as_deref();
        self.calendars.calendars(executor, tables, version).await
    }

    /// The configuration, read unless cached.
    pub async fn config(
        &self,
        executor: &dyn Executor,
        tables: Tables<'_>,
        terms: &TenantTerms,
    ) -> Result<Arc<CirculationConfig>, StoreError> {
        let version = terms.house_version;
        let reading = async {
            let reading = circulation_config::read(executor, tables);
            let config = trace::within("read places and policies anew", reading).await?;
            Ok((Some(version), config))
        };
        let asked = Some(&version);
        self.configs.current(tables.tenant, asked, reading).await
    }
}
