//! The generic CRUD handlers: the contract of FOLIO's storage modules over any collection, with the
//! hooks that its routes declare.

use std::sync::Arc;
use std::time::Instant;

mod hooks;
mod response_cache;

pub use hooks::{After, ChangePlan, Hooks, Refused, Replaced, View, Write};
use response_cache::CacheKey;
pub(crate) use response_cache::ResponseCache;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::StatusCode;
use octavo_boxed::boxed;
use octavo_records::facet::FACETS_MAX;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Collection, Facet, Page, PageBody, Search, Store, StoreError};
use serde_json::Value;
use uuid::Uuid;

use crate::call::{Call, Paging, incorrect};
use crate::error::ApiError;
use crate::respond::{empty, json_bytes};
use crate::route::Operation;

/// Runs one of the generic operations with the hooks of its collection.
///
/// # Errors
/// FOLIO's refusals.
#[boxed]
pub async fn run(
    operation: Operation,
    collection: &Collection,
    hooks: &Hooks,
    call: Call,
) -> Result<Response, ApiError> {
    let running = Running {
        operation,
        collection,
        hooks,
        call: &call,
    };
    (hooks.arrived)(&call, operation).map_err(hooks.form)?;
    match operation {
        Operation::List => running.list().await,
        Operation::Read => running.read().await,
        Operation::Create => running.create().await,
        Operation::Replace => running.replace().await,
        Operation::Delete => running.delete().await,
        Operation::DeleteByQuery => running.delete_by_query(None).await,
        Operation::Clear => running.delete_by_query(Some(EVERYTHING)).await,
    }
}

/// One running operation.
#[derive(Clone, Copy)]
struct Running<'a> {
    operation: Operation,
    collection: &'a Collection,
    hooks: &'a Hooks,
    call: &'a Call,
}

