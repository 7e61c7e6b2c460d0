//! The open loan with its borrower, and the request queue, of a locked item.

use std::collections::HashMap;

use octavo_library::{ItemId, Patron, PatronGroupId, RequestId, RequestLevel};
use octavo_postgres::Row;
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::loan::HeldLoan;
use super::queue::HeldQueue;
use super::{Tables, read};
use crate::facts::{Item, QueuedRequest, RequestQueue};

/// Open loan and queue of an item; loan and the requests read are locked until the transaction ends.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The open loan.
    pub loan: Option<HeldLoan>,
    pub borrower: Option<Patron>,
    /// The borrower's record as stored.
    pub borrower_document: Option<Value>,
    /// The loan's remaining amount.
    pub remaining: Option<Value>,
    /// The open requests for the item and its title that an operation can depend on.
    pub queue: HeldQueue,
    /// How many of these requests are for another item of the title, or for none yet.
    of_titles: i64,
}

/// Reads what stands on an item. Hold the item before.
///
/// Of a long queue only the requests that an operation can depend on are read in full: the first two of
/// each kind. A kind is what decisions distinguish: level, type, status, whether it is for this item,
/// for another or for none yet, and for title level requests the requester's group, which the rules may
/// refuse. While title level requests are disabled, existing ones are ignored.
pub async fn of_item(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: &Item,
    titles: bool,
) -> Result<Standing, StoreError> {
    let sql = format!(
        "SELECT * FROM {}.desk_standing($1, $2)",
        tables.tenant.schema()
    );
    let rows = executor.rows(&sql, &[&item.id, &item.instance_id]).await?;
    let row = rows.first().map(Standing::read);
    Ok(row.transpose()?.unwrap_or_default().of(item.id, titles))
}

impl Standing {
    /// Reads it from a row of `desk_standing` or `desk_facts`, with all requests for the title.
    pub(super) fn read(row: &Row) -> Result<Standing, StoreError> {
        let loan: Option<Value> = row.get("loan");
        let borrower: Option<Value> = row.get("borrower");
        let (documents, groups) = (row.get("queue"), row.get("patron_groups"));
        Ok(Standing {
            loan: loan.map(HeldLoan::read).transpose()?,
            borrower: borrower
                .clone()
                .map(|user| read("user", user))
                .transpose()?,
            borrower_document: borrower,
            remaining: row.get("remaining"),
            queue: queue(documents, row.get("queued"), groups)?,
            of_titles: row.get::<_, Option<i64>>("queued_titles").unwrap_or(0),
        })
    }

    /// The same without the requests for other items of the title, unless the library takes such.
    #[must_use]
    pub fn of(mut self, item: ItemId, titles: bool) -> Standing {
        if !titles && self.of_titles > 0 {
            let others = usize::try_from(self.of_titles).unwrap_or(0);
            let size = self.queue.queue.size().saturating_sub(others);
            let own = self.queue.queue.requests().iter().filter(|request| {
                request.request_level == RequestLevel::Item || request.item_id == Some(item)
            });
            self.queue.queue = RequestQueue::new(own.cloned()).of_size(size);
            self.of_titles = 0;
        }
        self
    }
}

fn queue(
    documents: Option<Value>,
    size: Option<i64>,
    groups: Option<Value>,
) -> Result<HeldQueue, StoreError> {
    let groups = groups.unwrap_or_default();
    let Some(Value::Array(documents)) = documents else {
        return Ok(HeldQueue::default());
    };
    let mut requests: Vec<QueuedRequest> = Vec::with_capacity(documents.len());
    let mut by_id: HashMap<RequestId, Map<String, Value>> = HashMap::with_capacity(documents.len());
    for document in documents {
        let mut request: QueuedRequest = read("request", document.clone())?;
        let group = groups.get(request.id.to_string()).and_then(Value::as_str);
        request.patron_group = group.and_then(PatronGroupId::parse);
        if let Value::Object(document) = document {
            by_id.insert(request.id, document);
        }
        requests.push(request);
    }
    Ok(HeldQueue {
        queue: RequestQueue::new(requests).of_size(usize::try_from(size.unwrap_or(0)).unwrap_or(0)),
        documents: by_id,
    })
}
