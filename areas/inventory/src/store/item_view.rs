//! Items as `/inventory/items` shows them, composed by the database in one statement: the stored item
//! with title and contributors of its instance, and the names of its references.

use octavo_records::plan::{Crossing, Plan, Predicate, Sql};
use uuid::Uuid;

use crate::rules::item_form::REFERENCES;

/// The columns of the item table that the view joins on.
const COLUMNS: &str = "id, jsonb, holdingsrecordid, materialtypeid, permanentloantypeid, \
                       temporaryloantypeid, permanentlocationid, temporarylocationid, \
                       effectivelocationid";

/// A page of items. `OFFSET 0` is an optimisation fence: joined records are looked up by primary key for
/// the items of the page, memoized for later items, and the page's order stays.
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

/// The items that a holdings record shares with others.
#[must_use]
pub fn bound_with(holdings: Uuid) -> Predicate {
    Predicate::Gathered(Box::new(Crossing {
        column: "id".to_owned(),
        table: "bound_with_part".to_owned(),
        other: "itemid".to_owned(),
        predicate: Predicate::IdIn("holdingsrecordid".to_owned(), vec![holdings]),
    }))
}

fn around(schema: &str, plan: &Plan, limit: i64, offset: i64, more: &str) -> Sql {
    let mut sql = Sql::select(COLUMNS, schema, "item", plan, limit, offset);
    let (mut references, mut lookups) = (String::new(), String::new());
    for (name, table, column) in REFERRED {
        references.push_str(&format!(", '{name}', {column}.view"));
        lookups.push_str(&format!(
            " LEFT JOIN LATERAL (SELECT jsonb_build_object('id', id, 'name', jsonb->'name') \
             AS view FROM {schema}.{table} WHERE id = page.{column} OFFSET 0) AS {column} ON true"
        ));
    }
    let ids: Vec<String> = REFERENCES.iter().map(|(_, id)| format!("'{id}'")).collect();
    // Small objects are concatenated before the large one, since each `||` copies both operands.
    sql.text = format!(
        "SELECT (page.jsonb - ARRAY[{ids}, 'effectiveLocationId']) || (title.view || \
         jsonb_strip_nulls(jsonb_build_object('isBoundWith', EXISTS (SELECT FROM \
         {schema}.bound_with_part AS part WHERE part.itemid = page.id){references}{more}))) \
         AS jsonb \
         FROM ({inner}) AS page LEFT JOIN LATERAL (SELECT jsonb_strip_nulls(jsonb_build_object(\
         'title', n.jsonb->'title', 'callNumber', h.jsonb->'callNumber', 'contributorNames', \
         coalesce((SELECT jsonb_agg(jsonb_build_object('name', one->'name')) \
         FROM jsonb_array_elements(n.jsonb->'contributors') AS one), '[]'))) AS view \
         FROM {schema}.holdings_record AS h JOIN {schema}.instance AS n ON n.id = h.instanceid \
         WHERE h.id = page.holdingsrecordid OFFSET 0) AS title ON true{lookups}",
        ids = ids.join(", "),
        inner = sql.text,
    );
    sql
}

/// References of an item: name in the view, the table, and the item's column.
const REFERRED: [(&str, &str, &str); 6] = [
    ("materialType", "material_type", "materialtypeid"),
    ("permanentLoanType", "loan_type", "permanentloantypeid"),
    ("temporaryLoanType", "loan_type", "temporaryloantypeid"),
    ("permanentLocation", "location", "permanentlocationid"),
    ("temporaryLocation", "location", "temporarylocationid"),
    ("effectiveLocation", "location", "effectivelocationid"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_that_are_shared_are_gathered_before_they_stand_beside_others() {
        let own = Predicate::IdIn("holdingsrecordid".to_owned(), vec![Uuid::nil()]);
        let plan = Plan {
            predicate: Predicate::Any(vec![own, bound_with(Uuid::nil())]),
            sort: Vec::new(),
        };
        let sql = page("s", &plan, 10, 0).text;
        let gathered = "id = ANY (ARRAY(SELECT itemid FROM s.bound_with_part WHERE ";
        assert!(sql.contains(gathered), "{sql}");
    }
}
