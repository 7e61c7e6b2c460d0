//! Instances with their holdings and items as `/inventory-hierarchy` shows them: a row for each
//! instance, everything in it by name. Suppressed records are left out on request.

use octavo_records::plan::{Parameter, Sql};
use uuid::Uuid;

use super::changed::{INSTANT, LISTED};
use super::named::{
    electronic_access, list, location, name, name_of_text, notes, statistical_codes, suppressed,
};

/// A row for each instance that changed: `{instanceId, source, updatedDate, …}`, all of them texts.
#[must_use]
pub fn updated(changed: Sql) -> Sql {
    changed.within(|changed| {
        format!(
            "SELECT jsonb_build_object('instanceId', instance, 'source', coalesce(source, ''), \
             'updatedDate', {INSTANT}, 'suppressFromDiscovery', suppressed::text, \
             'deleted', deleted::text) AS jsonb FROM ({changed}) AS {LISTED}"
        )
    })
}

/// A row for each of these instances, with holdings and items.
#[must_use]
pub fn items_and_holdings(schema: &str, ids: Vec<Uuid>, skip_suppressed: bool) -> Sql {
    let mut sql = Sql::default();
    sql.push(&format!(
        "SELECT jsonb_build_object('instanceId', n.id, 'source', coalesce(n.jsonb->>'source', ''), \
         'modeOfIssuance', coalesce({mode}, ''), 'natureOfContent', coalesce((SELECT \
         jsonb_agg(DISTINCT term.jsonb->'name') FROM jsonb_array_elements_text({terms}) AS one \
         JOIN {schema}.nature_of_content_term AS term ON term.id = one::uuid), '[]'), \
         'holdings', {holdings}, 'items', \
         {items}) AS jsonb FROM {schema}.instance AS n WHERE n.id = ANY(",
        mode = name(schema, "mode_of_issuance", "n.modeofissuanceid"),
        terms = list("n.jsonb->'natureOfContentTermIds'"),
        holdings = holdings(schema, skip_suppressed),
        items = items(schema, skip_suppressed),
    ));
    sql.bind(Parameter::Ids(ids), "uuid[]");
    sql.push(")");
    sql
}

/// The holdings of instance `n`.
fn holdings(schema: &str, skip_suppressed: bool) -> String {
    let skipped = match skip_suppressed {
        true => format!(" AND NOT {}", suppressed("h")),
        false => String::new(),
    };
    let texts = texts("h", &HOLDINGS_TEXTS);
    let lists = values("h", &HOLDINGS_VALUES);
    let places: String = [
        ("permanent", "permanentlocationid"),
        ("temporary", "temporarylocationid"),
    ]
    .iter()
    .map(|(alias, column)| location(schema, alias, &format!("h.{column}")))
    .chain([location(
        schema,
        "effective",
        "(h.jsonb->>'effectiveLocationId')::uuid",
    )])
    .collect();
    format!(
        "(SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', h.id, \
         'hrId', h.jsonb->>'hrid', 'suppressFromDiscovery', {of_instance} OR {of_holdings}, \
         'holdingsType', {kind}, 'location', jsonb_build_object(\
         'permanentLocation', coalesce(permanent.view, '{{}}'), \
         'temporaryLocation', coalesce(temporary.view, '{{}}'), \
         'effectiveLocation', coalesce(effective.view, '{{}}')), \
         'callNumber', jsonb_build_object('prefix', h.jsonb->>'callNumberPrefix', \
         'suffix', h.jsonb->>'callNumberSuffix', 'typeId', h.jsonb->>'callNumberTypeId', \
         'typeName', {number_type}, 'callNumber', h.jsonb->>'callNumber'), \
         'electronicAccess', {links}, 'notes', {notes}, 'illPolicy', {policy}, \
         'statisticalCodes', {codes}{texts}{lists})) ORDER BY h.id), '[]') \
         FROM {schema}.holdings_record AS h{places} WHERE h.instanceid = n.id{skipped})",
        of_instance = suppressed("n"),
        of_holdings = suppressed("h"),
        kind = name(schema, "holdings_type", "h.holdingstypeid"),
        number_type = name(schema, "call_number_type", "h.callnumbertypeid"),
        links = electronic_access(schema, "h.jsonb->'electronicAccess'", "'[]'"),
        notes = notes(schema, "h.jsonb->'notes'", "holdings", "'[]'"),
        policy = name(schema, "ill_policy", "h.illpolicyid"),
        codes = statistical_codes(schema, "h.jsonb->'statisticalCodeIds'"),
    )
}

