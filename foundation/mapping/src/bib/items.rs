//! Items described in a bibliographic record: fields with a barcode (852 or 876 `$p`).

use octavo_marc::{DataField, Record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::fields::{filled, joined};

/// The properties of items that a bibliographic record does not have.
#[derive(Clone, Copy, Debug)]
pub struct ItemDefaults {
    pub holdings_record_id: Uuid,
    pub material_type_id: Uuid,
    pub permanent_loan_type_id: Uuid,
}

/// Items as FOLIO's JSON, one for each barcode in the record.
pub fn items_from_marc(record: &Record, defaults: &ItemDefaults) -> Vec<Value> {
    let fields = record
        .data_fields()
        .filter(|field| field.tag == "852" || field.tag == "876");
    fields
        .flat_map(|field| {
            let barcodes = field
                .values('p')
                .map(str::trim)
                .filter(|barcode| !barcode.is_empty());
            barcodes.map(move |barcode| item(field, barcode, defaults))
        })
        .collect()
}

fn item(field: &DataField, barcode: &str, defaults: &ItemDefaults) -> Value {
    let mut item = Map::new();
    item.insert("barcode".to_owned(), barcode.into());
    item.insert(
        "holdingsRecordId".to_owned(),
        defaults.holdings_record_id.to_string().into(),
    );
    item.insert(
        "materialTypeId".to_owned(),
        defaults.material_type_id.to_string().into(),
    );
    let loan_type = defaults.permanent_loan_type_id.to_string();
    item.insert("permanentLoanTypeId".to_owned(), loan_type.into());
    item.insert("status".to_owned(), json!({"name": "Available"}));
    if let Some(copy) = filled(&joined(field, "t")) {
        item.insert("copyNumber".to_owned(), copy.into());
    }
    Value::Object(item)
}
