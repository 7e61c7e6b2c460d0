//! Items in reports: those in transit, and those of a title.

use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use super::view::{ITEM, item_joins};

/// Items in transit with their last loan, next request and last check-in, sorted by the service point of
/// the check-in.
#[must_use]
pub fn items_in_transit(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let table = |name: &str| tables.table(name);
    let schema = tables.tenant.schema();
    let page = Sql::select("id, jsonb", schema, "item", plan, limit, offset);
    let joins = format!(
        "{items}
         LEFT JOIN LATERAL (SELECT jsonb FROM {loan} WHERE {loan_of}
           ORDER BY jsonb->>'loanDate' DESC LIMIT 1) AS loan ON true
         LEFT JOIN LATERAL (SELECT jsonb FROM {request} WHERE {request_of}
           AND jsonb->>'status' LIKE 'Open%'
           ORDER BY (jsonb->>'position')::integer LIMIT 1) AS request ON true
         LEFT JOIN {point} AS in_at ON in_at.id = (loan.jsonb->>'checkinServicePointId')::uuid
         LEFT JOIN {point} AS pickup ON pickup.id = (request.jsonb->>'pickupServicePointId')::uuid
         LEFT JOIN {point} AS seen
           ON seen.id = (item.jsonb->'lastCheckIn'->>'servicePointId')::uuid
         LEFT JOIN {users} AS requester ON requester.id = (request.jsonb->>'requesterId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (requester.jsonb->>'patronGroup')::uuid",
        items = item_joins(tables, "page.id"),
        loan = table("loan"),
        loan_of = any_of(tables, "loan"),
        request = table("request"),
        request_of = any_of(tables, "request"),
        point = table("service_point"),
        users = table("users"),
        groups = table("groups"),
    );
    page.within(|page| {
        format!(
            "WITH page AS MATERIALIZED ({page}) SELECT {IN_TRANSIT} AS jsonb FROM page {joins}
             ORDER BY in_at.jsonb->>'name' COLLATE \"C\", page.id"
        )
    })
}

/// The records of an item, by the index over all of them and not by that over open ones.
fn any_of(tables: Tables<'_>, table: &str) -> String {
    let keys = super::keys_of(tables, table, "itemId").join(", ");
    format!("{keys} = lower(page.id::text)")
}

const IN_TRANSIT: &str = "jsonb_strip_nulls(jsonb_build_object(
  'id', page.id,
  'title', instance.jsonb->'title',
  'barcode', item.jsonb->'barcode',
  'contributors', coalesce((SELECT jsonb_agg(jsonb_build_object('name', one->'name'))
    FROM jsonb_array_elements(instance.jsonb->'contributors') AS one), '[]'),
  'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
  'enumeration', item.jsonb->'enumeration',
  'displaySummary', item.jsonb->'displaySummary',
  'volume', item.jsonb->'volume',
  'yearCaption', coalesce(item.jsonb->'yearCaption', '[]'),
  'status', jsonb_build_object('name', item.jsonb->'status'->'name'),
  'inTransitDestinationServicePointId', item.jsonb->'inTransitDestinationServicePointId',
  'copyNumber', coalesce(item.jsonb->'copyNumber', holdings.jsonb->'copyNumber'),
  'effectiveCallNumberComponents', jsonb_build_object(
    'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
    'prefix', item.jsonb->'effectiveCallNumberComponents'->'prefix',
    'suffix', item.jsonb->'effectiveCallNumberComponents'->'suffix'),
  'inTransitDestinationServicePoint', CASE WHEN destination.id IS NOT NULL THEN
    jsonb_build_object('id', destination.id, 'name', destination.jsonb->'name') END,
  'location', CASE WHEN place.id IS NOT NULL THEN jsonb_build_object('name', place.jsonb->'name',
    'code', place.jsonb->'code', 'libraryName', library.jsonb->'name') END,
  'request', CASE WHEN request.jsonb IS NOT NULL THEN jsonb_build_object(
    'requestType', request.jsonb->'requestType',
    'requestDate', to_jsonb(replace(request.jsonb->>'requestDate', '+00:00', 'Z')),
    'requestExpirationDate', to_jsonb(replace(request.jsonb->>'requestExpirationDate', '+00:00', 'Z')),
    'requestPickupServicePointName', pickup.jsonb->'name',
    'tags', request.jsonb->'tags'->'tagList',
    'requestPatronGroup', patron_group.jsonb->'desc') END,
  'loan', CASE WHEN loan.jsonb IS NOT NULL THEN jsonb_build_object(
    'checkInServicePoint', CASE WHEN in_at.id IS NOT NULL THEN jsonb_build_object(
      'name', in_at.jsonb->'name', 'code', in_at.jsonb->'code',
      'discoveryDisplayName', in_at.jsonb->'discoveryDisplayName',
      'description', in_at.jsonb->'description',
      'shelvingLagTime', in_at.jsonb->'shelvingLagTime',
      'pickupLocation', in_at.jsonb->'pickupLocation') END,
    'checkInDateTime', to_jsonb(replace(loan.jsonb->>'returnDate', '+00:00', 'Z'))) END,
  'lastCheckIn', CASE WHEN item.jsonb ? 'lastCheckIn' THEN jsonb_build_object(
    'dateTime', to_jsonb(replace(item.jsonb->'lastCheckIn'->>'dateTime', '+00:00', 'Z')),
    'servicePoint', CASE WHEN seen.id IS NOT NULL THEN
      jsonb_build_object('id', seen.id, 'name', seen.jsonb->'name') END) END))";

