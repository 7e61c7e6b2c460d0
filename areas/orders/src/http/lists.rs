//! Lists of records and of views, without what acquisitions units hide from the user.

use axum::response::Response;
use octavo_platform::records_http::{View, page_of};
use octavo_platform::{ApiError, Call};
use octavo_records::Collection;
use octavo_records::plan::{Sql, renamed};

use crate::store::units::{UnitsOf, hiding, visible};

/// The permission to see everything.
pub use crate::app::terms::BYPASS;

/// A list.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    pub table: &'static str,
    /// The key of the list, where it is not the record type's.
    pub list_key: Option<&'static str>,
    /// Other names of fields in queries.
    pub fields: Option<fn(&str) -> Option<String>>,
    /// What is shown of the records.
    pub view: Option<View>,
    /// Where the units are that hide records.
    pub units: Option<UnitsOf>,
}

impl Listed {
    /// The records of a table.
    #[must_use]
    pub const fn of(table: &'static str) -> Listed {
        Listed {
            table,
            list_key: None,
            fields: None,
            view: None,
            units: None,
        }
    }
}

/// A page of a list.
///
/// # Errors
/// When the query cannot be run.
pub async fn list(call: &Call, listed: Listed) -> Result<Response, ApiError> {
    let mut paging = call.paging()?;
    if let (Some(fields), Some(query)) = (listed.fields, &paging.query) {
        paging.query = Some(renamed(query, fields));
    }
    let mut own: Collection;
    let mut collection: &Collection = call.collection(listed.table);
    if let Some(list_key) = listed.list_key {
        own = collection.clone();
        list_key.clone_into(&mut own.list_key);
        collection = &own;
    }
    let store = call.store();
    let mut plan = store.plan(&call.tenant, collection, paging.query.as_deref())?;
    if let Some(of) = listed.units.filter(|_| !call.has_permission(BYPASS)) {
        let hiding = hiding(&store.database, call.tables(), call.user_id()).await?;
        plan.predicate = visible(plan.predicate, of, &hiding);
    }
    let (limit, offset) = (paging.limit, paging.offset);
    let sql = match listed.view {
        Some(view) => view(call.tables(), &plan, limit, offset),
        None => Sql::page(call.tenant.schema(), listed.table, &plan, limit, offset),
    };
    Ok(page_of(call, collection, &plan, sql, paging.search()).await?)
}
