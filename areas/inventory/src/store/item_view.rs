//! Items as `/inventory/items` shows them, composed by the database in one statement: the stored
//! item with title and contributors of its instance, and the names of what it refers to.

use octavo_records::plan::{Plan, Predicate, Sql};
use uuid::Uuid;

use crate::rules::item_form::REFERENCES;

/// The columns of the item table that the view goes on from.
const COLUMNS: &str = "id, jsonb, holdingsrecordid, materialtypeid, permanentloantypeid, \
                       temporaryloantypeid, permanentlocationid, temporarylocationid, \
                       effectivelocationid";

/// A page of items. Each joined record is one look-up by its primary key, and the order of the page
/// stays: look-ups stand in the list of values, where nothing can be joined in another order.
#[must_use]
pub fn page(schema: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    around(schema, plan, limit, offset, "")
}

/// One item, with the titles it is bound with.
#[must_use]
pub fn one(schema: &str, id: Uuid) -> Sql {
    let plan = Plan {
        predicate: Predicate::IdIn("id".to_owned(), vec![id]),
        sort: Vec::new(),
    };
    let bound_with = format!(
        ", 'boundWithTitles', (SELECT jsonb_agg(jsonb_build_object(\
         'briefHoldingsRecord', jsonb_build_object('id', h.id, 'hrid', h.jsonb->'hrid'), \
         'briefInstance', jsonb_build_object('id', n.id, 'hrid', n.jsonb->'hrid', \
         'title', n.jsonb->'title'))) FROM {schema}.bound_with_part AS part \
         JOIN {schema}.holdings_record AS h ON h.id = part.holdingsrecordid \
         JOIN {schema}.instance AS n ON n.id = h.instanceid WHERE part.itemid = page.id)"
    );
    around(schema, &plan, 1, 0, &bound_with)
}

fn around(schema: &str, plan: &Plan, limit: i64, offset: i64, more: &str) -> Sql {
    let mut sql = Sql::select(COLUMNS, schema, "item", plan, limit, offset);
    let reference = |name: &str, table: &str, column: &str| {
        format!(
            ", '{name}', (SELECT jsonb_build_object('id', id, 'name', jsonb->'name') \
             FROM {schema}.{table} WHERE id = page.{column})"
        )
    };
    let references = [
        reference("materialType", "material_type", "materialtypeid"),
        reference("permanentLoanType", "loan_type", "permanentloantypeid"),
        reference("temporaryLoanType", "loan_type", "temporaryloantypeid"),
        reference("permanentLocation", "location", "permanentlocationid"),
        reference("temporaryLocation", "location", "temporarylocationid"),
        reference("effectiveLocation", "location", "effectivelocationid"),
    ];
    let ids: Vec<String> = REFERENCES.iter().map(|(_, id)| format!("'{id}'")).collect();
    // OFFSET 0 keeps the holdings' part whole: it is computed once for items that stand together.
    sql.text = format!(
        "SELECT (page.jsonb - ARRAY[{ids}, 'effectiveLocationId']) || source.fields || \
         jsonb_strip_nulls(jsonb_build_object('isBoundWith', EXISTS (SELECT FROM \
         {schema}.bound_with_part AS part WHERE part.itemid = page.id){references}{more})) \
         FROM ({inner}) AS page LEFT JOIN LATERAL (SELECT jsonb_strip_nulls(jsonb_build_object(\
         'title', n.jsonb->'title', 'callNumber', h.jsonb->'callNumber', 'contributorNames', \
         coalesce((SELECT jsonb_agg(jsonb_build_object('name', one->'name')) \
         FROM jsonb_array_elements(n.jsonb->'contributors') AS one), '[]'))) AS fields \
         FROM {schema}.holdings_record AS h JOIN {schema}.instance AS n ON n.id = h.instanceid \
         WHERE h.id = page.holdingsrecordid OFFSET 0) AS source ON true",
        ids = ids.join(", "),
        references = references.concat(),
        inner = sql.text,
    );
    sql
}
