//! What a load needs to know of the tenant, read once before it begins.

use std::collections::HashMap;

use uuid::Uuid;

use super::{HoldingsOptions, LoadError, LoadOptions};
use crate::app::Context;
use crate::store::{exists, ids_by};

/// What is the same for all records of a load.
#[derive(Debug)]
pub(super) struct Settings {
    /// The snapshot that the source records belong to.
    pub snapshot_id: Uuid,
    /// Holdings, if wanted.
    pub holdings: Option<HoldingsSettings>,
}

/// What is the same for all holdings of a load.
#[derive(Debug)]
pub(super) struct HoldingsSettings {
    /// As asked for.
    pub options: HoldingsOptions,
    /// The source of holdings that have no MARC of their own.
    pub source_id: Uuid,
    /// The locations by their codes.
    pub locations: HashMap<String, Uuid>,
}

impl Settings {
    /// Reads what the options need, and refuses those that name what does not exist.
    pub(super) async fn read(
        context: &Context<'_>,
        options: &LoadOptions,
        snapshot_id: Uuid,
    ) -> Result<Settings, LoadError> {
        let holdings = match options.holdings {
            Some(options) => Some(HoldingsSettings::read(context, options).await?),
            None => None,
        };
        Ok(Settings {
            snapshot_id,
            holdings,
        })
    }
}

impl HoldingsSettings {
    async fn read(
        context: &Context<'_>,
        options: HoldingsOptions,
    ) -> Result<HoldingsSettings, LoadError> {
        let (database, tenant) = (&context.store.database, context.tenant);
        let items = options.items;
        for (what, table, id) in [
            ("location", "location", Some(options.location_id)),
            ("holdings type", "holdings_type", options.holdings_type_id),
            (
                "material type",
                "material_type",
                items.map(|items| items.material_type_id),
            ),
            (
                "loan type",
                "loan_type",
                items.map(|items| items.loan_type_id),
            ),
        ] {
            if let Some(id) = id
                && !exists(database, tenant, table, id).await?
            {
                return Err(LoadError::Unknown {
                    what,
                    id: id.to_string(),
                });
            }
        }
        let sources = ids_by(database, tenant, "holdings_records_source", "name").await?;
        let source_id = sources.get("FOLIO").copied();
        let source_id = source_id.ok_or_else(|| LoadError::Unknown {
            what: "holdings records source",
            id: "FOLIO".to_owned(),
        })?;
        let locations = ids_by(database, tenant, "location", "code").await?;
        Ok(HoldingsSettings {
            options,
            source_id,
            locations,
        })
    }
}
