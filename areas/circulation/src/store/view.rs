//! The views of loans, items and requests: the stored record with names resolved from its ids, composed
//! by the database.

use octavo_library::ItemJoins;
use octavo_postgres::Transaction;
use octavo_records::plan::{Plan, Sql};
use octavo_records::{Executor, StoreError, WHOLE_RECORDS_MAX};
use serde_json::Value;
use uuid::Uuid;

use super::request::shown;
use super::{Tables, request_view};
use crate::queue_upkeep::Queue;

/// A page of loans.
#[must_use]
pub fn loans(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    View::loan(tables).page(tables, plan, limit, offset)
}

/// A page of requests.
#[must_use]
pub fn requests(tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
    if limit > WHOLE_RECORDS_MAX {
        return View::request(tables).page(tables, plan, limit, offset);
    }
    let schema = tables.tenant.schema();
    Sql::select("jsonb", schema, "request", plan, limit, offset).within(|page| {
        format!(
            "SELECT unnest({schema}.request_views(ARRAY(SELECT jsonb FROM ({page}) AS found))) AS jsonb"
        )
    })
}

/// The migration `request_views`: the views of requests by a function. PostgreSQL sets up all joins of a statement
/// before its first row, and a desk mostly asks for requests where there are none.
#[must_use]
pub fn request_views(tables: Tables<'_>) -> String {
    let View { joins, shown, .. } = View::request(tables);
    let text = format!(
        "-- The views of requests, in their order. PostgreSQL sets up all joins of a statement before its first row, and a
-- desk mostly asks for requests where there are none. Written by a test from the statement of store/view.rs.
CREATE FUNCTION {schema}.request_views(requests jsonb[]) RETURNS jsonb[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF cardinality(requests) = 0 THEN
    RETURN '{{}}';
  END IF;
  RETURN ARRAY(WITH page AS MATERIALIZED (SELECT (jsonb->>'id')::uuid AS id, jsonb, place
      FROM unnest(requests) WITH ORDINALITY AS found (jsonb, place))
    SELECT {shown} AS jsonb FROM page {joins} ORDER BY page.place);
END $$;
",
        schema = tables.tenant.schema(),
    );
    text.replace(tables.tenant.schema(), "{schema}")
}

/// The views of the requests that a statement returns as `id`, `jsonb` and `place`, sorted by `place`.
#[must_use]
pub fn requests_of(tables: Tables<'_>, page: &str) -> String {
    let View { joins, shown, .. } = View::request(tables);
    format!(
        "WITH page AS MATERIALIZED ({page})
         SELECT {shown} AS jsonb FROM page {joins} ORDER BY page.place"
    )
}

pub async fn loan(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    View::loan(tables).one(executor, tables, id).await
}

/// One loan, read by the last statement of a transaction, with the COMMIT pipelined after it.
///
/// # Errors
/// When an earlier pipelined statement has failed.
pub async fn last(
    transaction: &Transaction,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = View::loan(tables).one_sql(tables);
    let rows = transaction.query_and_commit(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

/// One request, read by the last statement of a transaction, with the COMMIT pipelined after it.
///
/// # Errors
/// When an earlier pipelined statement has failed.
pub async fn last_request(
    transaction: &Transaction,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    let sql = View::request(tables).one_sql(tables);
    let rows = transaction.query_and_commit(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("jsonb")))
}

pub async fn request(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<Value>, StoreError> {
    View::request(tables).one(executor, tables, id).await
}

/// Maximal number of shown requests of a queue, as in FOLIO.
const QUEUE_MAX: usize = 1_000;

/// The open requests of a queue in their order.
pub async fn queue(
    executor: &dyn Executor,
    tables: Tables<'_>,
    queue: Queue,
) -> Result<Vec<Value>, StoreError> {
    let view = View::request(tables);
    let sql = format!(
        "WITH page AS MATERIALIZED (SELECT id, jsonb FROM {} WHERE {}
           ORDER BY (jsonb->>'position')::bigint LIMIT {QUEUE_MAX})
         SELECT {} AS jsonb FROM page {} ORDER BY (page.jsonb->>'position')::bigint",
        tables.table("request"),
        shown(tables, queue.of),
        view.shown,
        view.joins,
    );
    let rows = executor.rows(&sql, &[&queue.id.to_string()]).await?;
    Ok(rows.iter().map(|row| row.get("jsonb")).collect())
}

/// The view of a table's records: joins and columns.
struct View {
    table: &'static str,
    joins: String,
    shown: String,
}

impl View {
    fn loan(tables: Tables<'_>) -> View {
        View {
            table: "loan",
            joins: loan_joins(tables),
            shown: LOAN.join(ITEM),
        }
    }

    fn request(tables: Tables<'_>) -> View {
        View {
            table: "request",
            joins: request_view::joins(tables),
            shown: request_view::SHOWN.to_owned(),
        }
    }

    /// The rows of a page, in its order.
    fn page(&self, tables: Tables<'_>, plan: &Plan, limit: i64, offset: i64) -> Sql {
        let View {
            table,
            joins,
            shown,
        } = self;
        let schema = tables.tenant.schema();
        let page = Sql::select("id, jsonb", schema, table, plan, limit, offset);
        page.within(|page| {
            // As an array a short page is ten rows to the planner, whatever its limit: else it would
            // plan all these joins again each time, which costs many times what they do.
            let found = if limit <= WHOLE_RECORDS_MAX {
                format!(
                    "SELECT (jsonb->>'id')::uuid AS id, jsonb, place
                     FROM unnest(ARRAY(SELECT jsonb FROM ({page}) AS found))
                       WITH ORDINALITY AS found (jsonb, place)"
                )
            } else {
                format!("SELECT id, jsonb, row_number() OVER () AS place FROM ({page}) AS found")
            };
            format!(
                "WITH page AS MATERIALIZED ({found})
                 SELECT {shown} AS jsonb FROM page {joins} ORDER BY page.place"
            )
        })
    }

    async fn one(
        &self,
        executor: &dyn Executor,
        tables: Tables<'_>,
        id: Uuid,
    ) -> Result<Option<Value>, StoreError> {
        let rows = executor.rows(&self.one_sql(tables), &[&id]).await?;
        Ok(rows.first().map(|row| row.get("jsonb")))
    }

    fn one_sql(&self, tables: Tables<'_>) -> String {
        format!(
            "WITH page AS MATERIALIZED (SELECT id, jsonb FROM {} WHERE id = $1)
             SELECT {} AS jsonb FROM page {}",
            tables.table(self.table),
            self.shown,
            self.joins
        )
    }
}

/// Joins from an item's id to its related records. Each is a look-up by primary key.
pub(super) fn item_joins(tables: Tables<'_>, id: &str) -> String {
    format!(
        "{item}
         LEFT JOIN {point} AS destination
           ON destination.id = (item.jsonb->>'inTransitDestinationServicePointId')::uuid",
        item = ItemJoins::outer(tables)
            .item(id)
            .title()
            .place()
            .units()
            .material()
            .loan_type(),
        point = tables.table("service_point"),
    )
}

fn loan_joins(tables: Tables<'_>) -> String {
    let table = |name: &str| tables.table(name);
    format!(
        "{items}
         LEFT JOIN {users} AS borrower ON borrower.id = (page.jsonb->>'userId')::uuid
         LEFT JOIN {groups} AS patron_group
           ON patron_group.id = (page.jsonb->>'patronGroupIdAtCheckout')::uuid
         LEFT JOIN {point} AS out_at ON out_at.id = (page.jsonb->>'checkoutServicePointId')::uuid
         LEFT JOIN {point} AS in_at ON in_at.id = (page.jsonb->>'checkinServicePointId')::uuid
         LEFT JOIN {policy} AS loan_policy ON loan_policy.id = (page.jsonb->>'loanPolicyId')::uuid
         LEFT JOIN {overdue} AS overdue_policy
           ON overdue_policy.id = (page.jsonb->>'overdueFinePolicyId')::uuid
         LEFT JOIN {lost} AS lost_policy ON lost_policy.id = (page.jsonb->>'lostItemPolicyId')::uuid
         CROSS JOIN LATERAL (SELECT coalesce(sum((jsonb->>'remaining')::numeric), 0) AS remaining
           FROM {accounts} WHERE {of_loan} AND jsonb->'status'->>'name' = 'Open') AS fees",
        items = item_joins(tables, "(page.jsonb->>'itemId')::uuid"),
        users = table("users"),
        groups = table("groups"),
        point = table("service_point"),
        policy = table("loan_policy"),
        overdue = table("overdue_fine_policy"),
        lost = table("lost_item_fee_policy"),
        accounts = table("accounts"),
        of_loan = tables.equals("accounts", "loanId", "(page.id)::text"),
    )
}

/// The view of an item in loans and check-ins.
pub(super) const ITEM: &str = "jsonb_strip_nulls(jsonb_build_object(
  'id', item.id,
  'title', instance.jsonb->'title',
  'barcode', item.jsonb->'barcode',
  'holdingsRecordId', holdings.id,
  'instanceId', instance.id,
  'instanceHrid', instance.jsonb->'hrid',
  'itemHrid', item.jsonb->'hrid',
  'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
  'callNumberComponents', jsonb_strip_nulls(jsonb_build_object(
    'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
    'prefix', item.jsonb->'effectiveCallNumberComponents'->'prefix',
    'suffix', item.jsonb->'effectiveCallNumberComponents'->'suffix')),
  'enumeration', item.jsonb->'enumeration',
  'chronology', item.jsonb->'chronology',
  'volume', item.jsonb->'volume',
  'displaySummary', item.jsonb->'displaySummary',
  'copyNumber', coalesce(item.jsonb->'copyNumber', holdings.jsonb->'copyNumber'),
  'contributors', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', one->'name')), '[]')
    FROM jsonb_array_elements(instance.jsonb->'contributors') AS one),
  'primaryContributor', (SELECT one->'name'
    FROM jsonb_array_elements(instance.jsonb->'contributors') AS one
    WHERE (one->>'primary')::boolean LIMIT 1),
  'status', item.jsonb->'status',
  'location', CASE WHEN place.id IS NOT NULL THEN jsonb_build_object('name', place.jsonb->'name') END,
  'materialType', CASE WHEN material.id IS NOT NULL
    THEN jsonb_build_object('name', material.jsonb->'name') END,
  'inTransitDestinationServicePointId', item.jsonb->'inTransitDestinationServicePointId',
  'inTransitDestinationServicePoint', CASE WHEN destination.id IS NOT NULL
    THEN jsonb_build_object('id', destination.id, 'name', destination.jsonb->'name') END,
  'lastCheckIn', item.jsonb->'lastCheckIn'))";

