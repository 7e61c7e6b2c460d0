//! Rules for entries of reference lists: entries of FOLIO cannot be changed, and clients cannot use the
//! sources of FOLIO or a consortium. Tenants here are in no consortium.

use serde_json::Value;
use uuid::Uuid;

/// A refusal with FOLIO's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryRefusal {
    /// Answered with an error for `source`.
    Source(&'static str),
    /// Answered with plain text.
    Plain(&'static str),
    /// The id of the document is not the one in the path: FOLIO's name of the record, and sentence.
    OtherId(&'static str, &'static str),
}

const NOT_TO_FOLIO: &str = "Illegal operation: Source field cannot be set to folio";
const NOT_FROM_FOLIO: &str = "Illegal operation: Source folio cannot be updated";
const NOT_TO_CONSORTIUM: &str =
    "Illegal operation: Source consortium cannot be applied at non-consortium tenant";
const NOT_CHANGED: &str =
    "Illegal operation: Source field cannot be updated at non-consortium tenant";

/// Why an entry of this table cannot be made.
#[must_use]
pub fn on_create(table: &str, new: &Value) -> Option<EntryRefusal> {
    match (table, source(new)) {
        ("subject_source" | "subject_type", "folio") => Some(EntryRefusal::Source(NOT_TO_FOLIO)),
        ("subject_source" | "subject_type", "consortium") => {
            Some(EntryRefusal::Source(NOT_TO_CONSORTIUM))
        }
        _ => None,
    }
}

/// Why an entry of this table and id cannot be replaced by another.
#[must_use]
pub fn on_replace(table: &str, id: Uuid, new: &Value, old: &Value) -> Option<EntryRefusal> {
    match table {
        "subject_source" | "subject_type" => match (source(old), source(new)) {
            (old, new) if old == new => None,
            (_, "folio") => Some(EntryRefusal::Source(NOT_TO_FOLIO)),
            ("folio", _) => Some(EntryRefusal::Source(NOT_FROM_FOLIO)),
            _ => Some(EntryRefusal::Source(NOT_CHANGED)),
        },
        "call_number_type" if source(old) == "system" => Some(EntryRefusal::Plain(
            "System call number type couldn't be updated",
        )),
        _ => on_other_id(table, id, new),
    }
}

/// Why an entry of this table cannot be deleted.
#[must_use]
pub fn on_delete(table: &str, old: &Value) -> Option<EntryRefusal> {
    match (table, source(old)) {
        ("call_number_type", "system") => Some(EntryRefusal::Plain(
            "System call number type couldn't be deleted",
        )),
        ("holdings_records_source", "folio") => Some(EntryRefusal::Plain(
            "Holdings Records Sources with source of folio can not be deleted",
        )),
        _ => None,
    }
}

/// Location units refuse another id in the document.
fn on_other_id(table: &str, id: Uuid, new: &Value) -> Option<EntryRefusal> {
    let sent = new.get("id").and_then(Value::as_str)?;
    if Uuid::try_parse(sent).ok() == Some(id) {
        return None;
    }
    let (name, sentence) = match table {
        "locinstitution" => (
            "locinst",
            "Illegal operation: Institution ID cannot be changed",
        ),
        "loccampus" => ("loccamp", "Illegal operation: Campus ID cannot be changed"),
        "loclibrary" => ("loclib", "Illegal operation: Library ID cannot be changed"),
        _ => return None,
    };
    Some(EntryRefusal::OtherId(name, sentence))
}

fn source(entry: &Value) -> &str {
    let source = entry.get("source").and_then(Value::as_str);
    source.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nobody_claims_to_be_folio_or_a_consortium() {
        let of = |source: &str| json!({"source": source});
        for table in ["subject_source", "subject_type"] {
            let created = |source: &str| on_create(table, &of(source));
            assert_eq!(created("local"), None);
            assert_eq!(created("folio"), Some(EntryRefusal::Source(NOT_TO_FOLIO)));
            assert_eq!(
                created("consortium"),
                Some(EntryRefusal::Source(NOT_TO_CONSORTIUM))
            );
            for (old, new, sentence) in [
                ("local", "local", None),
                ("folio", "folio", None),
                ("consortium", "consortium", None),
                ("local", "folio", Some(NOT_TO_FOLIO)),
                ("consortium", "folio", Some(NOT_TO_FOLIO)),
                ("folio", "local", Some(NOT_FROM_FOLIO)),
                ("folio", "consortium", Some(NOT_FROM_FOLIO)),
                ("local", "consortium", Some(NOT_CHANGED)),
                ("consortium", "local", Some(NOT_CHANGED)),
            ] {
                let refused = on_replace(table, Uuid::nil(), &of(new), &of(old));
                assert_eq!(refused, sentence.map(EntryRefusal::Source), "{old} {new}");
            }
            assert_eq!(on_delete(table, &of("folio")), None);
        }
        assert_eq!(on_create("material_type", &of("folio")), None);
    }

    #[test]
    fn what_came_with_folio_stays() {
        let of = |source: &str| json!({"source": source});
        let replaced =
            |source: &str| on_replace("call_number_type", Uuid::nil(), &of("x"), &of(source));
        assert!(matches!(replaced("system"), Some(EntryRefusal::Plain(_))));
        assert_eq!(replaced("local"), None);
        for (table, kept, other) in [
            ("call_number_type", "system", "folio"),
            ("holdings_records_source", "folio", "local"),
        ] {
            assert!(matches!(
                on_delete(table, &of(kept)),
                Some(EntryRefusal::Plain(_))
            ));
            assert_eq!(on_delete(table, &of(other)), None);
            assert_eq!(on_delete(table, &json!({})), None);
        }
    }

    #[test]
    fn a_unit_keeps_its_id() {
        let [a, b] = [1, 2].map(Uuid::from_u128);
        for table in ["locinstitution", "loccampus", "loclibrary"] {
            let replaced = |new: Value| on_replace(table, a, &new, &json!({}));
            assert_eq!(replaced(json!({"id": a})), None);
            assert_eq!(replaced(json!({})), None);
            assert!(matches!(
                replaced(json!({"id": b})),
                Some(EntryRefusal::OtherId(..))
            ));
        }
        assert_eq!(
            on_replace("loan_type", a, &json!({"id": b}), &json!({})),
            None
        );
    }
}
