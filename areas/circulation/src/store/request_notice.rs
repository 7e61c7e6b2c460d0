//! The records for notices about requests.

use std::collections::HashMap;

use jiff::Timestamp;
use octavo_library::{
    ItemId, ItemJoins, Loan, RequestId, RequestLevel, RequestStatus, RequestType, UserId, id_in,
};
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::item::{ItemAtDesk, TITLE};
use super::notice::{ITEM, Person, comment, item_of, notifies_proxy, proxies};
use super::{Tables, read, slip};

/// The subject of a notice about a request.
#[derive(Debug, Clone)]
pub struct RequestSubject {
    /// Its status; `None` for a status that circulation does not know.
    pub status: Option<RequestStatus>,
    pub document: Map<String, Value>,
    /// Template tokens with FOLIO's names.
    pub tokens: Value,
    /// Its item with its title; nothing if it has none yet, or the item is gone.
    pub item: Option<ItemAtDesk>,
    /// The requested title.
    pub instance: Value,
    /// The requester.
    pub requester: Option<Person>,
    /// Immediate notices are sent to the proxy.
    pub to_proxy: bool,
    /// The open loan of the item, with the last information for its borrower.
    pub loan: Option<(Loan, Option<String>)>,
}

impl RequestSubject {
    /// The request type.
    #[must_use]
    pub fn kind(&self) -> Option<RequestType> {
        read("type", self.document.get("requestType")?.clone()).ok()
    }

    /// Whether it is for a title.
    #[must_use]
    pub fn is_for_title(&self) -> bool {
        let level = self.document.get("requestLevel").cloned();
        let level = read("level", level.unwrap_or_default()).unwrap_or(RequestLevel::Item);
        level == RequestLevel::Title
    }

    /// Whether it names an item, which may be deleted.
    #[must_use]
    pub fn names_item(&self) -> bool {
        self.document.get("itemId").is_some_and(Value::is_string)
    }

    #[must_use]
    pub fn id_of<I: From<Uuid>>(&self, name: &str) -> Option<I> {
        id_in(&self.document, name)
    }

    #[must_use]
    pub fn instant(&self, name: &str) -> Option<Timestamp> {
        octavo_library::wire_time::parse(self.document.get(name)?.as_str()?)
    }

    /// The recipient of immediate notices.
    #[must_use]
    pub fn recipient(&self) -> Option<UserId> {
        let requester = self.requester.as_ref().map(|person| person.patron.id);
        let proxy = self.id_of("proxyUserId").filter(|_| self.to_proxy);
        requester.map(|requester| proxy.unwrap_or(requester))
    }
}

/// Whether no more than one recall waits for an item.
pub async fn only_recall(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: ItemId,
) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT FROM {} WHERE {} AND jsonb->>'requestType' = 'Recall'
           AND jsonb->>'status' = 'Open - Not yet filled' LIMIT 2",
        tables.table("request"),
        tables.equals("request", "itemId", "$1::text"),
    );
    let rows = executor.rows(&sql, &[&item.to_string()]).await?;
    Ok(rows.len() <= 1)
}

/// The subjects of notices about those of these requests that exist, in one statement.
pub async fn requests(
    executor: &dyn Executor,
    tables: Tables<'_>,
    ids: &[RequestId],
    now: Timestamp,
) -> Result<HashMap<RequestId, RequestSubject>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let page = format!(
        "(SELECT id, jsonb FROM {} WHERE id = ANY($1))",
        tables.table("request")
    );
    let rows = executor.rows(&subjects(tables, &page), &[&ids]).await?;
    rows.iter().map(|row| subject(row, now)).collect()
}

/// The subject of notices about a request that is going to be stored like this.
pub async fn request_as(
    executor: &dyn Executor,
    tables: Tables<'_>,
    (id, document): (RequestId, &Map<String, Value>),
    now: Timestamp,
) -> Result<Option<RequestSubject>, StoreError> {
    let sql = subjects(tables, "(SELECT $1::uuid AS id, $2::jsonb AS jsonb)");
    let document = Value::Object(document.clone());
    let rows = executor.rows(&sql, &[&id, &document]).await?;
    let read = rows.first().map(|row| subject(row, now)).transpose()?;
    Ok(read.map(|(_, subject)| subject))
}

/// SQL for the subjects of the requests that `page` has with id and document.
fn subjects(tables: Tables<'_>, page: &str) -> String {
    format!(
        "SELECT {ITEM}, {TITLE} AS title, page.id AS request_id, page.jsonb AS request,
         {slip} AS slip,
           requester.jsonb AS requester, loan.jsonb AS loan, {comment} AS comment,
           CASE WHEN page.jsonb->>'proxyUserId' <> page.jsonb->>'requesterId' THEN {proxies} END
             AS proxies
         FROM {page} AS page
         {title}
         LEFT JOIN LATERAL (SELECT id, jsonb FROM {loans} WHERE {of_item} LIMIT 1) AS loan ON true
         LEFT JOIN {points} AS pickup
           ON pickup.id = (page.jsonb->>'pickupServicePointId')::uuid
         LEFT JOIN {users} AS requester ON requester.id = (page.jsonb->>'requesterId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (requester.jsonb->>'patronGroup')::uuid{more}",
        slip = slip::request(),
        comment = comment(tables),
        proxies = proxies(tables, "page", "requesterId"),
        title = ItemJoins::outer(tables)
            .item("(page.jsonb->>'itemId')::uuid")
            .title_or("(page.jsonb->>'instanceId')::uuid"),
        loans = tables.table("loan"),
        of_item = tables.equals("loan", "itemId", "item.id::text"),
        points = tables.table("service_point"),
        users = tables.table("users"),
        groups = tables.table("groups"),
        more = slip::request_joins(tables),
    )
}

fn subject(row: &Row, now: Timestamp) -> Result<(RequestId, RequestSubject), StoreError> {
    let document: Value = row.get("request");
    let mut told: Value = row.get("slip");
    let (tokens, mut requester) = (
        told["slip"]["request"].take(),
        told["slip"]["requester"].take(),
    );
    // Slips include the delivery address too.
    if let Some(requester) = requester.as_object_mut() {
        for delivery in [
            "addressLine1",
            "addressLine2",
            "city",
            "region",
            "postalCode",
            "countryId",
            "addressType",
        ] {
            requester.shift_remove(delivery);
        }
    }
    let loan: Option<Value> = row.get("loan");
    let loan: Option<Loan> = loan.map(|loan| read("loan", loan)).transpose()?;
    let subject = RequestSubject {
        status: read("status", document["status"].clone()).ok(),
        document: match document {
            Value::Object(document) => document,
            _ => Map::new(),
        },
        tokens,
        item: item_of(row),
        instance: row.get("title"),
        requester: Person::read(row.get("requester"), requester)?,
        to_proxy: notifies_proxy(row.get("proxies"), now),
        loan: loan.map(|loan| (loan, row.get("comment"))),
    };
    Ok((row.get("request_id"), subject))
}
