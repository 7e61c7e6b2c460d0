//! Reads documents by id, as many as fit into the memory budget.

use std::collections::{HashMap, HashSet};

use octavo_records::StoreError;
use uuid::Uuid;

use super::records::{BYTES_MAX, ExportedKind, Reader, STORED_BYTES_MAX};

/// Documents that were read.
#[derive(Debug, Default)]
pub struct Fitting {
    /// Those that fit, as JSON. The first of the ids is always among them if it is there.
    pub found: HashMap<Uuid, String>,
    /// Existing ones that did not fit.
    pub unfit: HashSet<Uuid>,
}

impl Reader {
    /// The MARC in JSON of source records by their ids.
    pub async fn parsed(&self, ids: &[Uuid]) -> Result<Fitting, StoreError> {
        let content = "jsonb->'parsedRecord'->'content'";
        self.fitting("source_record", content, ids).await
    }

    /// Records of inventory by their ids.
    pub async fn documents(&self, kind: ExportedKind, ids: &[Uuid]) -> Result<Fitting, StoreError> {
        self.fitting(kind.table(), "jsonb", ids).await
    }

    /// Stored (compressed) sizes are summed first, which reads none of the values, and then the unpacked
    /// ones.
    async fn fitting(
        &self,
        table: &str,
        wanted: &str,
        ids: &[Uuid],
    ) -> Result<Fitting, StoreError> {
        // `OFFSET 0` keeps the planner from flattening the levels, which would unpack a document once
        // per use.
        let sql = format!(
            "SELECT id, CASE WHEN fits THEN body END AS body, fits FROM (SELECT id, body, \
             at = 1 OR (is_near \
             AND coalesce(sum(octet_length(body)) OVER (ROWS UNBOUNDED PRECEDING), 0) <= {BYTES_MAX}) \
             AS fits FROM (SELECT id, at, is_near, \
             CASE WHEN at = 1 OR is_near THEN ({wanted})::text END AS body \
             FROM (SELECT kept.id, given.at, kept.jsonb, sum(pg_column_size(kept.jsonb)) \
             OVER (ROWS UNBOUNDED PRECEDING) <= {STORED_BYTES_MAX} AS is_near \
             FROM unnest($1::uuid[]) WITH ORDINALITY AS given(id, at) \
             JOIN {}.{table} AS kept ON kept.id = given.id) AS found OFFSET 0) AS read) AS counted",
            self.tenant.schema()
        );
        let mut result = Fitting::default();
        for row in self.database.query(&sql, &[&ids]).await? {
            let id = row.get("id");
            if !row.get::<_, bool>("fits") {
                result.unfit.insert(id);
            } else if let Some(body) = row.get("body") {
                result.found.insert(id, body);
            }
        }
        Ok(result)
    }
}
