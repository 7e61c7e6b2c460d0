//! Instances as `/inventory/instances` shows them, composed by the database in one statement: the
//! stored instance with its links to others, and whether it is bound with others.

use octavo_records::plan::{Plan, Predicate, Sql};
use uuid::Uuid;

/// A page of instances in the order of the plan.
#[must_use]
pub fn page(schema: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let mut sql = Sql::select("id, jsonb", schema, "instance", plan, limit, offset);
    sql.text = format!(
        "SELECT page.jsonb || jsonb_build_object({}, {}, {}, {}, 'isBoundWith', \
         EXISTS (SELECT FROM {schema}.holdings_record AS h JOIN {schema}.bound_with_part AS part \
         ON part.holdingsrecordid = h.id WHERE h.instanceid = page.id)) AS jsonb FROM ({}) AS page",
        relations(
            schema,
            "parentInstances",
            "superInstanceId",
            "subInstanceId"
        ),
        relations(schema, "childInstances", "subInstanceId", "superInstanceId"),
        titles(
            schema,
            "precedingTitles",
            "precedingInstanceId",
            "succeedingInstanceId"
        ),
        titles(
            schema,
            "succeedingTitles",
            "succeedingInstanceId",
            "precedingInstanceId"
        ),
        sql.text,
    );
    sql
}

#[must_use]
pub fn one(schema: &str, id: Uuid) -> Sql {
    of(schema, &[id])
}

/// The instances of these ids, in no order.
#[must_use]
pub fn of(schema: &str, ids: &[Uuid]) -> Sql {
    let plan = Plan {
        predicate: Predicate::IdIn("id".to_owned(), ids.to_vec()),
        sort: Vec::new(),
    };
    page(schema, &plan, ids.len() as i64, 0)
}

fn relations(schema: &str, name: &str, other: &str, own: &str) -> String {
    let column = own.to_lowercase();
    format!(
        "'{name}', (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, '{other}', \
         jsonb->'{other}', 'instanceRelationshipTypeId', jsonb->'instanceRelationshipTypeId') \
         ORDER BY id), '[]') FROM {schema}.instance_relationship WHERE {column} = page.id)"
    )
}

/// A title that is an instance is shown with the instance's current data.
fn titles(schema: &str, name: &str, other: &str, own: &str) -> String {
    let (column, other_column) = (own.to_lowercase(), other.to_lowercase());
    format!(
        "'{name}', (SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', link.id, \
         '{other}', link.jsonb->'{other}', \
         'title', coalesce(n.jsonb->'title', link.jsonb->'title'), \
         'hrid', coalesce(n.jsonb->'hrid', link.jsonb->'hrid'), \
         'identifiers', coalesce(n.jsonb->'identifiers', link.jsonb->'identifiers', '[]'))) \
         ORDER BY link.id), '[]') FROM {schema}.preceding_succeeding_title AS link \
         LEFT JOIN {schema}.instance AS n ON n.id = link.{other_column} \
         WHERE link.{column} = page.id)"
    )
}
