//! The facts for allowed pickup service points: the request, its requester's group, and the items'
//! criteria for the rules.

use octavo_library::{ItemStatus, LoanTypeId, LocationId, MaterialTypeId, PatronGroupId};
use octavo_records::{Executor, StoreError};
use serde::Deserialize;

use super::{Tables, read};
use crate::allowed_points::{Operation, Question};

/// The facts.
#[derive(Debug, Clone)]
pub struct AllowedPointFacts {
    /// Whether the instance exists.
    pub instance: bool,
    /// Whether the request exists.
    pub request: bool,
    /// The requester.
    pub requester: Option<String>,
    /// Whether the requester exists.
    pub user: bool,
    pub patron_group: Option<PatronGroupId>,
    /// The item that it is about, if it is about one.
    pub item: Option<String>,
    /// Whether the item exists.
    pub item_is_there: bool,
    /// The instance that it is about, if it is about one.
    pub of_title: bool,
    /// The distinct criteria of the items.
    pub kinds: Vec<ItemGroup>,
}

/// Items with equal criteria.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ItemGroup {
    pub status: ItemStatus,
    pub material_type: Option<MaterialTypeId>,
    pub loan_type: Option<LoanTypeId>,
    /// Their location.
    pub location: Option<LocationId>,
}

/// Reads the facts in one statement. Items are grouped by criteria: a thousand items have only a few
/// groups.
pub async fn facts(
    executor: &dyn Executor,
    tables: Tables<'_>,
    question: &Question,
) -> Result<AllowedPointFacts, StoreError> {
    let table = |name: &str| tables.table(name);
    let sql = format!(
        "WITH asked AS MATERIALIZED (SELECT jsonb FROM {request} WHERE id = $1),
         wanted AS MATERIALIZED (SELECT
             CASE WHEN $5 THEN CASE WHEN asked.jsonb->>'requestLevel' = 'Item'
               THEN asked.jsonb->>'itemId' END ELSE $2::uuid::text END AS item,
             CASE WHEN $5 THEN CASE WHEN asked.jsonb->>'requestLevel' = 'Title'
               THEN asked.jsonb->>'instanceId' END ELSE $3::uuid::text END AS instance,
             CASE WHEN asked.jsonb IS NOT NULL THEN asked.jsonb->>'requesterId'
               ELSE $4::uuid::text END AS requester
           FROM (SELECT 1) AS one LEFT JOIN asked ON true),
         requester AS MATERIALIZED (SELECT jsonb FROM {users}
           WHERE id = (SELECT requester::uuid FROM wanted)),
         found AS MATERIALIZED (
           SELECT jsonb->'status'->>'name' AS status, materialtypeid AS material,
               coalesce(temporaryloantypeid, permanentloantypeid) AS loan_type,
               effectivelocationid AS location
             FROM {item} WHERE id = (SELECT item::uuid FROM wanted)
           UNION SELECT item.jsonb->'status'->>'name', item.materialtypeid,
               coalesce(item.temporaryloantypeid, item.permanentloantypeid),
               item.effectivelocationid
             FROM {holdings} AS holdings JOIN {item} AS item ON item.holdingsrecordid = holdings.id
             WHERE holdings.instanceid = (SELECT instance::uuid FROM wanted))
         SELECT EXISTS (SELECT FROM {instance} WHERE id = $3) AS instance,
           EXISTS (SELECT FROM asked) AS request,
           wanted.requester, EXISTS (SELECT FROM requester) AS user,
           (SELECT (jsonb->>'patronGroup')::uuid FROM requester) AS patron_group,
           wanted.item, wanted.instance IS NOT NULL AS of_title,
           (SELECT jsonb_agg(jsonb_build_object('status', coalesce(status, {unknown}),
              'material_type', material, 'loan_type', loan_type, 'location', location))
             FROM found) AS kinds
         FROM wanted",
        request = table("request"),
        users = table("users"),
        item = table("item"),
        holdings = table("holdings_record"),
        instance = table("instance"),
        unknown = ItemStatus::Unknown.sql(),
    );
    let replaces = question.operation == Operation::Replace;
    let Question {
        request,
        item,
        instance,
        requester,
        ..
    } = question;
    let rows = executor
        .rows(&sql, &[request, item, instance, requester, &replaces])
        .await?;
    let row = rows.first().ok_or(StoreError::NotFound)?;
    let kinds: Option<serde_json::Value> = row.get("kinds");
    let kinds: Vec<ItemGroup> = match kinds {
        Some(kinds) => read("kind of item", kinds)?,
        None => Vec::new(),
    };
    let item: Option<String> = row.get("item");
    Ok(AllowedPointFacts {
        instance: row.get("instance"),
        request: row.get("request"),
        requester: row.get("requester"),
        user: row.get("user"),
        patron_group: row.get("patron_group"),
        item_is_there: item.is_some() && !kinds.is_empty(),
        item,
        of_title: row.get("of_title"),
        kinds,
    })
}
