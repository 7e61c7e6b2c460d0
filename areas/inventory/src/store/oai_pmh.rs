//! Instances with their items as `/oai-pmh-view` shows them, a row for each instance. Only items at
//! active locations are included.

use octavo_records::plan::{Parameter, Sql};
use uuid::Uuid;

use super::changed::{INSTANT, LISTED};
use super::named::{electronic_access, name, name_of_text, notes, suppressed};

/// A row for each instance that changed: `{instanceid, updateddate, …}`, all of them texts.
#[must_use]
pub fn updated(changed: Sql) -> Sql {
    changed.within(|changed| {
        format!(
            "SELECT jsonb_build_object('instanceid', instance, 'updateddate', {INSTANT}, \
             'suppressfromdiscovery', suppressed::text, 'deleted', deleted::text) \
             AS jsonb FROM ({changed}) AS {LISTED}"
        )
    })
}

/// A row for each instance that changed, with its items.
#[must_use]
pub fn instances(schema: &str, changed: Sql, skip_suppressed: bool) -> Sql {
    let fields = fields(schema, "changed.instance", "suppressed", skip_suppressed);
    changed.within(|changed| {
        format!(
            "SELECT jsonb_build_object('instanceid', instance, 'updateddate', {INSTANT}, \
             'deleted', deleted::text, 'itemsandholdingsfields', CASE WHEN deleted THEN '\"\"' \
             ELSE coalesce({fields}, '\"\"') END) AS jsonb FROM ({changed}) AS {LISTED}"
        )
    })
}

/// A row for each of these ids, whether there is such an instance or not.
#[must_use]
pub fn enriched(schema: &str, ids: Vec<Uuid>, skip_suppressed: bool) -> Sql {
    let mut sql = Sql::default();
    sql.push(&format!(
        "SELECT jsonb_build_object('instanceid', wanted.instance, 'itemsandholdingsfields', \
         coalesce({}, '\"\"')) AS jsonb FROM unnest(",
        fields(schema, "wanted.instance", "", skip_suppressed)
    ));
    sql.bind(Parameter::Ids(ids), "uuid[]");
    sql.push(") AS wanted(instance)");
    sql
}

/// The items of an instance; NULL without items. `hidden` is the condition for suppressing the whole
/// instance.
fn fields(schema: &str, instance: &str, hidden: &str, skip_suppressed: bool) -> String {
    let skipped = match skip_suppressed {
        true => format!(" AND NOT {} AND NOT {}", suppressed("h"), suppressed("i")),
        false => String::new(),
    };
    let (also_hidden, told) = match hidden {
        "" => (String::new(), String::new()),
        hidden => (
            format!("{hidden} OR "),
            format!(", 'suppressfromdiscovery', {hidden}"),
        ),
    };
    let both = "CASE WHEN jsonb_typeof(i.jsonb->'electronicAccess') = 'array' \
                THEN i.jsonb->'electronicAccess' ELSE '[]' END || \
                CASE WHEN jsonb_typeof(h.jsonb->'electronicAccess') = 'array' \
                THEN h.jsonb->'electronicAccess' ELSE '[]' END";
    format!(
        "(SELECT jsonb_build_object('instanceid', {instance}, 'items', jsonb_agg(\
         jsonb_build_object('id', i.id, 'callNumber', i.jsonb->'effectiveCallNumberComponents' || \
         jsonb_build_object('typeName', {number_type}), 'location', jsonb_build_object(\
         'location', jsonb_build_object('institutionId', institution.id, \
         'institutionName', institution.jsonb->>'name', 'campusId', campus.id, \
         'campusName', campus.jsonb->>'name', 'libraryId', branch.id, \
         'libraryName', branch.jsonb->>'name'), \
         'name', coalesce(l.jsonb->>'discoveryDisplayName', l.jsonb->>'name')), \
         'volume', i.jsonb->'volume', 'enumeration', i.jsonb->'enumeration', \
         'materialType', {material}, 'electronicAccess', {links}, \
         'suppressFromDiscovery', {also_hidden}{of_holdings} OR {of_item}, 'notes', {notes}, \
         'barcode', i.jsonb->>'barcode', 'chronology', i.jsonb->>'chronology', \
         'copyNumber', i.jsonb->>'copyNumber', 'holdingsRecordId', h.id) ORDER BY i.id){told}) \
         FROM {schema}.holdings_record AS h JOIN {schema}.item AS i ON i.holdingsrecordid = h.id \
         JOIN {schema}.location AS l ON l.id = i.effectivelocationid \
         AND (l.jsonb->>'isActive')::boolean \
         JOIN {schema}.locinstitution AS institution ON institution.id = l.institutionid \
         JOIN {schema}.loccampus AS campus ON campus.id = l.campusid \
         JOIN {schema}.loclibrary AS branch ON branch.id = l.libraryid \
         WHERE h.instanceid = {instance}{skipped} HAVING count(*) > 0)",
        number_type = name_of_text(
            schema,
            "call_number_type",
            "i.jsonb#>>'{effectiveCallNumberComponents,typeId}'"
        ),
        material = name(schema, "material_type", "i.materialtypeid"),
        links = electronic_access(schema, &format!("({both})"), "'null'"),
        notes = notes(schema, "i.jsonb->'notes'", "item", "'null'"),
        of_holdings = suppressed("h"),
        of_item = suppressed("i"),
    )
}