/// A loan with its borrower, policies, service points and fees; the item's view is inserted between.
const LOAN: [&str; 2] = [
  "page.jsonb - '{itemStatus,agedToLostDelayedBilling,patronGroupIdAtCheckout}'::text[]
  || jsonb_strip_nulls(jsonb_build_object(
  'item', CASE WHEN item.id IS NOT NULL THEN ",
  " END,
  'reminders', CASE WHEN page.jsonb->'reminders'->'lastFeeBilled'->'number' IS NOT NULL
    AND overdue_policy.jsonb->'reminderFeesPolicy'->'reminderSchedule' IS NOT NULL
    THEN page.jsonb->'reminders' || jsonb_build_object('renewalBlocked', NOT coalesce(
      (overdue_policy.jsonb->'reminderFeesPolicy'->>'allowRenewalOfItemsWithReminderFees')::boolean,
      false)) ELSE page.jsonb->'reminders' END,
  'borrower', CASE WHEN borrower.id IS NOT NULL THEN jsonb_build_object(
    'firstName', borrower.jsonb->'personal'->'firstName',
    'lastName', borrower.jsonb->'personal'->'lastName',
    'middleName', borrower.jsonb->'personal'->'middleName',
    'preferredFirstName', borrower.jsonb->'personal'->'preferredFirstName',
    'barcode', borrower.jsonb->'barcode',
    'patronGroup', borrower.jsonb->'patronGroup') END,
  'checkoutServicePoint', CASE WHEN out_at.id IS NOT NULL THEN jsonb_build_object('id', out_at.id, 'name', out_at.jsonb->'name', 'code', out_at.jsonb->'code',
    'discoveryDisplayName', out_at.jsonb->'discoveryDisplayName',
    'description', out_at.jsonb->'description', 'shelvingLagTime', out_at.jsonb->'shelvingLagTime', 'pickupLocation', out_at.jsonb->'pickupLocation') END,
  'checkinServicePoint', CASE WHEN in_at.id IS NOT NULL THEN jsonb_build_object('id', in_at.id, 'name', in_at.jsonb->'name', 'code', in_at.jsonb->'code',
    'discoveryDisplayName', in_at.jsonb->'discoveryDisplayName',
    'description', in_at.jsonb->'description', 'shelvingLagTime', in_at.jsonb->'shelvingLagTime', 'pickupLocation', in_at.jsonb->'pickupLocation') END,
  'patronGroupAtCheckout', CASE WHEN patron_group.id IS NOT NULL THEN jsonb_build_object(
    'id', patron_group.id, 'name', patron_group.jsonb->'group') END,
  'loanPolicy', jsonb_build_object('name', loan_policy.jsonb->'name'),
  'overdueFinePolicy', jsonb_build_object('name', overdue_policy.jsonb->'name'),
  'lostItemPolicy', jsonb_build_object('name', lost_policy.jsonb->'name'),
  'feesAndFines', jsonb_build_object('amountRemainingToPay', fees.remaining)))",
];
