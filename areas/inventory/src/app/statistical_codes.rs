//! Refusals of unknown statistical codes in instances and items. The database detects them
//! (`migrations/references.sql`); as in FOLIO, holdings are not checked.

use octavo_records::{Collection, StoreError};
use serde_json::Value;
use uuid::Uuid;

use super::Refusal;

/// The property.
const CODES: &str = "statisticalCodeIds";

/// The refusal of a record of this table and id with FOLIO's message.
pub(super) fn refusal_of(error: StoreError, table: &str, id: Uuid) -> Refusal {
    refusal_of_batch(error, table, &[(id, Vec::new())])
}

/// The records of a batch that have codes.
pub(super) fn users(
    collection: &Collection,
    records: &[(Uuid, Value)],
) -> Vec<(Uuid, Vec<String>)> {
    if collection.table == "holdings_record" {
        return Vec::new();
    }
    let codes = |record: &Value| -> Vec<String> {
        let codes = record.get(CODES).and_then(Value::as_array);
        let texts = codes.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_lowercase).collect()
    };
    let with = records.iter().map(|(id, record)| (*id, codes(record)));
    with.filter(|(_, codes)| !codes.is_empty()).collect()
}

/// The same as [`refusal_of`] for a batch: the first record that names the code is named.
pub(super) fn refusal_of_batch(
    error: StoreError,
    table: &str,
    users: &[(Uuid, Vec<String>)],
) -> Refusal {
    match error {
        StoreError::MissingReference {
            status,
            field,
            value,
            ..
        } if field == format!("{table}.statistical_code_id") => {
            let names = |codes: &[String]| codes.is_empty() || codes.contains(&value);
            let user = users.iter().find(|(_, codes)| names(codes));
            let id = user.map_or_else(|| "null".to_owned(), |(id, _)| id.to_string());
            // FOLIO words it differently for replaced items, as with other references.
            let between = if table == "item" && status == 400 {
                ":"
            } else {
                ""
            };
            StoreError::MissingReference {
                status,
                message: format!(
                    "statistical code doesn't exist: {value}{between} foreign key violation in \
                     {CODES} array of {table} with id={id}"
                ),
                field: table.to_owned(),
                value: id,
            }
            .into()
        }
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dead(table: &str, status: u16) -> StoreError {
        StoreError::MissingReference {
            status,
            message: "as the store says".to_owned(),
            field: format!("{table}.statistical_code_id"),
            value: "7".to_owned(),
        }
    }

    #[test]
    fn the_record_that_names_the_code_is_told() {
        let [a, b] = [1, 2].map(Uuid::from_u128);
        for (table, status, between) in
            [("item", 422, ""), ("item", 400, ":"), ("instance", 400, "")]
        {
            let refusal = refusal_of(dead(table, status), table, a).to_string();
            let sentence = format!(
                "statistical code doesn't exist: 7{between} foreign key violation in \
                 statisticalCodeIds array of {table} with id={a}"
            );
            assert_eq!(refusal, sentence);
        }
        let users = [(a, vec!["6".to_owned()]), (b, vec!["7".to_owned()])];
        let refusal = refusal_of_batch(dead("item", 422), "item", &users).to_string();
        assert!(refusal.ends_with(&b.to_string()), "{refusal}");
        let other = refusal_of(dead("item", 422), "instance", a).to_string();
        assert_eq!(other, "as the store says");
    }
}
