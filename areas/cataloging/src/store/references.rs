//! The reference lists of a tenant, read in one statement.

use octavo_mapping::References;
use octavo_mapping::references::Entry;
use octavo_records::{Executor, StoreError, Tables};
use serde_json::{Map, Value};

/// A list: its name in FOLIO's paths, which rules know it by; its property in FOLIO's mapping
/// parameters; the table.
struct List {
    name: &'static str,
    property: &'static str,
    table: &'static str,
}

const fn list(name: &'static str, property: &'static str, table: &'static str) -> List {
    List {
        name,
        property,
        table,
    }
}

const LISTS: [List; 33] = [
    list("identifier-types", "identifierTypes", "identifier_type"),
    list(
        "classification-types",
        "classificationTypes",
        "classification_type",
    ),
    list("instance-types", "instanceTypes", "instance_type"),
    list(
        "electronic-access-relationships",
        "electronicAccessRelationships",
        "electronic_access_relationship",
    ),
    list("instance-formats", "instanceFormats", "instance_format"),
    list("contributor-types", "contributorTypes", "contributor_type"),
    list(
        "contributor-name-types",
        "contributorNameTypes",
        "contributor_name_type",
    ),
    list(
        "instance-note-types",
        "instanceNoteTypes",
        "instance_note_type",
    ),
    list(
        "alternative-title-types",
        "alternativeTitleTypes",
        "alternative_title_type",
    ),
    list("modes-of-issuance", "issuanceModes", "mode_of_issuance"),
    list(
        "instance-date-types",
        "instanceDateTypes",
        "instance_date_type",
    ),
    list("instance-statuses", "instanceStatuses", "instance_status"),
    list(
        "nature-of-content-terms",
        "natureOfContentTerms",
        "nature_of_content_term",
    ),
    list(
        "instance-relationship-types",
        "instanceRelationshipTypes",
        "instance_relationship_type",
    ),
    list("holdings-types", "holdingsTypes", "holdings_type"),
    list(
        "holdings-note-types",
        "holdingsNoteTypes",
        "holdings_note_type",
    ),
    list(
        "holdings-sources",
        "holdingsRecordsSources",
        "holdings_records_source",
    ),
    list("ill-policies", "illPolicies", "ill_policy"),
    list("call-number-types", "callNumberTypes", "call_number_type"),
    list("statistical-codes", "statisticalCodes", "statistical_code"),
    list(
        "statistical-code-types",
        "statisticalCodeTypes",
        "statistical_code_type",
    ),
    list("locations", "locations", "location"),
    list("material-types", "materialTypes", "material_type"),
    list(
        "item-damaged-statuses",
        "itemDamageStatuses",
        "item_damaged_status",
    ),
    list("loan-types", "loanTypes", "loan_type"),
    list("item-note-types", "itemNoteTypes", "item_note_type"),
    list(
        "authority-note-types",
        "authorityNoteTypes",
        "authority_note_type",
    ),
    list(
        "authority-identifier-types",
        "authorityIdentifierTypes",
        "authority_identifier_type",
    ),
    list(
        "authority-source-files",
        "authoritySourceFiles",
        "authority_source_file",
    ),
    list("subject-sources", "subjectSources", "subject_source"),
    list("subject-types", "subjectTypes", "subject_type"),
    list(
        "field-protection-settings",
        "marcFieldProtectionSettings",
        "marc_field_protection_settings",
    ),
    list(
        "linking-rules",
        "linkingRules",
        "instance_authority_linking_rule",
    ),
];

/// Changes whenever one of the lists changes.
pub async fn version(executor: &dyn Executor, tables: Tables<'_>) -> Result<String, StoreError> {
    let sql = format!("SELECT {} AS version", version_sql(tables));
    let rows = executor.rows(&sql, &[]).await?;
    Ok(rows
        .first()
        .and_then(|row| row.get("version"))
        .unwrap_or_default())
}

fn version_sql(tables: Tables<'_>) -> String {
    format!(
        "(SELECT (SELECT oid::text FROM pg_database WHERE datname = current_database()) \
         || ' ' || version::text FROM {})",
        tables.table("mapping_references_version")
    )
}

/// The lists, with a version that is not newer than they are.
pub async fn read(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<(String, References), StoreError> {
    let lists: Vec<String> = there(tables)
        .map(|(at, list)| {
            // A source file has several codes: one entry for each.
            let (code, also) = match list.table {
                "authority_source_file" => (
                    "code",
                    " LEFT JOIN LATERAL jsonb_array_elements_text(jsonb->'codes') AS code ON true",
                ),
                _ => ("jsonb->>'code'", ""),
            };
            format!(
                "SELECT {at}::integer AS list, id::text AS id, jsonb->>'name' AS name, \
                 {code} AS code FROM {}{also}",
                tables.table(list.table)
            )
        })
        .collect();
    let sql = format!(
        "SELECT {} AS version, list, id, name, code FROM ({}) AS entries ORDER BY list, id",
        version_sql(tables),
        lists.join(" UNION ALL ")
    );
    let rows = executor.rows(&sql, &[]).await?;
    let version = rows
        .first()
        .and_then(|row| row.get("version"))
        .unwrap_or_default();
    let mut entries: Vec<Vec<Entry>> = LISTS.iter().map(|_| Vec::new()).collect();
    for row in &rows {
        let at: i32 = row.get("list");
        let list = usize::try_from(at).ok().and_then(|at| entries.get_mut(at));
        let text = |column| row.get::<_, Option<String>>(column).unwrap_or_default();
        if let Some(list) = list {
            list.push(Entry {
                id: text("id"),
                name: text("name"),
                code: text("code"),
            });
        }
    }
    let mut references = References::default();
    for (list, entries) in LISTS.iter().zip(entries) {
        references.insert(list.name, entries);
    }
    Ok((version, references))
}

/// The lists as FOLIO's mapping parameters have them: whole records.
pub async fn parameters(
    executor: &dyn Executor,
    tables: Tables<'_>,
) -> Result<Map<String, Value>, StoreError> {
    let lists: Vec<String> = there(tables)
        .map(|(at, list)| {
            format!(
                "SELECT {at}::integer AS list, (SELECT coalesce(jsonb_agg(jsonb ORDER BY id), '[]') \
                 FROM {}) AS entries",
                tables.table(list.table)
            )
        })
        .collect();
    let sql = format!("{} ORDER BY list", lists.join(" UNION ALL "));
    let rows = executor.rows(&sql, &[]).await?;
    let mut parameters = Map::new();
    for row in &rows {
        let at: i32 = row.get("list");
        let list = usize::try_from(at).ok().and_then(|at| LISTS.get(at));
        if let Some(list) = list {
            parameters.insert(list.property.to_owned(), row.get("entries"));
        }
    }
    Ok(parameters)
}

/// The lists whose area is in the composition.
fn there(tables: Tables<'_>) -> impl Iterator<Item = (usize, &'static List)> {
    LISTS
        .iter()
        .enumerate()
        .filter(move |(_, list)| tables.catalog.get(list.table).is_some())
}
