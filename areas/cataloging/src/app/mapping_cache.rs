//! Per-process cache of a tenant's compiled mapping rules and reference lists. An entry is used only
//! while its version in the database is unchanged.

use std::sync::{Arc, LazyLock};

use octavo_boxed::boxed;
use octavo_mapping::{RecordKind, References, Rules};
use octavo_platform::trace;
use octavo_records::{ByVersion, Executor, StoreError};

use super::Context;
use crate::store::{references, rules};

/// The mapping of a kind of records.
#[derive(Debug, Clone)]
pub struct Mapping {
    pub rules: Arc<Rules>,
    /// The reference lists.
    pub references: Arc<References>,
}

/// By tenant. A version includes the database's id, since one process may serve several databases.
#[derive(Debug, Default)]
struct CachedMapping {
    bib: ByVersion<String, Rules>,
    holdings: ByVersion<String, Rules>,
    authority: ByVersion<String, Rules>,
    references: ByVersion<String, References>,
}

static KEPT: LazyLock<CachedMapping> = LazyLock::new(CachedMapping::default);

/// The rules of the release.
#[derive(Debug)]
struct Defaults {
    bib: Arc<Rules>,
    holdings: Arc<Rules>,
    authority: Arc<Rules>,
}

static DEFAULTS: LazyLock<Defaults> = LazyLock::new(|| {
    let ready = |kind| {
        let rules = Rules::parse(kind, &Rules::defaults(kind));
        Arc::new(rules.expect("invariant: the default rules can be carried out"))
    };
    Defaults {
        bib: ready(RecordKind::Bib),
        holdings: ready(RecordKind::Holdings),
        authority: ready(RecordKind::Authority),
    }
});

/// The tenant's rules for a kind of records: its own, or those of the release.
#[boxed]
pub async fn rules_of(context: &Context<'_>, kind: RecordKind) -> Result<Arc<Rules>, StoreError> {
    rules_within(&context.store.database, context, kind).await
}

/// The tenant's reference lists.
#[boxed]
pub async fn references_of(context: &Context<'_>) -> Result<Arc<References>, StoreError> {
    references_within(&context.store.database, context).await
}

/// Both.
#[boxed]
pub async fn mapping_of(context: &Context<'_>, kind: RecordKind) -> Result<Mapping, StoreError> {
    let (rules, references) = tokio::try_join!(rules_of(context, kind), references_of(context))?;
    Ok(Mapping { rules, references })
}

async fn rules_within(
    executor: &dyn Executor,
    context: &Context<'_>,
    kind: RecordKind,
) -> Result<Arc<Rules>, StoreError> {
    let (kept, default) = match kind {
        RecordKind::Bib => (&KEPT.bib, &DEFAULTS.bib),
        RecordKind::Holdings => (&KEPT.holdings, &DEFAULTS.holdings),
        RecordKind::Authority => (&KEPT.authority, &DEFAULTS.authority),
    };
    // Read for each use: another process may have stored other rules.
    let Some(version) = rules::version(executor, context.tables(), kind).await? else {
        return Ok(Arc::clone(default));
    };
    let reading = async {
        let read = rules::read(executor, context.tables(), kind).await?;
        // Reset after its version was read: the next look-up finds none.
        let Some((version, document)) = read else {
            return Ok((None, default.as_ref().clone()));
        };
        let _compiling = trace::span("read the mapping rules");
        // They were checked when they were stored; an older release may not know all of them.
        let rules = Rules::parse(kind, &document).map_err(|problems| {
            let problem = problems.first().map(ToString::to_string);
            let id = context.tenant.id();
            StoreError::fault(format!(
                "the {} rules of tenant {id}: {}",
                kind.name(),
                problem.unwrap_or_default()
            ))
        })?;
        Ok((Some(version), rules))
    };
    kept.current(context.tenant, Some(version.as_str()), reading)
        .await
}

async fn references_within(
    executor: &dyn Executor,
    context: &Context<'_>,
) -> Result<Arc<References>, StoreError> {
    let version = references::version(executor, context.tables()).await?;
    let reading = async {
        let (version, references) = references::read(executor, context.tables()).await?;
        Ok((Some(version), references))
    };
    KEPT.references
        .current(context.tenant, Some(version.as_str()), reading)
        .await
}
