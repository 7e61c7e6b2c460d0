//! Applies a mapping profile's details to an instance, holdings record or item.

use std::collections::HashMap;

use octavo_marc::Record;
use serde_json::{Map, Value, json};

use super::expression::{ExpressionValue, Reading};

/// The reference lists of profiles, by table.
pub(crate) const LISTS: [&str; 15] = [
    "location",
    "holdings_type",
    "call_number_type",
    "ill_policy",
    "holdings_note_type",
    "item_note_type",
    "item_damaged_status",
    "material_type",
    "loan_type",
    "electronic_access_relationship",
    "statistical_code",
    "instance_status",
    "nature_of_content_term",
    "holdings_records_source",
    "contributor_type",
];

/// The further lists of profiles for orders and invoices.
pub(crate) const ACQUISITION_LISTS: [&str; 6] = [
    "acquisition_method",
    "acquisitions_unit",
    "contributor_name_type",
    "expense_class",
    "fund",
    "identifier_type",
];

/// Names and codes of lists' records.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accepted {
    lists: HashMap<String, Vec<[String; 3]>>,
}

impl Accepted {
    /// Adds a record of a list.
    pub(crate) fn insert(&mut self, list: &str, id: String, name: String, code: String) {
        self.lists
            .entry(list.to_owned())
            .or_default()
            .push([id, name, code]);
    }

    /// Resolves a text to an id: an id, a name, a code, or a name with its code in brackets.
    pub(crate) fn id(&self, list: &str, text: &str) -> Option<String> {
        let records = self.lists.get(list)?;
        let same = |one: &str, other: &str| !one.is_empty() && one.eq_ignore_ascii_case(other);
        let text = text.trim();
        let (name, code) = match text.strip_suffix(')').and_then(|it| it.rsplit_once('(')) {
            Some((name, code)) => (name.trim(), Some(code.trim())),
            None => (text, None),
        };
        let found = records
            .iter()
            .find(|[id, known, short]| same(id, text) || same(known, text) || same(short, text));
        let found = found.or_else(|| {
            records.iter().find(|[_, known, short]| {
                code.is_some_and(|code| same(short, code) && (name.is_empty() || same(known, name)))
            })
        });
        found.map(|[id, ..]| id.clone())
    }
}

/// The reference list of a property.
pub(crate) fn list_of(property: &str) -> Option<&'static str> {
    Some(match property {
        "permanentLocationId"
        | "temporaryLocationId"
        | "effectiveLocationId"
        | "permanentLocation.id"
        | "temporaryLocation.id" => "location",
        "holdingsTypeId" => "holdings_type",
        "callNumberTypeId" | "itemLevelCallNumberTypeId" | "typeId" => "call_number_type",
        "illPolicyId" => "ill_policy",
        "holdingsNoteTypeId" => "holdings_note_type",
        "itemNoteTypeId" => "item_note_type",
        "itemDamagedStatusId" => "item_damaged_status",
        "materialType.id" | "materialTypeId" => "material_type",
        "permanentLoanType.id"
        | "temporaryLoanType.id"
        | "permanentLoanTypeId"
        | "temporaryLoanTypeId" => "loan_type",
        "relationshipId" => "electronic_access_relationship",
        "statisticalCodeIds" | "statisticalCodeId" => "statistical_code",
        "statusId" => "instance_status",
        "natureOfContentTermIds" | "natureOfContentTermId" => "nature_of_content_term",
        "sourceId" => "holdings_records_source",
        _ => return None,
    })
}

/// The reference list of a property of orders and invoices.
fn acquisition_list_of(property: &str) -> Option<&'static str> {
    Some(match property {
        "poLine.acquisitionMethod" => "acquisition_method",
        "po.acqUnitIds" | "acqUnitIds" => "acquisitions_unit",
        "contributorNameTypeId" => "contributor_name_type",
        "expenseClassId" => "expense_class",
        "fundId" => "fund",
        "productIdType" => "identifier_type",
        "locationId" => "location",
        "poLine.physical.materialType" | "poLine.eresource.materialType" => "material_type",
        _ => return None,
    })
}

/// Properties that are true or false.
const FLAGS: [&str; 7] = [
    "discoverySuppress",
    "staffSuppress",
    "previouslyHeld",
    "staffOnly",
    "publicDisplay",
    "primary",
    "deleted",
];

/// The context of applying a profile.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mapping<'a> {
    /// The mapping profile.
    pub profile: &'a Value,
    pub record: &'a Record,
    pub accepted: &'a Accepted,
    /// The day, in ISO notation.
    pub today: &'a str,
}

