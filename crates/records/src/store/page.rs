//! A page of records: the stored JSON of each, joined into FOLIO's list form as it arrives.

use std::time::Instant;

use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use octavo_cql::Query;
use octavo_postgres::{RawJson, Row};

use super::Store;
use super::advice::Took;
use super::total::PageFacts;
pub use super::total::Totals;
use crate::collection::Collection;
use crate::error::StoreError;
use crate::plan::{Plan, Predicate, Sql, compile};
use crate::tenant::Tenant;

/// Pages up to this limit are read on a shared lane and sent whole; larger ones get a connection
/// of their own and are streamed, so that neither side's memory grows with the limit.
const BUFFERED_LIMIT_MAX: i64 = 1_000;
/// Streamed rows are sent on in pieces of about this size.
const PIECE_BYTES: usize = 64 * 1024;

/// What a client asks for.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// CQL; everything without it.
    pub query: Option<&'a str>,
    /// Records to skip.
    pub offset: i64,
    /// Records to return at most.
    pub limit: i64,
    /// What to say about the number of matches.
    pub totals: Totals,
}

/// A page in FOLIO's form: `{"items": [...], "totalRecords": n, "resultInfo": {...}}`.
#[derive(Debug)]
pub struct Page {
    /// Its JSON.
    pub body: PageBody,
}

/// The JSON of a page.
pub enum PageBody {
    /// All of it.
    Whole(Vec<u8>),
    /// Piece by piece.
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
    /// When it is not CQL, or asks for what cannot be done; the message says where or what.
    pub fn plan(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        query: Option<&str>,
    ) -> Result<Plan, StoreError> {
        let Some(text) = query.filter(|text| !text.trim().is_empty()) else {
            return Ok(Plan::everything());
        };
        let parsed: Query = octavo_cql::parse(text)
            .map_err(|error| StoreError::Query(format!("CQL Parse Error: {error}")))?;
        let catalog = self.catalog_of(tenant);
        let collection = catalog
            .get(&collection.table)
            .map_or(collection, AsRef::as_ref);
        compile(&parsed, collection, &catalog).map_err(|error| StoreError::Query(error.to_string()))
    }

    /// One page of the records that a query finds.
    ///
    /// # Errors
    /// When the query cannot be run or the database does not answer.
    pub async fn page(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        search: Search<'_>,
    ) -> Result<Page, StoreError> {
        let plan = self.plan(tenant, collection, search.query)?;
        let sql = Sql::page(
            tenant.schema(),
            &collection.table,
            &plan,
            search.limit,
            search.offset,
        );
        self.page_of(tenant, collection, &plan.predicate, sql, search)
            .await
    }

    /// A page whose rows come from an area's own SQL (one `jsonb` column), while the total is that
    /// of a predicate on the collection.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn page_of(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        sql: Sql,
        search: Search<'_>,
    ) -> Result<Page, StoreError> {
        if search.limit > BUFFERED_LIMIT_MAX {
            return self
                .streamed(tenant, collection, predicate, sql, search)
                .await;
        }
        let started = Instant::now();
        let rows = match search.limit {
            0 => Vec::new(),
            _ => self.database.query(&sql.text, &sql.bound()).await?,
        };
        let facts = facts(search, rows.len());
        let total = self.total(tenant, collection, predicate, facts).await?;
        let took = Took {
            rows: facts.returned,
            elapsed: started.elapsed(),
        };
        self.note_search(tenant, collection, predicate, search, took);
        let size: usize = rows.iter().map(|row| json_of(row).len() + 1).sum();
        let mut body = Vec::with_capacity(size + 160);
        body.extend_from_slice(&opening(collection));
        for (at, row) in rows.iter().enumerate() {
            if at > 0 {
                body.push(b',');
            }
            body.extend_from_slice(json_of(row));
        }
        body.extend_from_slice(closing(total).as_bytes());
        Ok(Page {
            body: PageBody::Whole(body),
        })
    }

    async fn streamed(
        &self,
        tenant: &Tenant,
        collection: &Collection,
        predicate: &Predicate,
        sql: Sql,
        search: Search<'_>,
    ) -> Result<Page, StoreError> {
        let started = Instant::now();
        let connection = self.database.connection().await?;
        let rows = connection.stream(&sql.text, &sql.bound()).await?;
        let mut rows = rows.map_err(StoreError::from).peekable();
        // What the database refuses is refused with a status, before anything is sent.
        if let Some(Err(error)) = std::pin::Pin::new(&mut rows).next_if(Result::is_err).await {
            return Err(error);
        }
        let state = Streaming {
            store: self.clone(),
            tenant: tenant.clone(),
            collection: collection.clone(),
            predicate: predicate.clone(),
            returned: 0,
            started,
            query: search.query.map(str::to_owned),
            search: (search.offset, search.limit, search.totals),
        };
        let opening_piece = Bytes::from(opening(collection));
        let rest = stream::try_unfold((rows.boxed(), Some(state)), next_piece);
        let pieces = stream::once(async move { Ok(opening_piece) })
            .chain(rest)
            .boxed();
        Ok(Page {
            body: PageBody::Pieces(pieces),
        })
    }
}