impl Running<'_> {
    fn refused(&self, id: Option<Uuid>, error: StoreError) -> ApiError {
        (self.hooks.wording)(Refused {
            call: self.call,
            collection: self.collection,
            operation: self.operation,
            id,
            error,
        })
    }

    async fn list(&self) -> Result<Response, ApiError> {
        let Running {
            collection,
            hooks,
            call,
            ..
        } = *self;
        let paging = (hooks.paging)(call).map_err(hooks.form)?;
        let facets = match collection.faceted {
            true => facets(call).map_err(hooks.form)?,
            false => Vec::new(),
        };
        let stored = hooks.page.is_none() && hooks.plan.is_none() && facets.is_empty();
        let key = match self.is_cached(stored) {
            true => self
                .cache()
                .page_key(&call.tenant, &collection.table, paging.search()),
            false => None,
        };
        if let Some(cached) = key.as_ref().and_then(|key| self.cache().get(key)) {
            return Ok(json_bytes(StatusCode::OK, cached));
        }
        let started = Instant::now();
        let store = self.store(key.is_some());
        let page = self.page(store, &paging, &facets).await;
        call.timing.stage("records", started);
        let page = page?;
        match (key, page.body) {
            (Some(key), PageBody::Whole(bytes)) => {
                let bytes = Bytes::from(bytes);
                self.cache_page(key, &paging, &bytes)?;
                Ok(json_bytes(StatusCode::OK, bytes))
            }
            (_, body) => Ok(page_response(Page { body })),
        }
    }

    /// Where to read. Everybody gets what is cached, so it is not read from a replica that may be behind
    /// and serves a caller with an earlier position.
    fn store(&self, cached: bool) -> &Store {
        match cached {
            true => self.call.writer(),
            false => self.call.store(),
        }
    }

    async fn page(
        &self,
        store: &Store,
        paging: &Paging,
        facets: &[Facet],
    ) -> Result<Page, ApiError> {
        let Running {
            collection,
            hooks,
            call,
            ..
        } = *self;
        let refused = |error| self.refused(None, error);
        let (tenant, search) = (&call.tenant, paging.search());
        let view = hooks.page.filter(|_| facets.is_empty());
        if view.is_none() && hooks.plan.is_none() {
            let page = store.page_with_facets(tenant, collection, search, facets);
            return page.await.map_err(refused);
        }
        let planned = store.plan(tenant, collection, paging.query.as_deref());
        let mut plan = planned.map_err(refused)?;
        if let Some(change) = hooks.plan {
            change(call, collection, &mut plan)?;
        }
        let (limit, offset) = (paging.limit, paging.offset);
        let sql = match view {
            Some(view) => view(call.tables(), &plan, limit, offset),
            None => Sql::page(tenant.schema(), &collection.table, &plan, limit, offset),
        };
        let page = store.page_of(tenant, collection, &plan.predicate, sql, search);
        page.await.map_err(refused)
    }

    /// Whether responses are cached: only those with records as they are stored, the same for every caller.
    fn is_cached(&self, stored: bool) -> bool {
        stored && self.collection.reads_cached
    }

    fn cache(&self) -> &ResponseCache {
        &self.call.platform.response_cache
    }

    /// Caches a page, unless its query reaches other tables: their changes do not invalidate it.
    fn cache_page(
        &self,
        key: Arc<CacheKey>,
        paging: &Paging,
        page: &Bytes,
    ) -> Result<(), ApiError> {
        let (call, query) = (self.call, paging.query.as_deref());
        let plan = call.store().plan(&call.tenant, self.collection, query);
        let plan = plan.map_err(|error| self.refused(None, error))?;
        if !plan.predicate.reaches_other_tables() {
            self.cache().insert(key, page);
        }
        Ok(())
    }

    async fn read(&self) -> Result<Response, ApiError> {
        // No record has an id that is not a UUID.
        let id = (self.hooks.id)(self.call).map_err(self.hooks.form)?;
        let stored = self.hooks.one.is_none() && self.hooks.visible.is_none();
        let key = match self.is_cached(stored) {
            true => self
                .cache()
                .record_key(&self.call.tenant, &self.collection.table, id),
            false => None,
        };
        if let Some(cached) = key.as_ref().and_then(|key| self.cache().get(key)) {
            return Ok(json_bytes(StatusCode::OK, cached));
        }
        let record = self.shown(self.store(key.is_some()), id).await?;
        if let Some(key) = key {
            self.cache().insert(key, &record);
        }
        Ok(json_bytes(StatusCode::OK, record))
    }

    /// One record as clients see it.
    async fn shown(&self, store: &Store, id: Uuid) -> Result<Bytes, ApiError> {
        let Running { hooks, call, .. } = *self;
        let started = Instant::now();
        let found = match hooks.one {
            Some(view) => of_view(call, view, id).await,
            None => store.read(&call.tenant, self.collection, id).await,
        };
        call.timing.stage("records", started);
        let missing = || self.refused(Some(id), StoreError::NotFound);
        let found = found.map_err(|error| self.refused(Some(id), error))?;
        let found = found.ok_or_else(missing)?;
        if let Some(visible) = hooks.visible {
            let stored = serde_json::from_slice(&found)
                .map_err(|error| ApiError::fault(format!("a stored record is no JSON: {error}")))?;
            if !visible(call, &stored) {
                return Err(missing());
            }
        }
        Ok(found)
    }

    /// The document in the body, ready to be stored.
    fn document(&self, write: Write) -> Result<Value, ApiError> {
        let mut document = (self.hooks.body)(self.call, write).map_err(self.hooks.form)?;
        (self.hooks.before)(self.call, write, &mut document)?;
        Ok(document)
    }

    async fn create(&self) -> Result<Response, ApiError> {
        let Running {
            collection,
            hooks,
            call,
            ..
        } = *self;
        let document = self.document(Write::Create)?;
        let started = Instant::now();
        let (id, stored) = call
            .store()
            .create(&call.tenant, collection, document, &call.stamp())
            .await
            .map_err(|error| self.refused(None, error))?;
        call.timing.stage("records", started);
        if let Some(after) = hooks.after {
            after(call, Write::Create).await?;
        }
        let shown = match hooks.one {
            Some(_) => self.shown(self.store(false), id).await?,
            None => stored,
        };
        Ok((hooks.created)(collection, id, shown))
    }

    async fn replace(&self) -> Result<Response, ApiError> {
        let Running { hooks, call, .. } = *self;
        let id = (hooks.id)(call).map_err(hooks.form)?;
        let document = self.document(Write::Replace(id))?;
        let started = Instant::now();
        call.store()
            .replace(&call.tenant, self.collection, id, document, &call.stamp())
            .await
            .map_err(|error| self.refused(Some(id), error))?;
        call.timing.stage("records", started);
        if let Some(after) = hooks.after {
            after(call, Write::Replace(id)).await?;
        }
        match hooks.replaced {
            Replaced::Nothing => Ok(empty(StatusCode::NO_CONTENT)),
            Replaced::Record => Ok(json_bytes(
                StatusCode::OK,
                self.shown(self.store(false), id).await?,
            )),
        }
    }

    async fn delete(&self) -> Result<Response, ApiError> {
        let call = self.call;
        let id = (self.hooks.id)(call).map_err(self.hooks.form)?;
        let deleted = call.store().delete(&call.tenant, self.collection, id).await;
        deleted.map_err(|error| self.refused(Some(id), error))?;
        Ok(empty(StatusCode::NO_CONTENT))
    }

    /// Deletes what a query finds; without a query, what `otherwise` finds.
    async fn delete_by_query(&self, otherwise: Option<&str>) -> Result<Response, ApiError> {
        let call = self.call;
        let sent = call.parameter("query")?;
        let query = match sent.as_deref() {
            Some(query) if !query.trim().is_empty() => query,
            // An empty query is a client's mistake, not a wish to delete everything.
            Some(_) => return Err(no_query()),
            None => otherwise.ok_or_else(no_query)?,
        };
        call.store()
            .delete_matching(&call.tenant, self.collection, query)
            .await?;
        Ok(empty(StatusCode::NO_CONTENT))
    }
}

