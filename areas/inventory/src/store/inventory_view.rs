//! Instances with holdings and items for `/inventory-view`: whole records, composed by the database with
//! look-ups per instance.

use octavo_records::plan::{Plan, Sql};

/// A page of instances with holdings and items, optionally with bound-with items.
#[must_use]
pub fn instances(schema: &str, plan: &Plan, limit: i64, offset: i64, bound: bool) -> Sql {
    let own = format!(
        "SELECT i.id, i.jsonb FROM {schema}.holdings_record AS h \
         JOIN {schema}.item AS i ON i.holdingsrecordid = h.id WHERE h.instanceid = page.id"
    );
    let items = match bound {
        false => own,
        // Without duplicates: an item may belong to one holdings record and be bound with another.
        true => format!(
            "SELECT DISTINCT ON (id) id, jsonb FROM ({own} UNION ALL SELECT i.id, i.jsonb \
             FROM {schema}.holdings_record AS h \
             JOIN {schema}.bound_with_part AS part ON part.holdingsrecordid = h.id \
             JOIN {schema}.item AS i ON i.id = part.itemid WHERE h.instanceid = page.id) AS all_items"
        ),
    };
    let holdings =
        format!("SELECT id, jsonb FROM {schema}.holdings_record WHERE instanceid = page.id");
    let there = |name: &str, records: &str| {
        format!(
            "coalesce((SELECT jsonb_build_object('{name}', jsonb_agg(jsonb ORDER BY id)) \
             FROM ({records}) AS part HAVING count(*) > 0), '{{}}')"
        )
    };
    let (holdings, items) = (there("holdingsRecords", &holdings), there("items", &items));
    around(schema, plan, limit, offset, |page| {
        format!(
            "SELECT jsonb_build_object('instanceId', page.id, 'instance', page.jsonb, \
             'isBoundWith', EXISTS (SELECT FROM {schema}.holdings_record AS h \
             JOIN {schema}.bound_with_part AS part ON part.holdingsrecordid = h.id \
             WHERE h.instanceid = page.id)) || {holdings} || {items} AS jsonb FROM ({page}) AS page"
        )
    })
}

/// The parts of a set besides the instance's id.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parts {
    /// The instance itself.
    pub instance: bool,
    pub holdings: bool,
    pub items: bool,
    /// The titles before it.
    pub preceding_titles: bool,
    /// The titles after it.
    pub succeeding_titles: bool,
    /// What it is part of.
    pub super_instances: bool,
    /// Its parts.
    pub sub_instances: bool,
}

/// A page of sets, all of it one document.
#[must_use]
pub fn sets(schema: &str, plan: &Plan, limit: i64, offset: i64, parts: Parts) -> Sql {
    let of = |name: &str, table: &str, column: &str| {
        format!(
            ", '{name}', (SELECT coalesce(jsonb_agg(jsonb ORDER BY id), '[]') \
             FROM {schema}.{table} WHERE {column} = page.id)"
        )
    };
    let items = format!(
        ", 'items', (SELECT coalesce(jsonb_agg(i.jsonb ORDER BY i.id), '[]') \
         FROM {schema}.holdings_record AS h \
         JOIN {schema}.item AS i ON i.holdingsrecordid = h.id WHERE h.instanceid = page.id)"
    );
    let titles = "preceding_succeeding_title";
    let relations = "instance_relationship";
    let wanted: String = [
        (parts.instance, ", 'instance', page.jsonb".to_owned()),
        (
            parts.holdings,
            of("holdingsRecords", "holdings_record", "instanceid"),
        ),
        (parts.items, items),
        (
            parts.preceding_titles,
            of("precedingTitles", titles, "succeedinginstanceid"),
        ),
        (
            parts.succeeding_titles,
            of("succeedingTitles", titles, "precedinginstanceid"),
        ),
        (
            parts.super_instances,
            of("superInstanceRelationships", relations, "subinstanceid"),
        ),
        (
            parts.sub_instances,
            of("subInstanceRelationships", relations, "superinstanceid"),
        ),
    ]
    .into_iter()
    .filter_map(|(asked, part)| asked.then_some(part))
    .collect();
    around(schema, plan, limit, offset, |page| {
        format!(
            "SELECT jsonb_build_object('instanceSets', coalesce(jsonb_agg(one.view), \
             '[]')) AS jsonb FROM (\
             SELECT jsonb_build_object('id', page.id{wanted}) AS view FROM ({page}) AS page) AS one"
        )
    })
}

/// A page of ids, each a document by itself.
#[must_use]
pub fn ids(schema: &str, table: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    Sql::select(
        "jsonb_build_object('id', id) AS jsonb",
        schema,
        table,
        plan,
        limit,
        offset,
    )
}

fn around(
    schema: &str,
    plan: &Plan,
    limit: i64,
    offset: i64,
    view: impl FnOnce(&str) -> String,
) -> Sql {
    Sql::select("id, jsonb", schema, "instance", plan, limit, offset).within(view)
}
