//! A page of records: the stored JSON of each, joined into FOLIO's list form. Decides how a page is
//! read: whole on a lane, or streamed (`stream/`).

use std::time::Instant;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use octavo_boxed::boxed;
use octavo_cql::Query;
use octavo_postgres::{RawJson, Row};
use octavo_trace as trace;

use super::Store;
use super::facets::NO_FACETS;
use super::indexes::SearchTime;
use super::search_rows::{FoundRows, Hits};
use super::stream::{Frame, List, Request};
pub use super::total::Totals;
use super::total::{PageFacts, Total};
use crate::collection::{Collection, QueryRefusal};
use crate::error::StoreError;
use crate::facet::Facet;
use crate::plan::{Plan, Predicate, Sql, compile};
use crate::tenant::Tenant;

/// Pages of up to this many records are read on a shared lane and sent whole; larger ones are
/// streamed on a connection of their own, so that memory does not grow with the page on either
/// side.
pub const WHOLE_RECORDS_MAX: i64 = 1_000;

/// How much of an invalid query an error quotes, in characters.
const QUOTED_CHARS_MAX: usize = 4_000;

/// A client's request for a page.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// CQL; without it all records.
    pub query: Option<&'a str>,
    /// Records to skip.
    pub offset: i64,
    /// Records to return at most.
    pub limit: i64,
    /// How to report the total.
    pub totals: Totals,
}

/// What a page contains beside its records.
struct Extent {
    /// Whether each row contains the total.
    counted: bool,
    /// The facets as JSON.
    facets: String,
    /// When reading began.
    started: Instant,
    /// Its records, where they are read already.
    found: Option<FoundRows>,
}

/// A page in FOLIO's form: `{"items": [...], "totalRecords": n}`, and `"resultInfo": {...}` where
/// FOLIO has it.
#[derive(Debug)]
pub struct Page {
    pub body: PageBody,
}

/// The JSON of a page.
pub enum PageBody {
    Whole(Vec<u8>),
    /// In chunks.
    Pieces(BoxStream<'static, Result<Bytes, StoreError>>),
}

impl std::fmt::Debug for PageBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            PageBody::Whole(bytes) => write!(f, "Whole({} bytes)", bytes.len()),
            PageBody::Pieces(_) => f.write_str("Pieces"),
        }
    }
}

impl Store {
    /// Compiles a query against a tenant's collection.
    ///
    /// # Errors
    /// When it is not CQL, or asks for what is unsupported; the message says where or what.
    pub fn plan(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        query: Option<&str>,
    ) -> Result<Plan, StoreError> {
        let Some(text) = query.filter(|text| !text.trim().is_empty()) else {
            return Ok(Plan::everything());
        };
        let _span = trace::span("plan the query");
        let refused = |message: String| match collection.query_refusal {
            QueryRefusal::Plain => StoreError::Query(message),
            QueryRefusal::Quoting => {
                let query: String = text.chars().take(QUOTED_CHARS_MAX).collect();
                StoreError::Query(format!("{message}: {query}"))
            }
            refusal => StoreError::QueryOf { refusal, message },
        };
        let parsed: Query = octavo_cql::parse(text)
            .map_err(|error| refused(format!("CQL Parse Error: {error}")))?;
        let catalog = self.catalog_of(tenant);
        let stored = catalog
            .get(&collection.table)
            .map_or(collection, AsRef::as_ref);
        compile(&parsed, stored, &catalog).map_err(|error| refused(error.to_string()))
    }

    /// One page of the records that a query matches.
    ///
    /// # Errors
    /// When the query cannot be run.
    #[boxed]
    pub async fn page(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        search: Search<'_>,
    ) -> Result<Page, StoreError> {
        self.page_with_facets(tenant, collection, search, &[]).await
    }

    /// The same, with the most frequent values of some properties among the results.
    ///
    /// # Errors
    /// When the query cannot be run.
    #[boxed]
    pub async fn page_with_facets(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        search: Search<'_>,
        facets: &[Facet],
    ) -> Result<Page, StoreError> {
        let plan = self.plan(tenant, collection, search.query)?;
        let facets = self.facets(tenant, collection, &plan, facets).await?;
        let counted = counts_along(&plan.predicate, search);
        let write = match counted {
            true => Sql::page_counted,
            false => Sql::page,
        };
        let (schema, table) = (tenant.schema(), &collection.table);
        let sql = write(schema, table, &plan, search.limit, search.offset);
        let started = Instant::now();
        let extent = Extent {
            counted,
            facets,
            started,
            found: self
                .by_search_rows(tenant, collection, &plan, search)
                .await?,
        };
        self.answer(tenant, collection, &plan.predicate, sql, search, extent)
            .await
    }

    /// A page whose rows come from an area's own SQL (its column `jsonb`), while the total is that
    /// of a predicate on the collection.
    #[boxed]
    pub async fn page_of(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        sql: Sql,
        search: Search<'_>,
    ) -> Result<Page, StoreError> {
        let extent = Extent {
            counted: false,
            facets: NO_FACETS.to_owned(),
            started: Instant::now(),
            found: None,
        };
        self.answer(tenant, collection, predicate, sql, search, extent)
            .await
    }

