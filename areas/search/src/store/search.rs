//! A page of instances that a search finds, and how many it finds.

use octavo_postgres::RawJson;
use octavo_records::StoreError;
use octavo_records::plan::{Parameter, Sql};
use uuid::Uuid;

use super::Place;
use super::condition::ranked;
use crate::query::{Condition, SortBy, Wanted};

/// Hits that are ranked by relevance. What is found beyond comes in no order.
const RANKED_MAX: i64 = 10_000;

/// Holdings and items that an instance is shown with.
const PARTS_MAX: i64 = 1_000;

/// Which instances of a search are shown, and how.
#[derive(Debug, Clone, Copy)]
pub struct Shown {
    /// Instances to skip.
    pub offset: i64,
    /// Instances at most.
    pub limit: i64,
    /// Whole instances with their holdings and items.
    pub whole: bool,
}

impl Place<'_> {
    /// The instances of a page as JSON, one after another.
    ///
    /// # Errors
    /// When a part of the query cannot be run or the database does not answer.
    pub async fn instances(
        &self,
        wanted: &Wanted,
        shown: Shown,
        found: &mut Vec<u8>,
    ) -> Result<(), StoreError> {
        let sql = self.page(wanted, shown)?;
        for (at, row) in self.rows(&sql).await?.iter().enumerate() {
            if at > 0 {
                found.extend_from_slice(b", ");
            }
            found.extend_from_slice(row.get::<_, RawJson<'_>>(0).0);
        }
        Ok(())
    }

    fn page(&self, wanted: &Wanted, shown: Shown) -> Result<Sql, StoreError> {
        let schema = self.schema();
        let condition = wanted.condition();
        let mut sql = Sql::default();
        sql.push("WITH page AS MATERIALIZED (");
        let ranks = ranked(&condition);
        let by_relevance = wanted.sort.is_empty() && !ranks.is_empty();
        if by_relevance {
            sql.push("SELECT id, row_number() OVER (ORDER BY ts_rank(keyword_words, ");
            for (at, (any, words)) in ranks.iter().enumerate() {
                sql.push(if at > 0 { " || " } else { "" });
                self.words(&mut sql, *any, words);
            }
            sql.push(&format!(
                ") DESC, title_key, id) AS place FROM \
                 (SELECT id, title_key, keyword_words FROM {schema}.search_instance AS s WHERE "
            ));
            self.condition(&mut sql, &condition)?;
            sql.push(" LIMIT ");
            sql.bind(Parameter::Integer(RANKED_MAX), "bigint");
            sql.push(") AS hit ORDER BY place");
        } else {
            let order = self.order(wanted);
            sql.push(&format!(
                "SELECT id, row_number() OVER () AS place FROM (SELECT s.id FROM \
                 {schema}.search_instance AS s WHERE "
            ));
            self.condition(&mut sql, &condition)?;
            sql.push(&format!(" ORDER BY {order}"));
        }
        sql.push(" LIMIT ");
        sql.bind(Parameter::Integer(shown.limit), "bigint");
        sql.push(" OFFSET ");
        sql.bind(Parameter::Integer(shown.offset), "bigint");
        if !by_relevance {
            sql.push(") AS hit");
        }
        sql.push(&format!(
            ") SELECT {} FROM page JOIN {schema}.instance AS record ON record.id = page.id \
             ORDER BY page.place",
            self.view(shown.whole)
        ));
        Ok(sql)
    }

    fn order(&self, wanted: &Wanted) -> String {
        let mut keys: Vec<String> = Vec::new();
        for one in &wanted.sort {
            let down = if one.descending { " DESC" } else { "" };
            let key = match one.by {
                SortBy::Title => "s.title_key".to_owned(),
                SortBy::Contributors => "s.contributor_key".to_owned(),
                SortBy::Date1 => "s.date1".to_owned(),
                SortBy::Created => "s.created".to_owned(),
                SortBy::Updated => "s.updated".to_owned(),
                SortBy::ItemStatus => format!(
                    "(SELECT min(status) FROM {}.search_item WHERE instance_id = s.id)",
                    self.schema()
                ),
            };
            keys.push(format!("{key}{down}"));
        }
        // Where keys are equal the way goes on in the direction of the first, along its index.
        let down = wanted.sort.first().is_some_and(|one| one.descending);
        let down = if down { " DESC" } else { "" };
        if !wanted.sort.iter().any(|one| one.by == SortBy::Title) {
            keys.push(format!("s.title_key{down}"));
        }
        keys.push(format!("s.id{down}"));
        keys.join(", ")
    }

    fn view(&self, whole: bool) -> String {
        let schema = self.schema();
        let tenant = self.tenant.id();
        let bound = format!(
            "'isBoundWith', EXISTS (SELECT FROM {schema}.search_item AS item \
             JOIN {schema}.bound_with_part AS part ON part.itemid = item.id \
             WHERE item.instance_id = page.id)"
        );
        if !whole {
            return format!(
                "jsonb_strip_nulls(jsonb_build_object('id', page.id, 'tenantId', '{tenant}', \
                 'shared', false, 'title', record.jsonb->'title', \
                 'contributors', record.jsonb->'contributors', \
                 'publication', record.jsonb->'publication', \
                 'staffSuppress', coalesce(record.jsonb->'staffSuppress', 'false'), \
                 'discoverySuppress', coalesce(record.jsonb->'discoverySuppress', 'false'), {bound}))"
            );
        }
        let parts = |table: &str, records: &str| {
            format!(
                "(SELECT coalesce(jsonb_agg(part.jsonb || jsonb_build_object('tenantId', \
                 '{tenant}') ORDER BY part.id), '[]') FROM (SELECT one.id, one.jsonb \
                 FROM {schema}.{table} AS narrow JOIN {schema}.{records} AS one \
                 ON one.id = narrow.id WHERE narrow.instance_id = page.id \
                 ORDER BY narrow.id LIMIT {PARTS_MAX}) AS part)"
            )
        };
        format!(
            "record.jsonb || jsonb_build_object('tenantId', '{tenant}', 'shared', false, {bound}, \
             'holdings', {}, 'items', {})",
            parts("search_holdings", "holdings_record"),
            parts("search_item", "item")
        )
    }

    /// How many instances a search finds.
    ///
    /// # Errors
    /// When a part of the query cannot be run or the database does not answer.
    pub async fn count(&self, wanted: &Wanted) -> Result<i64, StoreError> {
        let mut sql = Sql::default();
        sql.push(&format!(
            "SELECT count(*) FROM {}.search_instance AS s WHERE ",
            self.schema()
        ));
        self.condition(&mut sql, &wanted.condition())?;
        let rows = self.rows(&sql).await?;
        Ok(rows.first().map_or(0, |row| row.get(0)))
    }

    /// The ids of the instances, or of their holdings, that a search finds; `most` at most.
    ///
    /// # Errors
    /// When a part of the query cannot be run or the database does not answer.
    pub async fn ids(
        &self,
        condition: &Condition,
        of_holdings: bool,
        most: i64,
    ) -> Result<Vec<Uuid>, StoreError> {
        let schema = self.schema();
        let mut sql = Sql::default();
        if of_holdings {
            sql.push(&format!(
                "SELECT id FROM {schema}.search_holdings WHERE instance_id IN ("
            ));
        }
        sql.push(&format!(
            "SELECT s.id FROM {schema}.search_instance AS s WHERE "
        ));
        self.condition(&mut sql, condition)?;
        sql.push(if of_holdings { ") LIMIT " } else { " LIMIT " });
        sql.bind(Parameter::Integer(most), "bigint");
        let rows = self.rows(&sql).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}
