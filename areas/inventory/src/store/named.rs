//! Shared SQL of harvesters' views: resolves ids to names. All are expressions over one record with
//! look-ups by primary key.

/// Whether a record of this alias is hidden from discovery.
pub fn suppressed(alias: &str) -> String {
    format!("coalesce(({alias}.jsonb->>'discoverySuppress')::boolean, false)")
}

/// A JSON value where it is an array, and else an empty one.
pub fn list(json: &str) -> String {
    format!("CASE WHEN jsonb_typeof({json}) = 'array' THEN {json} ELSE '[]'::jsonb END")
}

/// SQL: a text as an id; NULL if invalid.
fn id(text: &str) -> String {
    format!(
        "CASE WHEN {text} ~* '^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}$' THEN ({text})::uuid END"
    )
}

/// SQL: the name of the record with the id of an expression.
pub fn name(schema: &str, table: &str, id: &str) -> String {
    format!("(SELECT named.jsonb->>'name' FROM {schema}.{table} AS named WHERE named.id = {id})")
}

/// The same, where the id is a text in a document.
pub fn name_of_text(schema: &str, table: &str, text: &str) -> String {
    name(schema, table, &id(text))
}

/// Electronic access, each with the name of its relationship; `none` where there is none.
pub fn electronic_access(schema: &str, json: &str, none: &str) -> String {
    let relationship = name_of_text(
        schema,
        "electronic_access_relationship",
        "link->>'relationshipId'",
    );
    format!(
        "coalesce((SELECT jsonb_agg(link || jsonb_build_object('name', {relationship})) \
         FROM jsonb_array_elements({}) AS link), {none})",
        list(json)
    )
}

/// Notes that are not for the staff only, with the name of their type instead of its id; `none`
/// where there is none.
pub fn notes(schema: &str, json: &str, kind: &str, none: &str) -> String {
    let (table, property) = match kind {
        "item" => ("item_note_type", "itemNoteType"),
        _ => ("holdings_note_type", "holdingsNoteType"),
    };
    let type_name = name_of_text(schema, table, &format!("note->>'{property}Id'"));
    format!(
        "coalesce((SELECT jsonb_agg(DISTINCT note - '{property}Id' - 'staffOnly' || \
         jsonb_build_object('{property}Name', {type_name})) FROM jsonb_array_elements({}) AS note \
         WHERE NOT coalesce((note->>'staffOnly')::boolean, false)), {none})",
        list(json)
    )
}

/// Statistical codes with their type.
pub fn statistical_codes(schema: &str, json: &str) -> String {
    format!(
        "coalesce((SELECT jsonb_agg(DISTINCT jsonb_build_object('id', code.id, \
         'code', code.jsonb->'code', 'name', code.jsonb->'name', \
         'statisticalCodeType', kind.jsonb->'name', 'source', kind.jsonb->'source')) \
         FROM jsonb_array_elements_text({}) AS one \
         JOIN {schema}.statistical_code AS code ON code.id = {} \
         JOIN {schema}.statistical_code_type AS kind ON kind.id = code.statisticalcodetypeid), '[]')",
        list(json),
        id("one")
    )
}

/// Joins a location with its units, as `{alias}.view`. An optimisation fence: it is looked up once per
/// id and memoized.
pub fn location(schema: &str, alias: &str, id: &str) -> String {
    format!(
        " LEFT JOIN LATERAL (SELECT jsonb_build_object(\
         'name', coalesce(l.jsonb->>'discoveryDisplayName', l.jsonb->>'name'), \
         'code', l.jsonb->>'code', 'id', l.id, 'isActive', l.jsonb->'isActive', \
         'campusName', campus.jsonb->>'name', 'libraryName', branch.jsonb->>'name', \
         'libraryCode', branch.jsonb->>'code', 'institutionName', institution.jsonb->>'name', \
         'locationName', l.jsonb->>'name') AS view FROM {schema}.location AS l \
         LEFT JOIN {schema}.locinstitution AS institution ON institution.id = l.institutionid \
         LEFT JOIN {schema}.loccampus AS campus ON campus.id = l.campusid \
         LEFT JOIN {schema}.loclibrary AS branch ON branch.id = l.libraryid \
         WHERE l.id = {id} OFFSET 0) AS {alias} ON true"
    )
}
