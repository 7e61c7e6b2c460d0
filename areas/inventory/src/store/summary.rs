//! The summary of an instance, composed by the database in one statement. Bound-with items count,
//! without duplicates.

use octavo_records::plan::{Parameter, Sql};
use uuid::Uuid;

use super::named::{list, suppressed};

/// The summary of an instance.
#[must_use]
pub fn of(schema: &str, id: Uuid) -> Sql {
    let mut sql = Sql::default();
    sql.push(&format!(
        "WITH n AS MATERIALIZED (SELECT id, jsonb, modeofissuanceid, instancetypeid \
         FROM {schema}.instance WHERE id = "
    ));
    sql.bind(Parameter::Id(id), "uuid");
    let item = |holdings: &str, bound: i32| {
        format!(
            "SELECT i.id, i.materialtypeid AS material, \
             nullif(i.jsonb->>'effectiveShelvingOrder', '') AS shelving, \
             i.jsonb->'electronicAccess' AS links, {} AS hidden, h.hidden AS by_holdings, \
             {bound} AS bound FROM h {holdings}",
            suppressed("i")
        )
    };
    let own = item(
        &format!("JOIN {schema}.item AS i ON i.holdingsrecordid = h.id"),
        0,
    );
    let bound = item(
        &format!(
            "JOIN {schema}.bound_with_part AS part ON part.holdingsrecordid = h.id \
             JOIN {schema}.item AS i ON i.id = part.itemid"
        ),
        1,
    );
    sql.push(&format!(
        "), h AS MATERIALIZED (SELECT h.id, h.jsonb->'electronicAccess' AS links, {of_holdings} \
         AS hidden FROM n JOIN {schema}.holdings_record AS h ON h.instanceid = n.id), \
         i AS MATERIALIZED (SELECT DISTINCT ON (id) * FROM ({own} UNION ALL {bound}) AS one \
         ORDER BY id, bound, by_holdings) \
         SELECT jsonb_build_object('instance', n.jsonb, 'isBoundWith', EXISTS (SELECT FROM h \
         JOIN {schema}.bound_with_part AS part ON part.holdingsrecordid = h.id), \
         'recordCounts', jsonb_build_object('holdings', (SELECT jsonb_build_object(\
         'total', count(*), 'suppressedFromDiscovery', count(*) FILTER (WHERE hidden), \
         'notSuppressedFromDiscovery', count(*) FILTER (WHERE NOT hidden)) FROM h), \
         'items', (SELECT jsonb_build_object('total', count(*), \
         'suppressedFromDiscovery', count(*) FILTER (WHERE hidden), \
         'suppressedByHoldings', count(*) FILTER (WHERE by_holdings), \
         'suppressedFromDiscoveryOrByHoldings', count(*) FILTER (WHERE hidden OR by_holdings), \
         'notSuppressedFromDiscovery', count(*) FILTER (WHERE NOT (hidden OR by_holdings))) \
         FROM i)), 'aggregates', jsonb_build_object('allRecords', {all}, \
         'notSuppressedFromDiscoveryRecords', {shown}), 'referenceValues', jsonb_build_object(\
         'instanceFormats', {formats}, 'natureOfContentTerms', {terms}, 'instanceType', \
         (SELECT {named} FROM {schema}.instance_type AS named WHERE named.id = n.instancetypeid)) || \
         coalesce((SELECT jsonb_build_object('modeOfIssuance', {named}) \
         FROM {schema}.mode_of_issuance AS named WHERE named.id = n.modeofissuanceid), '{{}}')) \
         AS jsonb FROM n",
        of_holdings = suppressed("h"),
        all = aggregate(schema, "true", "true"),
        shown = aggregate(schema, "NOT hidden", "NOT (hidden OR by_holdings)"),
        formats = named_in(schema, "instance_format", "instanceFormatIds"),
        terms = named_in(schema, "nature_of_content_term", "natureOfContentTermIds"),
        named = NAMED,
    ));
    sql
}

const NAMED: &str = "jsonb_build_object('id', named.id, 'name', named.jsonb->'name')";

/// SQL: the names for a list of ids in the instance.
fn named_in(schema: &str, table: &str, property: &str) -> String {
    let ids = list(&format!("n.jsonb->'{property}'"));
    format!(
        "(SELECT coalesce(jsonb_agg({NAMED} ORDER BY named.jsonb->>'name'), '[]') \
         FROM {schema}.{table} AS named WHERE named.id = ANY (ARRAY(\
         SELECT one::uuid FROM jsonb_array_elements_text({ids}) AS one)))"
    )
}

/// Aggregates over some of the holdings and items.
fn aggregate(schema: &str, holdings: &str, items: &str) -> String {
    let links = |rank: i32, from: &str, condition: &str| {
        format!(
            "SELECT {rank} AS rank, {from}.id, link, at FROM {from}, \
             jsonb_array_elements({}) WITH ORDINALITY AS _(link, at) WHERE {condition}",
            list(&format!("{from}.links"))
        )
    };
    format!(
        "jsonb_build_object('itemDerivedFields', jsonb_build_object('effectiveShelvingOrder', \
         (SELECT min(shelving COLLATE \"C\") FROM i WHERE {items})), \
         'electronicAccess', (SELECT coalesce(jsonb_agg(link ORDER BY rank, at, id), '[]') FROM (\
         SELECT DISTINCT ON (link->>'uri') * FROM (\
         SELECT 1 AS rank, n.id, link, at FROM jsonb_array_elements({of_instance}) \
         WITH ORDINALITY AS _(link, at) UNION ALL {of_items} UNION ALL {of_holdings}) AS each \
         WHERE link->>'uri' <> '' ORDER BY link->>'uri', rank, at, id) AS once), \
         'referenceValues', jsonb_build_object('itemMaterialTypes', \
         (SELECT coalesce(jsonb_agg({NAMED} ORDER BY named.jsonb->>'name'), '[]') \
         FROM {schema}.material_type AS named WHERE named.id IN (\
         SELECT material FROM i WHERE {items}))))",
        of_instance = list("n.jsonb->'electronicAccess'"),
        of_items = links(2, "i", items),
        of_holdings = links(3, "h", holdings),
    )
}