    async fn answer(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        sql: Sql,
        search: Search<'_>,
        extent: Extent,
    ) -> Result<Page, StoreError> {
        let Extent {
            counted,
            facets,
            started,
            found,
        } = extent;
        let mut hits = Hits::Unknown;
        let rows = if let Some(found) = found {
            hits = found.hits;
            found.rows
        } else if search.limit <= WHOLE_RECORDS_MAX || is_small(predicate) {
            self.rows(predicate, &sql, search).await?
        } else {
            // Clients ask for 2147483647 records and mean all of the few there are. One record more
            // than fits shows that there are more; then these are dropped and all are streamed,
            // since only one statement returns every record exactly once.
            let first = sql.first(WHOLE_RECORDS_MAX + 1);
            let rows = self.rows(predicate, &first, search).await?;
            if rows.len() as i64 > WHOLE_RECORDS_MAX {
                // The client determines how long the rest takes; the duration of the first
                // statement is enough.
                let took = SearchTime {
                    rows: rows.len() as i64,
                    elapsed: started.elapsed(),
                };
                self.note_search(tenant, collection, predicate, search, took);
                drop(rows);
                let list = List {
                    tenant: tenant.clone(),
                    collection: collection.clone(),
                    predicate: predicate.clone(),
                    offset: search.offset,
                    limit: search.limit,
                    totals: search.totals,
                    facets,
                };
                let request = Request {
                    store: self.clone(),
                    frame: Frame::List(Box::new(list)),
                };
                let pieces = self.streams.start(request, sql).await?;
                return Ok(Page {
                    body: PageBody::Pieces(pieces),
                });
            }
            rows
        };
        let facts = PageFacts {
            limit: search.limit,
            offset: search.offset,
            returned: rows.len() as i64,
            totals: search.totals,
        };
        let total = match rows.first() {
            Some(row) if counted => Some(Total::exact(row.get("count"))),
            _ => {
                let total = self.total(tenant, collection, predicate, facts, hits);
                trace::within("total", total).await?
            }
        };
        let took = SearchTime {
            rows: facts.returned,
            elapsed: started.elapsed(),
        };
        self.note_search(tenant, collection, predicate, search, took);
        Ok(Page {
            body: PageBody::Whole(whole(collection, &rows, total, &facets)),
        })
    }

    /// The rows of a page, read on a lane; without a statement where there can be none.
    async fn rows(
        &self,
        predicate: &Predicate,
        sql: &Sql,
        search: Search<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let beyond = predicate
            .at_most()
            .is_some_and(|most| search.offset as u64 >= most);
        if search.limit == 0 || beyond {
            return Ok(Vec::new());
        }
        self.run(predicate, sql).await
    }

    /// Runs a statement over a search's results in the suitable way: planned with its values or
    /// once for all values, among look-ups by key or among searches.
    ///
    /// # Errors
    /// When the search takes too long.
    #[boxed]
    pub async fn run(&self, predicate: &Predicate, sql: &Sql) -> Result<Vec<Row>, StoreError> {
        let sorted = sql.is_sorted();
        Ok(if predicate.depends_on_values(sorted) {
            self.database.query_fresh(&sql.text, &sql.typed()).await?
        } else if predicate.is_light(sorted, sql.reach()) {
            self.database.query(&sql.text, &sql.bound()).await?
        } else {
            self.database.query_long(&sql.text, &sql.bound()).await?
        })
    }
}

impl Store {
    /// The first row that an area's own SQL (one `jsonb` column) composes from a plan's results.
    #[boxed]
    pub async fn one_of(&self, plan: &Plan, sql: &Sql) -> Result<Option<Bytes>, StoreError> {
        let rows = self.run(&plan.predicate, sql).await?;
        let row = rows.first();
        Ok(row.map(|row| Bytes::copy_from_slice(json_of(row))))
    }
}

fn is_small(predicate: &Predicate) -> bool {
    predicate
        .at_most()
        .is_some_and(|most| most <= WHOLE_RECORDS_MAX as u64)
}

/// Whether the total is read with the page: a full page of a search by ids does not prove the
/// total, and counting the few possible matches costs less than a second statement.
fn counts_along(predicate: &Predicate, search: Search<'_>) -> bool {
    let end = search.offset.saturating_add(search.limit) as u64;
    search.limit > 0
        && search.totals != Totals::None
        && is_small(predicate)
        && predicate.at_most().is_some_and(|most| end < most)
}

fn whole(collection: &Collection, rows: &[Row], total: Option<Total>, facets: &str) -> Vec<u8> {
    let _span = trace::span("write the list");
    let size: usize = rows.iter().map(|row| json_of(row).len() + 1).sum();
    let mut body = Vec::with_capacity(size + 160);
    body.extend_from_slice(&opening(collection));
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            body.push(b',');
        }
        body.extend_from_slice(json_of(row));
    }
    body.extend_from_slice(closing(collection, total, facets).as_bytes());
    body
}

pub(super) fn json_of(row: &Row) -> &[u8] {
    row.get::<_, RawJson<'_>>("jsonb").0
}

pub(super) fn opening(collection: &Collection) -> Vec<u8> {
    format!("{{\"{}\": [", collection.list_key).into_bytes()
}

/// The end of a page, as FOLIO's list type has it; an estimate is marked where that type has a
/// property for it.
pub(super) fn closing(collection: &Collection, total: Option<Total>, facets: &str) -> String {
    match (total, collection.result_info) {
        (None, false) => "]}".to_owned(),
        (None, true) => {
            format!("], \"resultInfo\": {{\"facets\": {facets}, \"diagnostics\": []}}}}")
        }
        (Some(Total { records, .. }), false) => format!("], \"totalRecords\": {records}}}"),
        (Some(Total { records, estimated }), true) => {
            let mark = match estimated {
                true => "\"totalRecordsEstimated\": true, ",
                false => "",
            };
            let beside = match collection.total_in_info {
                true => String::new(),
                false => format!("\"totalRecords\": {records}, "),
            };
            format!(
                "], {beside}\"resultInfo\": {{\"totalRecords\": {records}, \
                 {mark}\"facets\": {facets}, \"diagnostics\": []}}}}"
            )
        }
    }
}
