//! The lists that rules name values by.

use octavo_records::{Executor, StoreError, Tenant};

use crate::rules::{Entry, List, References};

/// Entries of one list at most; a list of names is never longer in earnest.
const ENTRIES_MAX: i64 = 100_000;

/// The tenant's lists.
pub async fn read(executor: &dyn Executor, tenant: &Tenant) -> Result<References, StoreError> {
    let mut references = References::default();
    for (list, table) in List::ALL {
        let sql = format!(
            "SELECT id::text, coalesce(jsonb->>'name', ''), jsonb->>'code', jsonb->>'libraryId', \
             jsonb->>'campusId', jsonb->>'institutionId' FROM {}.{table} LIMIT $1",
            tenant.schema()
        );
        for row in executor.rows(&sql, &[&ENTRIES_MAX]).await? {
            let entry = Entry {
                name: row.get(1),
                code: row.get(2),
                library_id: row.get(3),
                campus_id: row.get(4),
                institution_id: row.get(5),
            };
            references.add(list, row.get(0), entry);
        }
    }
    Ok(references)
}
