//! The tenant's settings for creating holdings and items, read once per load.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::Context;
use octavo_records::StoreError;
use octavo_source_records::store::{exists, ids_by};
use uuid::Uuid;

/// Options of holdings that records do not have.
#[derive(Debug, Clone, Copy)]
pub struct HoldingsOptions {
    /// The location when field 852 has no known code.
    pub location_id: Uuid,
    /// The type of holdings, if any.
    pub holdings_type_id: Option<Uuid>,
    /// Options of items, if they are to be created: one for each barcode.
    pub items: Option<ItemOptions>,
}

/// Options of items that records do not have.
#[derive(Debug, Clone, Copy)]
pub struct ItemOptions {
    /// The kind of material.
    pub material_type_id: Uuid,
    /// The kind of loan.
    pub loan_type_id: Uuid,
}

/// The common settings of holdings.
#[derive(Debug)]
pub struct HoldingsSettings {
    /// The requested options.
    pub(super) options: HoldingsOptions,
    /// The source id of holdings without MARC.
    pub(super) source_id: Uuid,
    /// The locations by their codes.
    pub(super) locations: HashMap<String, Uuid>,
}

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
pub enum Unknown {
    /// An option names something that the tenant does not have.
    #[error("there is no {what} {id} in this tenant")]
    Record {
        /// The option's record type.
        what: &'static str,
        id: String,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl HoldingsSettings {
    /// Reads the settings and checks the options.
    ///
    /// # Errors
    /// When an option names an unknown record, or on a database error.
    #[boxed]
    pub async fn read(
        context: &Context<'_>,
        options: HoldingsOptions,
    ) -> Result<HoldingsSettings, Unknown> {
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
                return Err(Unknown::Record {
                    what,
                    id: id.to_string(),
                });
            }
        }
        let sources = ids_by(database, tenant, "holdings_records_source", "name").await?;
        let source_id = sources.get("FOLIO").copied();
        let source_id = source_id.ok_or_else(|| Unknown::Record {
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
