//! Items with whole records instead of ids, composed by the database in one statement.

use octavo_records::plan::{Plan, Predicate, Sql};
use uuid::Uuid;

/// The columns of the item table that the rest is looked up by.
const COLUMNS: &str = "id, jsonb, holdingsrecordid, materialtypeid, permanentloantypeid, \
                       temporaryloantypeid, permanentlocationid, temporarylocationid, \
                       effectivelocationid";

/// The ids replaced by records.
const IDS: &str = "'holdingsRecordId', 'instanceId', 'materialTypeId', 'permanentLocationId', \
                   'temporaryLocationId', 'effectiveLocationId', 'permanentLoanTypeId', \
                   'temporaryLoanTypeId'";

/// References of an item other than holdings: name in the view, table, and the item's column.
const REFERRED: [(&str, &str, &str); 6] = [
    ("materialType", "material_type", "materialtypeid"),
    ("permanentLoanType", "loan_type", "permanentloantypeid"),
    ("temporaryLoanType", "loan_type", "temporaryloantypeid"),
    ("permanentLocation", "location", "permanentlocationid"),
    ("temporaryLocation", "location", "temporarylocationid"),
    ("effectiveLocation", "location", "effectivelocationid"),
];

/// One item.
#[must_use]
pub fn one(schema: &str, id: Uuid) -> Sql {
    let plan = Plan {
        predicate: Predicate::IdIn("id".to_owned(), vec![id]),
        sort: Vec::new(),
    };
    page(schema, &plan, 1, 0)
}

/// A page of items. `OFFSET 0` is an optimisation fence: each part is looked up by primary key for the
/// items of the page, and the page's order stays.
#[must_use]
pub fn page(schema: &str, plan: &Plan, limit: i64, offset: i64) -> Sql {
    let mut sql = Sql::select(COLUMNS, schema, "item", plan, limit, offset);
    let (mut records, mut lookups) = (String::new(), String::new());
    for (name, table, column) in REFERRED {
        records.push_str(&format!(
            " || CASE WHEN {column}.jsonb IS NULL THEN '{{}}' \
             ELSE jsonb_build_object('{name}', {column}.jsonb) END"
        ));
        lookups.push_str(&format!(
            " LEFT JOIN LATERAL (SELECT jsonb FROM {schema}.{table} WHERE id = page.{column} \
             OFFSET 0) AS {column} ON true"
        ));
    }
    sql.text = format!(
        "SELECT (page.jsonb - ARRAY[{IDS}]) || jsonb_build_object('instanceRecord', \
         above.instance, 'holdingsRecord', \
         above.holdings){records} AS jsonb FROM ({inner}) AS page \
         LEFT JOIN LATERAL (SELECT h.jsonb AS holdings, n.jsonb AS instance \
         FROM {schema}.holdings_record AS h JOIN {schema}.instance AS n ON n.id = h.instanceid \
         WHERE h.id = page.holdingsrecordid OFFSET 0) AS above ON true{lookups}",
        inner = sql.text,
    );
    sql
}