/// The id of the first title that a query finds.
pub async fn first_title(
    executor: &dyn Executor,
    tables: Tables<'_>,
    plan: &Plan,
) -> Result<Option<Uuid>, StoreError> {
    let sql = Sql::select("id", tables.tenant.schema(), "instance", plan, 1, 0);
    let rows = executor.rows(&sql.text, &sql.bound()).await?;
    Ok(rows.first().map(|row| row.get("id")))
}

/// A title with its items as circulation shows them.
pub async fn title_with_items(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
    items_max: i64,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT one.jsonb || jsonb_build_object('tenantId', $3::text, 'items', coalesce((
           SELECT jsonb_agg({ITEM} || {MORE} ORDER BY page.place)
           FROM (SELECT item.id, row_number() OVER (ORDER BY public.octavo_number(item.jsonb->'order'),
               item.jsonb->>'barcode', item.id) AS place
             FROM {holdings} AS holdings JOIN {item} AS item
               ON item.holdingsrecordid = holdings.id
             WHERE holdings.instanceid = $1 LIMIT $2) AS page {joins}), '[]')) AS jsonb
         FROM {instance} AS one WHERE one.id = $1",
        holdings = tables.table("holdings_record"),
        item = tables.table("item"),
        instance = tables.table("instance"),
        joins = item_joins(tables, "page.id"),
    );
    let tenant = tables.tenant.id();
    let rows = executor.rows(&sql, &[&id, &items_max, &tenant]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

const MORE: &str = "jsonb_strip_nulls(jsonb_build_object(
  'tenantId', $3::text,
  'editions', coalesce(instance.jsonb->'editions', '[]'),
  'seriesStatements', coalesce((SELECT jsonb_agg(one->'value')
    FROM jsonb_array_elements(instance.jsonb->'series') AS one), '[]'),
  'datesOfPublication', coalesce((SELECT jsonb_agg(one->'dateOfPublication')
    FROM jsonb_array_elements(instance.jsonb->'publication') AS one), '[]'),
  'physicalDescriptions', coalesce(instance.jsonb->'physicalDescriptions', '[]'),
  'administrativeNotes', coalesce(item.jsonb->'administrativeNotes', '[]'),
  'accessionNumber', item.jsonb->'accessionNumber'))";
