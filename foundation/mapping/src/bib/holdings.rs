//! Holdings described in a bibliographic record: its 852 fields, or at least its call number.

use octavo_marc::{DataField, Record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::fields::{Fields, filled, joined, runs};

/// Ids of call number types, which are the same in every tenant.
mod types {
    pub const LC: &str = "95467209-6d7b-468b-94df-0f5d7ad2747d";
    pub const DEWEY: &str = "03dd64d0-5626-4ecd-8ece-4531e0069f35";
    pub const NLM: &str = "054d460d-d6b9-4469-9e37-7a78a2266655";
    pub const SUDOC: &str = "fc388041-6cd0-4806-8a74-ebe3b9ab4c6e";
    pub const SHELVING_CONTROL: &str = "28927d76-e097-4f63-8510-e56f2b7a3ad0";
    pub const TITLE: &str = "5ba6b62e-6858-490a-8102-5b1369873835";
    pub const SEPARATE: &str = "cd70562c-dd0b-42f6-aa80-ce803d24d4a1";
    pub const SOURCE_IN_SUBFIELD: &str = "827a2b64-cbf5-4296-8545-130876e4dfc0";
    pub const OTHER: &str = "6caca63e-5651-4db6-9247-3205156e9699";
}

/// The holdings note type "Note".
const NOTE: &str = "b160f13a-ddba-4053-b9c4-60ec5ea45d56";

/// ISBD marks that introduce the next element.
const ANNOUNCING: [char; 6] = [';', ':', ',', '/', '+', '='];

/// The properties of holdings that a bibliographic record does not have.
#[derive(Clone, Copy)]
pub struct HoldingsDefaults<'a> {
    pub instance_id: Uuid,
    pub source_id: Uuid,
    /// The location where 852 names no known one.
    pub permanent_location_id: Uuid,
    pub holdings_type_id: Option<Uuid>,
    /// Finds a location by the code in 852 `$b` or `$c`.
    pub location_by_code: &'a dyn Fn(&str) -> Option<Uuid>,
}

/// Holdings as FOLIO's JSON, one for each 852 field. A record without 852 gives one, with the call
/// number of its classification fields.
pub fn holdings_from_marc(record: &Record, defaults: &HoldingsDefaults<'_>) -> Vec<Value> {
    let fields = Fields::of(record);
    let call_number = bibliographic_call_number(&fields);
    let mut holdings: Vec<Map<String, Value>> = record
        .data("852")
        .map(|field| located(field, call_number.as_ref(), defaults))
        .collect();
    if holdings.is_empty() {
        let mut single = common(defaults, defaults.permanent_location_id);
        put_call_number(&mut single, call_number.as_ref());
        holdings.push(single);
    }
    // With several holdings it is unknown to which of them the statements belong.
    if let [single] = holdings.as_mut_slice() {
        put_statements(single, &fields);
    }
    holdings.into_iter().map(Value::Object).collect()
}

/// A call number with its type.
struct CallNumber {
    value: String,
    type_id: &'static str,
}

/// The call number by classification: locally assigned ones (090, 092) before those copied from
/// elsewhere.
fn bibliographic_call_number(fields: &Fields<'_>) -> Option<CallNumber> {
    [
        ("090", types::LC),
        ("050", types::LC),
        ("092", types::DEWEY),
        ("082", types::DEWEY),
        ("060", types::NLM),
    ]
    .into_iter()
    .find_map(|(tag, type_id)| {
        let field = fields.tagged(tag).next()?;
        let (_, value) = runs(field, "a", "b").into_iter().next()?;
        let value = if tag == "082" {
            value.replace('/', "")
        } else {
            value
        };
        Some(CallNumber { value, type_id })
    })
}