struct Streaming {
    store: Store,
    tenant: Tenant,
    collection: Collection,
    predicate: Predicate,
    returned: usize,
    started: Instant,
    query: Option<String>,
    search: (i64, i64, Totals),
}

impl Streaming {
    fn note(&self) {
        let (offset, limit, totals) = self.search;
        let query = self.query.as_deref();
        let search = Search {
            query,
            offset,
            limit,
            totals,
        };
        let took = Took {
            rows: self.returned as i64,
            elapsed: self.started.elapsed(),
        };
        let Streaming {
            store,
            tenant,
            collection,
            predicate,
            ..
        } = self;
        store.note_search(tenant, collection, predicate, search, took);
    }
}

type Rows = BoxStream<'static, Result<Row, StoreError>>;

async fn next_piece(
    (mut rows, state): (Rows, Option<Streaming>),
) -> Result<Option<(Bytes, (Rows, Option<Streaming>))>, StoreError> {
    let Some(mut state) = state else {
        return Ok(None);
    };
    let mut piece = Vec::with_capacity(PIECE_BYTES + 4096);
    while piece.len() < PIECE_BYTES {
        let Some(row) = rows.try_next().await? else {
            let (offset, limit, totals) = state.search;
            let returned = state.returned as i64;
            let facts = PageFacts {
                limit,
                offset,
                returned,
                totals,
            };
            let total = state
                .store
                .total(&state.tenant, &state.collection, &state.predicate, facts)
                .await?;
            state.note();
            piece.extend_from_slice(closing(total).as_bytes());
            return Ok(Some((Bytes::from(piece), (rows, None))));
        };
        if state.returned > 0 {
            piece.push(b',');
        }
        piece.extend_from_slice(json_of(&row));
        state.returned += 1;
    }
    Ok(Some((Bytes::from(piece), (rows, Some(state)))))
}

fn facts(search: Search<'_>, returned: usize) -> PageFacts {
    PageFacts {
        limit: search.limit,
        offset: search.offset,
        returned: returned as i64,
        totals: search.totals,
    }
}

fn json_of(row: &Row) -> &[u8] {
    row.get::<_, RawJson<'_>>(0).0
}

fn opening(collection: &Collection) -> Vec<u8> {
    format!("{{\"{}\": [", collection.list_key).into_bytes()
}

fn closing(total: Option<i64>) -> String {
    match total {
        None => "], \"resultInfo\": {\"facets\": [], \"diagnostics\": []}}".to_owned(),
        Some(total) => format!(
            "], \"totalRecords\": {total}, \"resultInfo\": {{\"totalRecords\": {total}, \
             \"facets\": [], \"diagnostics\": []}}}}"
        ),
    }
}
