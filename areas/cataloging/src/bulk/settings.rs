//! What making holdings and items needs to know of the tenant, read once before it begins.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_records::Context;
use octavo_records::StoreError;
use octavo_source_records::store::{exists, ids_by};
use uuid::Uuid;

/// What the records do not say of their holdings.
#[derive(Debug, Clone, Copy)]
pub struct HoldingsOptions {
    /// The location, where field 852 names none by its code.
    pub location_id: Uuid,
    /// The type of holdings, if any.
    pub holdings_type_id: Option<Uuid>,
    /// Items, if wanted: one for each barcode.
    pub items: Option<ItemOptions>,
}

/// What the records do not say of their items.
#[derive(Debug, Clone, Copy)]
pub struct ItemOptions {
    /// The kind of material.
    pub material_type_id: Uuid,
    /// The kind of loan.
    pub loan_type_id: Uuid,
}

/// What is the same for all holdings that are made together.
#[derive(Debug)]
pub struct HoldingsSettings {
    /// As asked for.
    pub(super) options: HoldingsOptions,
    /// The source of holdings that have no MARC of their own.
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
        /// What was named.
        what: &'static str,
        id: String,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl HoldingsSettings {
    /// Reads what the options need, and refuses those that name what does not exist.
    ///
    /// # Errors
    /// When an option names nothing, or the database fails.
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
