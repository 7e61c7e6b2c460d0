//! Completions of a text: the next titles or headings in order.

use octavo_records::StoreError;
use octavo_records::plan::{Parameter, Sql};

use super::SearchTables;
use super::browse::List;

impl SearchTables<'_> {
    /// Titles that begin so, in order.
    pub async fn titles(&self, prefix: &str, most: i64) -> Result<Vec<String>, StoreError> {
        let schema = self.schema();
        let sql = format!(
            "SELECT record.jsonb->>'title' AS title FROM (SELECT id, title_key FROM \
             {schema}.search_instance WHERE title_key >= {schema}.search_fold($1, 100) \
             AND title_key < {schema}.search_fold($1, 100) || chr(1114111) \
             ORDER BY title_key, id LIMIT $2) AS found JOIN {schema}.instance AS record \
             ON record.id = found.id ORDER BY found.title_key, found.id"
        );
        let mut bound = Sql::default();
        bound.push(&sql);
        bound.parameters = vec![Parameter::Text(prefix.to_owned()), Parameter::Integer(most)];
        let rows = self.rows(&bound).await?;
        Ok(rows.iter().filter_map(|row| row.get("title")).collect())
    }

    /// Headings that begin so, in order.
    pub async fn starting(
        &self,
        list: List,
        prefix: &str,
        most: i64,
    ) -> Result<Vec<String>, StoreError> {
        let schema = self.schema();
        let kind = match list {
            List::Subjects => 1,
            _ => 2,
        };
        // A loose index scan: one step per different key, however many records share it.
        let sql = format!(
            "WITH RECURSIVE walk(sort_key, heading, value) AS ((SELECT sort_key, heading, value \
             FROM {schema}.browse_heading WHERE kind = {kind} \
             AND sort_key >= {schema}.search_fold($1, 200) ORDER BY sort_key, heading LIMIT 1) \
             UNION ALL SELECT next.* FROM walk CROSS JOIN LATERAL (SELECT sort_key, heading, value \
             FROM {schema}.browse_heading WHERE kind = {kind} AND sort_key > walk.sort_key \
             ORDER BY sort_key, heading LIMIT 1) AS next \
             WHERE starts_with(walk.sort_key, {schema}.search_fold($1, 200))) \
             SELECT value FROM walk \
             WHERE starts_with(sort_key, {schema}.search_fold($1, 200)) LIMIT $2"
        );
        let mut bound = Sql::default();
        bound.push(&sql);
        bound.parameters = vec![Parameter::Text(prefix.to_owned()), Parameter::Integer(most)];
        let rows = self.rows(&bound).await?;
        Ok(rows.iter().map(|row| row.get("value")).collect())
    }
}