impl<'a> Mapping<'a> {
    /// The fields of the profile's details.
    fn fields(&self) -> impl Iterator<Item = &'a Value> {
        let fields = self.profile["mappingDetails"]["mappingFields"].as_array();
        fields
            .into_iter()
            .flatten()
            .filter(|field| field["enabled"] != json!("false") && field["enabled"] != json!(false))
    }

    pub(crate) fn expression(&self, property: &str) -> Option<&'a str> {
        self.fields()
            .find(|field| property_of(field) == property)
            .and_then(|field| field["value"].as_str())
    }

    /// Applies the profile to a document. Null marks removed properties.
    ///
    /// # Errors
    /// An unknown name, or an unsupported detail.
    pub(crate) fn apply(&self, document: &mut Map<String, Value>) -> Result<(), String> {
        for field in self.fields() {
            self.apply_field(field, document)?;
        }
        Ok(())
    }

    fn apply_field(&self, field: &Value, document: &mut Map<String, Value>) -> Result<(), String> {
        let property = property_of(field);
        if property.is_empty() {
            return Ok(());
        }
        if let Some(flag) = field["booleanFieldAction"].as_str() {
            match flag {
                "ALL_TRUE" => put(document, &property, json!(true)),
                "ALL_FALSE" => put(document, &property, json!(false)),
                _ => {}
            }
            return Ok(());
        }
        let action = field["repeatableFieldAction"].as_str();
        let subfields = field["subfields"]
            .as_array()
            .filter(|list| !list.is_empty());
        if action == Some("DELETE_EXISTING") {
            put(document, &property, json!([]));
            return Ok(());
        }
        if let Some(subfields) = subfields {
            let entries = self.entries(&property, subfields)?;
            // An empty result does not replace existing entries.
            if !entries.is_empty() {
                extend(document, &property, entries, action);
            }
            return Ok(());
        }
        let Some(expression) = field["value"]
            .as_str()
            .filter(|text| !text.trim().is_empty())
        else {
            return Ok(());
        };
        let is_list = field["path"]
            .as_str()
            .is_some_and(|path| path.ends_with("[]"));
        match self.reading().evaluate(expression, is_list) {
            ExpressionValue::Nothing => {}
            ExpressionValue::Remove if is_list => put(document, &property, json!([])),
            ExpressionValue::Remove => put(document, &property, Value::Null),
            ExpressionValue::Values(values) => {
                let values: Result<Vec<Value>, String> = values
                    .iter()
                    .map(|text| self.value(&property, text, field))
                    .collect();
                let mut values = values?;
                if is_list {
                    extend(document, &property, values, action);
                } else if let Some(value) = values.pop() {
                    put(document, &property, value);
                }
            }
        }
        Ok(())
    }

    fn reading(&self) -> Reading<'a> {
        Reading {
            record: self.record,
            today: self.today,
        }
    }

    /// Converts a text to a property's value: an id, a boolean, or the text.
    fn value(&self, property: &str, text: &str, field: &Value) -> Result<Value, String> {
        if matches!(
            self.profile["existingRecordType"].as_str(),
            Some("ORDER" | "INVOICE")
        ) {
            return self.acquisition_value(property, text, field);
        }
        if FLAGS.contains(&property) {
            return Ok(json!(text.eq_ignore_ascii_case("true")));
        }
        let Some(list) = list_of(property) else {
            return Ok(json!(text));
        };
        if let Some(id) = self.accepted.id(list, text) {
            return Ok(json!(id));
        }
        // The values stored in the profile, in case the list has changed since.
        let known = field["acceptedValues"].as_object().into_iter().flatten();
        let mut named = known.filter(|(_, name)| name.as_str().is_some_and(|it| it == text));
        match named.next() {
            Some((id, _)) => Ok(json!(id)),
            None => Err(format!(
                "{property}: \"{text}\" is neither a name nor a code of {list}"
            )),
        }
    }

    /// The same for an order or invoice: what the profile accepts comes first, since it also has names that
    /// no list has, such as those of addresses.
    fn acquisition_value(
        &self,
        property: &str,
        text: &str,
        field: &Value,
    ) -> Result<Value, String> {
        let mut known = Accepted::default();
        for (id, name) in field["acceptedValues"].as_object().into_iter().flatten() {
            let name = name.as_str().unwrap_or_default();
            // `History (HIST)` is known by its code, too.
            let coded = name.strip_suffix(')').and_then(|it| it.rsplit_once('('));
            let code = coded.map_or("", |(_, code)| code);
            known.insert("", id.clone(), name.to_owned(), code.to_owned());
        }
        if let Some(id) = known.id("", text) {
            return Ok(json!(id));
        }
        let Some(list) = acquisition_list_of(property) else {
            return Ok(json!(text));
        };
        let id = self.accepted.id(list, text);
        id.map(|id| json!(id))
            .ok_or_else(|| format!("{property}: \"{text}\" is neither a name nor a code of {list}"))
    }

    /// The entries of a repeatable property: one for each row of the profile, or several where a row
    /// names a MARC field that repeats.
    fn entries(&self, property: &str, rows: &[Value]) -> Result<Vec<Value>, String> {
        let mut entries = Vec::new();
        for row in rows {
            let fields: Vec<&Value> = row["fields"].as_array().into_iter().flatten().collect();
            // A list of texts has one field for each row, with the row's own path.
            if let [only] = fields.as_slice()
                && only["path"] == row["path"]
                && let Some(expression) = only["value"].as_str()
            {
                if let ExpressionValue::Values(values) = self.reading().evaluate(expression, true) {
                    for text in &values {
                        entries.push(self.value(property, text, only)?);
                    }
                }
                continue;
            }
            entries.extend(self.objects(&fields)?);
        }
        Ok(entries)
    }

    fn objects(&self, fields: &[&Value]) -> Result<Vec<Value>, String> {
        let mut objects: Vec<Map<String, Value>> = vec![Map::new()];
        for field in fields {
            let path = field["path"].as_str().unwrap_or_default();
            let name = path.rsplit(['.', ']']).next().unwrap_or_default();
            if name.is_empty() {
                continue;
            }
            if let Some(flag) = field["booleanFieldAction"].as_str() {
                let value = flag == "ALL_TRUE";
                objects.iter_mut().for_each(|one| {
                    one.insert(name.to_owned(), json!(value));
                });
                continue;
            }
            let required = field["required"] == json!(true) || field["required"] == json!("true");
            let expression = field["value"].as_str().unwrap_or_default();
            match self.reading().evaluate(expression, true) {
                ExpressionValue::Values(values) => {
                    if objects.len() == 1 && values.len() > 1 {
                        objects.resize(values.len(), objects[0].clone());
                    }
                    for (at, object) in objects.iter_mut().enumerate() {
                        let text = values.get(at).or(values.first());
                        if let Some(text) = text {
                            object.insert(name.to_owned(), self.value(name, text, field)?);
                        }
                    }
                }
                ExpressionValue::Nothing | ExpressionValue::Remove if required => {
                    return Ok(Vec::new());
                }
                ExpressionValue::Nothing | ExpressionValue::Remove => {}
            }
        }
        objects.retain(|object| {
            let has_values = object.values().any(|value| !value.is_boolean());
            has_values && essence_of(fields).is_none_or(|name| object.contains_key(name))
        });
        Ok(objects.into_iter().map(Value::Object).collect())
    }
}

