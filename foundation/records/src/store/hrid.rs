//! Human-readable ids of new records. The tenant's function generates them; this decides when to
//! call it, so that a record which will be refused uses no number.

use octavo_postgres::DatabaseError;
use serde_json::{Map, Value, json};

use crate::collection::Collection;
use crate::columns::StoredColumn;
use crate::error::StoreError;
use crate::executor::Executor;
use crate::expression::{index_name, keys};
use crate::index::{Index, IndexKind};
use crate::tenant::Tenant;

const PROPERTY: &str = "hrid";

/// The collection's function, if this record needs an id from it.
pub(super) fn function<'a>(
    collection: &'a Collection,
    document: &Map<String, Value>,
) -> Option<&'a str> {
    let function = collection.hrid.as_deref()?;
    (!document.contains_key(PROPERTY)).then_some(function)
}

/// The document `sent.jsonb` with a new id, unless `sent.id` or another unique key of it is taken:
/// then the insert will be refused, and no number is lost to it.
pub(super) fn with_generated(tenant: &Tenant, collection: &Collection, function: &str) -> String {
    let schema = tenant.schema();
    let mut taken = vec![format!(
        "EXISTS (SELECT 1 FROM {schema}.{} WHERE id = sent.id)",
        collection.table
    )];
    let unique = collection
        .indexes
        .iter()
        .filter(|index| index.kind == IndexKind::UniqueIndex && index.field != PROPERTY);
    taken.extend(unique.map(|index| is_key_taken(schema, collection, index)));
    format!(
        "CASE WHEN {} THEN sent.jsonb ELSE sent.jsonb || \
         jsonb_build_object('{PROPERTY}', ({schema}.{function}(1, '{{}}'))[1]) END",
        taken.join(" OR ")
    )
}

/// Whether a record has the key of `sent.jsonb`. The expressions of an index refer to `jsonb`:
/// inside `mine` that is the column of the sent record, beside it that of the table.
fn is_key_taken(schema: &str, collection: &Collection, index: &Index) -> String {
    let keys = keys(index);
    let mine: Vec<String> = (keys.iter().enumerate())
        .map(|(at, key)| format!("{key} AS key{at}"))
        .collect();
    let same: Vec<String> = (keys.iter().enumerate())
        .map(|(at, key)| format!("({key}) = mine.key{at}"))
        .collect();
    let (among, and) = match &index.condition {
        Some(sql) => (format!(" WHERE {sql}"), format!(" AND {sql}")),
        None => (String::new(), String::new()),
    };
    // The record sent has none of the table's columns yet.
    let read = |column: &&StoredColumn| {
        let mut texts = keys.iter().chain(&index.condition);
        texts.any(|sql| sql.contains(&column.name))
    };
    let columns = collection.columns.iter().filter(read);
    let columns: String = columns
        .map(|column| format!(", {} AS {}", column.expression, column.name))
        .collect();
    let record = match columns.is_empty() {
        true => "(SELECT sent.jsonb) AS record (jsonb)".to_owned(),
        false => format!("(SELECT jsonb{columns} FROM (SELECT sent.jsonb) AS _ (jsonb)) AS record"),
    };
    format!(
        "EXISTS (SELECT 1 FROM (SELECT {} FROM {record}{among}) AS mine \
         JOIN {schema}.{} ON {}{and})",
        mine.join(", "),
        collection.table,
        same.join(" AND ")
    )
}

/// Assigns ids to the records of a batch that have none, in the order of the batch and by one call.
pub(super) async fn assign_all(
    executor: &dyn Executor,
    tenant: &Tenant,
    collection: &Collection,
    documents: &mut [Map<String, Value>],
) -> Result<bool, StoreError> {
    let Some(function) = &collection.hrid else {
        return Ok(false);
    };
    let (with, without): (Vec<_>, Vec<_>) = documents
        .iter_mut()
        .partition(|document| document.contains_key(PROPERTY));
    if without.is_empty() {
        return Ok(false);
    }
    let given: Vec<&str> = with
        .iter()
        .filter_map(|document| document.get(PROPERTY)?.as_str())
        .collect();
    let wanted = i32::try_from(without.len())
        .map_err(|_| StoreError::TooLarge("a batch has too many records".to_owned()))?;
    let sql = format!("SELECT {}.{function}($1, $2) AS numbers", tenant.schema());
    let rows = executor.rows(&sql, &[&wanted, &given]).await?;
    let numbers: Vec<String> = rows.first().map_or_else(Vec::new, |row| row.get("numbers"));
    for (document, number) in without.into_iter().zip(numbers) {
        document.insert(PROPERTY.to_owned(), json!(number));
    }
    Ok(true)
}

/// Whether a generated number was taken by a concurrent insert: that is not the client's mistake,
/// and the next number will do.
pub(super) fn is_taken(error: &DatabaseError, collection: &Collection) -> bool {
    let DatabaseError::Unique { constraint, .. } = error else {
        return false;
    };
    collection.indexes.iter().any(|index| {
        index.field == PROPERTY
            && index.kind == IndexKind::UniqueIndex
            && index_name(collection, index) == *constraint
    })
}
