//! The reference lists of rules.

use octavo_records::{Executor, StoreError, Tenant};

use crate::rules::{Entry, List, References};

/// Maximal number of entries of a list; real ones are far shorter.
const ENTRIES_MAX: i64 = 100_000;

/// The tenant's lists.
pub async fn read(executor: &dyn Executor, tenant: &Tenant) -> Result<References, StoreError> {
    let mut references = References::default();
    for (list, table) in List::ALL {
        let sql = format!(
            "SELECT id::text, coalesce(jsonb->>'name', '') AS name, jsonb->>'code' AS code, \
             jsonb->>'libraryId' AS library_id, \
             jsonb->>'campusId' AS campus_id, \
             jsonb->>'institutionId' AS institution_id FROM {}.{table} LIMIT $1",
            tenant.schema()
        );
        for row in executor.rows(&sql, &[&ENTRIES_MAX]).await? {
            let entry = Entry {
                name: row.get("name"),
                code: row.get("code"),
                library_id: row.get("library_id"),
                campus_id: row.get("campus_id"),
                institution_id: row.get("institution_id"),
            };
            references.add(list, row.get("id"), entry);
        }
    }
    Ok(references)
}