/// The property without which a list's entry is meaningless, such as a note type without a note.
fn essence_of(fields: &[&Value]) -> Option<&'static str> {
    let path = fields.first()?["path"].as_str()?;
    let (list, _) = path.rsplit_once("[].")?;
    match list.rsplit('.').next()? {
        "notes" | "circulationNotes" | "checkInNotes" | "checkOutNotes" => Some("note"),
        "electronicAccess" => Some("uri"),
        _ => None,
    }
}

/// The property of a field, without its entity and its brackets: `notes` of `holdings.notes[]`.
fn property_of(field: &Value) -> String {
    let path = field["path"].as_str().unwrap_or_default();
    let property = path.split_once('.').map_or("", |(_, property)| property);
    property.trim_end_matches("[]").to_owned()
}

/// Sets a property, which may be within another.
fn put(document: &mut Map<String, Value>, property: &str, value: Value) {
    match property.split_once('.') {
        None => {
            document.insert(property.to_owned(), value);
        }
        Some((outer, inner)) => {
            let within = document.entry(outer).or_insert_with(|| json!({}));
            if !within.is_object() {
                *within = json!({});
            }
            if let Value::Object(within) = within {
                put(within, inner, value);
            }
        }
    }
}

/// Adds entries to a list, or puts them in its place.
fn extend(
    document: &mut Map<String, Value>,
    property: &str,
    entries: Vec<Value>,
    action: Option<&str>,
) {
    let old = document.get(property).and_then(Value::as_array).cloned();
    let old = old.unwrap_or_default();
    let list = match action {
        Some("EXCHANGE_EXISTING") => entries,
        Some("DELETE_INCOMING") => old
            .into_iter()
            .filter(|entry| !entries.contains(entry))
            .collect(),
        _ => {
            let new = entries.into_iter().filter(|entry| !old.contains(entry));
            let new: Vec<Value> = new.collect();
            old.into_iter().chain(new).collect()
        }
    };
    put(document, property, Value::Array(list));
}

