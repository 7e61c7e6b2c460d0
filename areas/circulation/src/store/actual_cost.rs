//! The loan's part of an actual cost record: borrower, item and title, composed by the database.

use octavo_library::{ItemJoins, LoanId};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::Tables;

/// The parts `user`, `loan`, `item` and `instance` of a record; `None` if the loan, its borrower or its
/// item was deleted.
pub async fn subject(
    executor: &dyn Executor,
    tables: Tables<'_>,
    loan_id: LoanId,
) -> Result<Option<Map<String, Value>>, StoreError> {
    let table = |name: &str| tables.table(name);
    let sql = format!(
        "SELECT jsonb_strip_nulls({SUBJECT}) AS subject
         FROM {loan} AS loan
         JOIN {users} AS patron ON patron.id = (loan.jsonb->>'userId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (patron.jsonb->>'patronGroup')::uuid
         {item}
         LEFT JOIN {location} AS home ON home.id = coalesce(
           item.jsonb->>'permanentLocationId', holdings.jsonb->>'permanentLocationId')::uuid
         CROSS JOIN LATERAL (SELECT coalesce(jsonb_agg(jsonb_build_object(
             'value', one->'value', 'identifierTypeId', one->'identifierTypeId',
             'identifierType', coalesce(kind.jsonb->>'name', '')) ORDER BY number), '[]') AS list
           FROM jsonb_array_elements(instance.jsonb->'identifiers') WITH ORDINALITY
             AS identifier (one, number)
           LEFT JOIN {identifier_type} AS kind
             ON kind.id = (one->>'identifierTypeId')::uuid) AS identifiers
         WHERE loan.id = $1",
        loan = table("loan"),
        users = table("users"),
        groups = table("groups"),
        item = ItemJoins::inner(tables, "item")
            .item("(loan.jsonb->>'itemId')::uuid")
            .title()
            .material()
            .loan_type()
            .place(),
        location = table("location"),
        identifier_type = table("identifier_type"),
    );
    let rows = executor.rows(&sql, &[&loan_id]).await?;
    Ok(rows.first().and_then(|row| match row.get("subject") {
        Value::Object(subject) => Some(subject),
        _ => None,
    }))
}

const SUBJECT: &str = "jsonb_build_object(
  'user', jsonb_build_object(
    'id', patron.id,
    'barcode', patron.jsonb->'barcode',
    'firstName', patron.jsonb->'personal'->'firstName',
    'lastName', coalesce(patron.jsonb->'personal'->>'lastName', patron.jsonb->>'username', ''),
    'middleName', patron.jsonb->'personal'->'middleName',
    'patronGroupId', patron_group.id,
    'patronGroup', patron_group.jsonb->'group'),
  'loan', jsonb_build_object('id', loan.id),
  'item', jsonb_build_object(
    'id', item.id,
    'barcode', item.jsonb->'barcode',
    'materialTypeId', item.jsonb->'materialTypeId',
    'materialType', coalesce(material.jsonb->>'name', ''),
    'permanentLocationId', home.id,
    'permanentLocation', home.jsonb->'name',
    'effectiveLocationId', place.id,
    'effectiveLocation', place.jsonb->'name',
    'loanTypeId', loan_type.id,
    'loanType', coalesce(loan_type.jsonb->>'name', ''),
    'holdingsRecordId', holdings.id,
    'effectiveCallNumberComponents', jsonb_build_object(
      'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
      'prefix', item.jsonb->'effectiveCallNumberComponents'->'prefix',
      'suffix', item.jsonb->'effectiveCallNumberComponents'->'suffix'),
    'volume', item.jsonb->'volume',
    'enumeration', item.jsonb->'enumeration',
    'chronology', item.jsonb->'chronology',
    'displaySummary', item.jsonb->'displaySummary',
    'copyNumber', coalesce(item.jsonb->'copyNumber', holdings.jsonb->'copyNumber')),
  'instance', jsonb_build_object(
    'id', instance.id,
    'title', coalesce(instance.jsonb->>'title', ''),
    'identifiers', identifiers.list,
    'contributors', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', one->'name')), '[]')
      FROM jsonb_array_elements(instance.jsonb->'contributors') AS one)))";