/// The items of instance `n`, bound-with items included, without duplicates.
fn items(schema: &str, skip_suppressed: bool) -> String {
    let skipped = match skip_suppressed {
        true => format!(" AND NOT ({} OR {})", suppressed("h"), suppressed("i")),
        false => String::new(),
    };
    let columns = format!(
        "i.id, i.jsonb, i.materialtypeid, i.permanentloantypeid, i.temporaryloantypeid, \
         i.effectivelocationid, i.permanentlocationid, i.temporarylocationid, h.id AS holdings, \
         {} OR {} AS hidden",
        suppressed("h"),
        suppressed("i")
    );
    let places: String = [
        ("effective", "effectivelocationid"),
        ("permanent", "permanentlocationid"),
        ("temporary", "temporarylocationid"),
    ]
    .iter()
    .map(|(alias, column)| location(schema, alias, &format!("i.{column}")))
    .collect();
    format!(
        "(SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', i.id, \
         'hrId', i.jsonb->>'hrid', 'holdingsRecordId', i.holdings, \
         'suppressFromDiscovery', {of_instance} OR i.hidden, 'status', i.jsonb#>>'{{status,name}}', \
         'location', jsonb_build_object('location', coalesce(effective.view, '{{}}'), \
         'permanentLocation', coalesce(permanent.view, '{{}}'), \
         'temporaryLocation', coalesce(temporary.view, '{{}}')), \
         'callNumber', i.jsonb->'effectiveCallNumberComponents' || \
         jsonb_build_object('typeName', {number_type}), 'itemDamagedStatus', {damage}, \
         'materialType', {material}, 'materialTypeId', i.materialtypeid, \
         'permanentLoanType', {permanent_loan}, 'temporaryLoanType', {temporary_loan}, \
         'electronicAccess', {links}, 'notes', {notes}, 'statisticalCodes', {codes}{texts}{lists})) \
         ORDER BY i.id), '[]') FROM (SELECT DISTINCT ON (id) * FROM (\
         SELECT {columns}, 0 AS bound \
         FROM {schema}.holdings_record AS h JOIN {schema}.item AS i ON i.holdingsrecordid = h.id \
         WHERE h.instanceid = n.id{skipped} \
         UNION ALL SELECT {columns}, 1 FROM {schema}.holdings_record AS h \
         JOIN {schema}.bound_with_part AS part ON part.holdingsrecordid = h.id \
         JOIN {schema}.item AS i ON i.id = part.itemid WHERE h.instanceid = n.id{skipped}\
         ) AS one ORDER BY id, bound, holdings) AS i{places})",
        of_instance = suppressed("n"),
        number_type = name_of_text(
            schema,
            "call_number_type",
            "i.jsonb#>>'{effectiveCallNumberComponents,typeId}'"
        ),
        damage = name_of_text(
            schema,
            "item_damaged_status",
            "i.jsonb->>'itemDamagedStatusId'"
        ),
        material = name(schema, "material_type", "i.materialtypeid"),
        permanent_loan = name(schema, "loan_type", "i.permanentloantypeid"),
        temporary_loan = name(schema, "loan_type", "i.temporaryloantypeid"),
        links = electronic_access(schema, "i.jsonb->'electronicAccess'", "'[]'"),
        notes = notes(schema, "i.jsonb->'notes'", "item", "'[]'"),
        codes = statistical_codes(schema, "i.jsonb->'statisticalCodeIds'"),
        texts = texts("i", &ITEM_TEXTS),
        lists = values("i", &ITEM_VALUES),
    )
}

/// Properties that are shown as they are, as texts.
fn texts(alias: &str, names: &[&str]) -> String {
    let pair = |name: &&str| format!(", '{name}', {alias}.jsonb->>'{name}'");
    names.iter().map(pair).collect()
}

/// The same, as JSON.
fn values(alias: &str, names: &[&str]) -> String {
    let pair = |name: &&str| format!(", '{name}', {alias}.jsonb->'{name}'");
    names.iter().map(pair).collect()
}

const HOLDINGS_TEXTS: [&str; 8] = [
    "shelvingTitle",
    "acquisitionFormat",
    "acquisitionMethod",
    "receiptStatus",
    "retentionPolicy",
    "digitizationPolicy",
    "copyNumber",
    "numberOfItems",
];
const HOLDINGS_VALUES: [&str; 6] = [
    "formerIds",
    "holdingsStatements",
    "holdingsStatementsForIndexes",
    "holdingsStatementsForSupplements",
    "receivingHistory",
    "tags",
];
const ITEM_TEXTS: [&str; 14] = [
    "accessionNumber",
    "barcode",
    "copyNumber",
    "volume",
    "enumeration",
    "chronology",
    "displaySummary",
    "itemIdentifier",
    "numberOfPieces",
    "descriptionOfPieces",
    "numberOfMissingPieces",
    "missingPieces",
    "missingPiecesDate",
    "itemDamagedStatusDate",
];
const ITEM_VALUES: [&str; 3] = ["formerIds", "yearCaption", "tags"];