/// Converts an item to its stored form: ids instead of names.
pub(crate) fn store_form(item: &mut Map<String, Value>) {
    for (outer, name) in [
        ("materialType", "materialTypeId"),
        ("permanentLoanType", "permanentLoanTypeId"),
        ("temporaryLoanType", "temporaryLoanTypeId"),
        ("permanentLocation", "permanentLocationId"),
        ("temporaryLocation", "temporaryLocationId"),
    ] {
        if let Some(Value::Object(within)) = item.shift_remove(outer) {
            match within.get("id") {
                Some(Value::Null) => {
                    item.shift_remove(name);
                }
                Some(id) => {
                    item.insert(name.to_owned(), id.clone());
                }
                None => {}
            }
        }
    }
    item.retain(|_, value| !value.is_null());
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;

    use super::*;

    fn applied(fields: Value, before: Value) -> Result<Value, String> {
        let record = parse_text("852   $bKU/CC$hTG1\n945   $aone\n945   $atwo").unwrap();
        let mut accepted = Accepted::default();
        let (name, code) = ("Main Library".to_owned(), "KU/CC".to_owned());
        accepted.insert("location", "7".to_owned(), name, code);
        accepted.insert(
            "holdings_note_type",
            "8".to_owned(),
            "Note".to_owned(),
            String::new(),
        );
        let profile = json!({"mappingDetails": {"mappingFields": fields}});
        let mapping = Mapping {
            profile: &profile,
            record: &record,
            accepted: &accepted,
            today: "2026-01-31",
        };
        let mut document = before.as_object().cloned().unwrap_or_default();
        mapping.apply(&mut document)?;
        Ok(Value::Object(document))
    }

    #[test]
    fn names_and_codes_become_ids() {
        for value in [
            "852$b",
            "\"Main Library (KU/CC)\"",
            "\"main library\"",
            "\"7\"",
        ] {
            let field = json!([{"path": "holdings.permanentLocationId", "value": value}]);
            assert_eq!(
                applied(field, json!({})).unwrap()["permanentLocationId"],
                "7",
                "{value}"
            );
        }
        let field = json!([{"path": "holdings.permanentLocationId", "value": "\"Attic\""}]);
        let error = applied(field, json!({})).unwrap_err();
        assert!(error.contains("Attic"), "{error}");
    }

    #[test]
    fn repeatable_fields_are_extended_or_exchanged() {
        let field = |action: &str| {
            json!([{"path": "holdings.notes[]", "repeatableFieldAction": action, "subfields": [{
                "path": "holdings.notes[]", "fields": [
                    {"path": "holdings.notes[].holdingsNoteTypeId", "value": "\"Note\""},
                    {"path": "holdings.notes[].note", "value": "945$a"},
                    {"path": "holdings.notes[].staffOnly", "booleanFieldAction": "ALL_TRUE"}]}]}])
        };
        let before = json!({"notes": [{"note": "old"}]});
        let extended = applied(field("EXTEND_EXISTING"), before.clone()).unwrap();
        let notes = extended["notes"].as_array().unwrap();
        assert_eq!(notes.len(), 3);
        assert_eq!(
            notes[2],
            json!({"holdingsNoteTypeId": "8", "note": "two", "staffOnly": true})
        );
        let exchanged = applied(field("EXCHANGE_EXISTING"), before.clone()).unwrap();
        assert_eq!(exchanged["notes"].as_array().map(Vec::len), Some(2));
        let deleted = applied(field("DELETE_EXISTING"), before).unwrap();
        assert_eq!(deleted["notes"], json!([]));
    }

    #[test]
    fn lists_of_texts_flags_and_removals() {
        let fields = json!([
            {"path": "holdings.formerIds[]", "repeatableFieldAction": "EXTEND_EXISTING", "subfields": [
                {"path": "holdings.formerIds[]", "fields": [
                    {"path": "holdings.formerIds[]", "value": "945$a"}]}]},
            {"path": "holdings.discoverySuppress", "booleanFieldAction": "ALL_TRUE"},
            {"path": "holdings.copyNumber", "value": "###REMOVE###"},
            {"path": "holdings.callNumber", "value": "852$h"},
        ]);
        let document = applied(fields, json!({"copyNumber": "1"})).unwrap();
        assert_eq!(document["formerIds"], json!(["one", "two"]));
        assert_eq!(document["discoverySuppress"], true);
        assert_eq!(document["copyNumber"], Value::Null);
        assert_eq!(document["callNumber"], "TG1");
    }

    #[test]
    fn items_are_stored_with_ids() {
        let mut item = json!({"materialType": {"id": "1"}, "permanentLocation": {"id": null},
            "permanentLocationId": "3", "copyNumber": null});
        let item = item.as_object_mut().unwrap();
        store_form(item);
        assert_eq!(Value::Object(item.clone()), json!({"materialTypeId": "1"}));
    }
}
