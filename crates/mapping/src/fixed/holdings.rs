//! Holdings described in a bibliographic record: its 852 fields, or at least its call number.

use octavo_marc::{DataField, Record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::fields::{Fields, filled, joined, runs};
use super::punctuation::trim_announcing;
use super::reference::{call_number_type as types, holdings_note_type};

/// What a bibliographic record does not say of its holdings.
#[derive(Clone, Copy)]
pub struct HoldingsDefaults<'a> {
    /// The instance held.
    pub instance_id: Uuid,
    /// The holdings records source.
    pub source_id: Uuid,
    /// The location, where 852 names none that is known.
    pub permanent_location_id: Uuid,
    /// The type of holdings, if any.
    pub holdings_type_id: Option<Uuid>,
    /// Finds a location by the code in 852 `$b` or `$c`.
    pub location_by_code: &'a dyn Fn(&str) -> Option<Uuid>,
}

/// Holdings as FOLIO's JSON, one for each 852 field; without any, one with the call number that
/// the record's classification fields give.
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
    // With several holdings nothing reliable says whose statements these are.
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

/// The call number by classification: the library's own (090, 092) before the copied ones.
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

/// The first indicator of 852.
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
                "holdingsNoteTypeId": holdings_note_type::NOTE,
                "note": subfield.value.trim(),
                "staffOnly": subfield.code == 'x',
            })
        })
        .collect()
}

/// Textual statements of what is held: of the main part (866), supplements and indexes.
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
        if let Some(value) = filled(trim_announcing(&joined(field, code))) {
            statement.insert(name.to_owned(), value.into());
        }
    }
    (!statement.is_empty()).then_some(Value::Object(statement))
}
