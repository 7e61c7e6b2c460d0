//! Options of browsing call numbers and classification numbers; languages and features.

use octavo_records::{Executor, StoreError, Values};
use uuid::Uuid;

use super::SearchTables;

/// One option of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowseOption {
    /// `all`, `lc`, …
    pub id: String,
    /// The number under which its headings are stored.
    pub kind: i16,
    /// The order.
    pub shelving_algorithm: String,
    /// The types; all when empty.
    pub type_ids: Vec<Uuid>,
}

impl SearchTables<'_> {
    pub async fn options(&self, list: &str) -> Result<Vec<BrowseOption>, StoreError> {
        let sql = format!(
            "SELECT id, kind, shelving_algorithm, type_ids FROM {}.browse_config \
             WHERE type = $1 ORDER BY kind",
            self.schema()
        );
        let rows = self.store.database.rows(&sql, &[&list]).await?;
        let options = rows.iter().map(|row| BrowseOption {
            id: row.get("id"),
            kind: row.get("kind"),
            shelving_algorithm: row.get("shelving_algorithm"),
            type_ids: row.get("type_ids"),
        });
        Ok(options.collect())
    }

    /// Changes an option; returns whether there is one. Its headings are rebuilt in portions.
    pub async fn set_option(
        &self,
        list: &str,
        id: &str,
        algorithm: &str,
        types: &[Uuid],
    ) -> Result<bool, StoreError> {
        let schema = self.schema();
        let sql = format!(
            "WITH changed AS (UPDATE {schema}.browse_config SET shelving_algorithm = $3, \
             type_ids = $4 WHERE type = $1 AND id = $2 RETURNING type), \
             again AS (UPDATE {schema}.search_fill SET done = false, \
             after = '00000000-0000-0000-0000-000000000000' FROM changed \
             WHERE kind = CASE changed.type WHEN 'instance-call-number' THEN 'item' \
             ELSE 'instance' END) SELECT 1 FROM changed"
        );
        let rows = self
            .store
            .database
            .rows(&sql, &[&list, &id, &algorithm, &types])
            .await?;
        Ok(!rows.is_empty())
    }
}

impl SearchTables<'_> {
    /// The ids that are not types of call numbers or classification numbers.
    pub async fn unknown_types(&self, list: &str, ids: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
        let table = match list {
            "instance-call-number" => "call_number_type",
            _ => "classification_type",
        };
        let sql = format!(
            "SELECT one FROM unnest($1::uuid[]) AS one WHERE NOT EXISTS \
             (SELECT FROM {}.{table} WHERE id = one)",
            self.schema()
        );
        let rows = self.store.database.rows(&sql, &[&ids]).await?;
        Ok(rows.iter().map(|row| row.get("one")).collect())
    }
}

impl SearchTables<'_> {
    /// The languages with their analyzers.
    pub async fn languages(&self) -> Result<Vec<(String, Option<String>)>, StoreError> {
        let sql = format!(
            "SELECT code, analyzer FROM {}.search_language ORDER BY code",
            self.schema()
        );
        let rows = self.store.database.rows(&sql, &[]).await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("code"), row.get("analyzer")))
            .collect())
    }

    /// Adds a language, unless there are `most` already.
    pub async fn add_language(
        &self,
        code: &str,
        analyzer: Option<&str>,
        most: i64,
    ) -> Result<bool, StoreError> {
        let schema = self.schema();
        let sql = format!(
            "INSERT INTO {schema}.search_language (code, analyzer) SELECT $1, $2 \
             WHERE (SELECT count(*) FROM {schema}.search_language) < $3 \
             ON CONFLICT (code) DO UPDATE SET analyzer = excluded.analyzer RETURNING code"
        );
        self.is_done(&sql, &[&code, &analyzer, &most]).await
    }

    /// Changes a language; returns whether there is one.
    pub async fn change_language(
        &self,
        code: &str,
        analyzer: Option<&str>,
    ) -> Result<bool, StoreError> {
        let sql = format!(
            "UPDATE {}.search_language SET analyzer = $2 WHERE code = $1 RETURNING code",
            self.schema()
        );
        self.is_done(&sql, &[&code, &analyzer]).await
    }

    /// Removes a language, if there is one.
    pub async fn remove_language(&self, code: &str) -> Result<bool, StoreError> {
        let sql = format!(
            "DELETE FROM {}.search_language WHERE code = $1 RETURNING code",
            self.schema()
        );
        self.is_done(&sql, &[&code]).await
    }

    /// The feature flags.
    pub async fn features(&self) -> Result<Vec<(String, bool)>, StoreError> {
        let sql = format!(
            "SELECT feature, enabled FROM {}.search_feature ORDER BY feature",
            self.schema()
        );
        let rows = self.store.database.rows(&sql, &[]).await?;
        Ok(rows
            .iter()
            .map(|row| (row.get("feature"), row.get("enabled")))
            .collect())
    }

    /// Adds a feature flag; returns false when there is one already.
    pub async fn add_feature(&self, feature: &str, enabled: bool) -> Result<bool, StoreError> {
        let sql = format!(
            "INSERT INTO {}.search_feature (feature, enabled) VALUES ($1, $2) \
             ON CONFLICT DO NOTHING RETURNING feature",
            self.schema()
        );
        self.is_done(&sql, &[&feature, &enabled]).await
    }

    /// Changes a feature flag; returns whether there was one.
    pub async fn change_feature(&self, feature: &str, enabled: bool) -> Result<bool, StoreError> {
        let sql = format!(
            "UPDATE {}.search_feature SET enabled = $2 WHERE feature = $1 RETURNING feature",
            self.schema()
        );
        self.is_done(&sql, &[&feature, &enabled]).await
    }

    /// Removes a feature flag; returns whether there was one.
    pub async fn remove_feature(&self, feature: &str) -> Result<bool, StoreError> {
        let sql = format!(
            "DELETE FROM {}.search_feature WHERE feature = $1 RETURNING feature",
            self.schema()
        );
        self.is_done(&sql, &[&feature]).await
    }

    /// Whether a statement returns a row.
    async fn is_done(&self, sql: &str, values: Values<'_>) -> Result<bool, StoreError> {
        Ok(!self.store.database.rows(sql, values).await?.is_empty())
    }
}