fn located(
    field: &DataField,
    fallback: Option<&CallNumber>,
    defaults: &HoldingsDefaults<'_>,
) -> Map<String, Value> {
    let codes = field.values('c').chain(field.values('b')).map(str::trim);
    let location = codes.into_iter().find_map(defaults.location_by_code);
    let mut holdings = common(defaults, location.unwrap_or(defaults.permanent_location_id));
    match filled(&joined(field, "hi")) {
        Some(value) => {
            let type_id = shelving_scheme(field);
            put_call_number(&mut holdings, Some(&CallNumber { value, type_id }));
        }
        None => put_call_number(&mut holdings, fallback),
    }
    for (name, codes) in [
        ("callNumberPrefix", "k"),
        ("callNumberSuffix", "m"),
        ("shelvingTitle", "l"),
        ("copyNumber", "t"),
    ] {
        if let Some(value) = filled(&joined(field, codes)) {
            holdings.insert(name.to_owned(), value.into());
        }
    }
    let notes = notes(field);
    if !notes.is_empty() {
        holdings.insert("notes".to_owned(), notes.into());
    }
    holdings
}

fn common(defaults: &HoldingsDefaults<'_>, location: Uuid) -> Map<String, Value> {
    let mut holdings = Map::new();
    let mut put = |name: &str, id: Uuid| holdings.insert(name.to_owned(), id.to_string().into());
    put("instanceId", defaults.instance_id);
    put("sourceId", defaults.source_id);
    put("permanentLocationId", location);
    if let Some(id) = defaults.holdings_type_id {
        put("holdingsTypeId", id);
    }
    holdings
}

fn put_call_number(holdings: &mut Map<String, Value>, call_number: Option<&CallNumber>) {
    if let Some(CallNumber { value, type_id }) = call_number {
        holdings.insert("callNumber".to_owned(), value.as_str().into());
        holdings.insert("callNumberTypeId".to_owned(), (*type_id).into());
    }
}

/// The shelving scheme: the first indicator of 852.
fn shelving_scheme(field: &DataField) -> &'static str {
    match field.indicators[0] {
        '0' => types::LC,
        '1' => types::DEWEY,
        '2' => types::NLM,
        '3' => types::SUDOC,
        '4' => types::SHELVING_CONTROL,
        '5' => types::TITLE,
        '6' => types::SEPARATE,
        '7' => types::SOURCE_IN_SUBFIELD,
        _ => types::OTHER,
    }
}

/// Public (`$z`) and staff (`$x`) notes.
fn notes(field: &DataField) -> Vec<Value> {
    let noted = field
        .subfields
        .iter()
        .filter(|subfield| matches!(subfield.code, 'x' | 'z'));
    noted
        .map(|subfield| {
            json!({
                "holdingsNoteTypeId": NOTE,
                "note": subfield.value.trim(),
                "staffOnly": subfield.code == 'x',
            })
        })
        .collect()
}

/// Textual holdings statements: of the main part (866), supplements and indexes.
fn put_statements(holdings: &mut Map<String, Value>, fields: &Fields<'_>) {
    for (tag, name) in [
        ("866", "holdingsStatements"),
        ("867", "holdingsStatementsForSupplements"),
        ("868", "holdingsStatementsForIndexes"),
    ] {
        let statements: Vec<Value> = fields.tagged(tag).filter_map(statement).collect();
        if !statements.is_empty() {
            holdings.insert(name.to_owned(), statements.into());
        }
    }
}

fn statement(field: &DataField) -> Option<Value> {
    let mut statement = Map::new();
    for (name, code) in [("statement", "a"), ("note", "z"), ("staffNote", "x")] {
        if let Some(value) = filled(statement_text(&joined(field, code))) {
            statement.insert(name.to_owned(), value.into());
        }
    }
    (!statement.is_empty()).then_some(Value::Object(statement))
}

/// A statement without a trailing mark that introduces another element.
fn statement_text(text: &str) -> &str {
    text.trim()
        .trim_end_matches(|c: char| ANNOUNCING.contains(&c) || c.is_whitespace())
}