/// The record with an id, composed by a view.
async fn of_view(call: &Call, view: View, id: Uuid) -> Result<Option<Bytes>, StoreError> {
    let plan = Plan::of_id(id);
    let sql = view(call.tables(), &plan, 1, 0);
    call.store().one_of(&plan, &sql).await
}

/// `facets=path` and `facets=path:n`, repeatable up to a limit.
fn facets(call: &Call) -> Result<Vec<Facet>, ApiError> {
    let given = call.parameters("facets")?;
    if given.len() > FACETS_MAX {
        return Err(ApiError::bad_request(format!(
            "'facets' parameter is incorrect. It is given {} times; ask for at most {FACETS_MAX} \
             facets at a time",
            given.len()
        )));
    }
    let read = |text: &String| {
        Facet::parse(text).ok_or_else(|| {
            incorrect(
                "facets",
                text,
                "must be a path such as personal.lastName or tags.tagList[], and may end with \
                 :n, the number of values from 1 to 10000",
            )
        })
    };
    given.iter().map(read).collect()
}

/// 200 with a page of a collection.
///
/// # Errors
/// When the query cannot be run.
#[boxed]
pub async fn page(
    call: &Call,
    collection: &Collection,
    search: Search<'_>,
) -> Result<Response, StoreError> {
    let started = Instant::now();
    let page = call.store().page(&call.tenant, collection, search).await?;
    call.timing.stage("records", started);
    Ok(page_response(page))
}

/// 200 with a page whose rows the area's own `sql` composes from what `plan` finds.
///
/// # Errors
/// When the query cannot be run.
#[boxed]
pub async fn page_of(
    call: &Call,
    collection: &Collection,
    plan: &Plan,
    sql: Sql,
    search: Search<'_>,
) -> Result<Response, StoreError> {
    let started = Instant::now();
    let page = call
        .store()
        .page_of(&call.tenant, collection, &plan.predicate, sql, search)
        .await?;
    call.timing.stage("records", started);
    Ok(page_response(page))
}

fn page_response(page: Page) -> Response {
    let body = match page.body {
        PageBody::Whole(bytes) => Body::from(bytes),
        PageBody::Pieces(pieces) => Body::from_stream(pieces),
    };
    json_bytes(StatusCode::OK, body)
}

/// The query that matches every record.
const EVERYTHING: &str = "cql.allRecords=1";

fn no_query() -> ApiError {
    ApiError::bad_request("Expected CQL but query parameter is empty")
}
