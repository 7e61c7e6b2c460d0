//! The body of a move: records and their new parent.

use serde_json::Value;
use uuid::Uuid;

/// A kind of move: the properties of its form, and the message for an empty list.
#[derive(Debug)]
pub struct MoveKind {
    /// The property of the new parent.
    pub to: &'static str,
    /// The records.
    pub list: &'static str,
    nothing: &'static str,
}

/// Items to other holdings.
pub const ITEMS: MoveKind = MoveKind {
    to: "toHoldingsRecordId",
    list: "itemIds",
    nothing: "Item ids aren't specified",
};

/// Holdings to another instance.
pub const HOLDINGS: MoveKind = MoveKind {
    to: "toInstanceId",
    list: "holdingsRecordIds",
    nothing: "Holdings record ids aren't specified",
};

#[derive(Debug, PartialEq, Eq)]
pub struct Move {
    /// The new parent, as sent.
    pub to: String,
    /// The records, as they were sent, each once.
    pub ids: Vec<String>,
}

/// A message and its property.
pub type Wrong = (String, &'static str);

/// Reads a form.
///
/// # Errors
/// The first error, with FOLIO's message where it has some.
pub fn read(form: &Value, kind: &MoveKind) -> Result<Move, Wrong> {
    let Value::Object(form) = form else {
        return Err(("must be of type object".to_owned(), ""));
    };
    let to = match form.get(kind.to) {
        Some(Value::String(to)) if !to.trim().is_empty() => to.clone(),
        None | Some(Value::Null | Value::String(_)) => {
            return Err((format!("{} is a required field", kind.to), kind.to));
        }
        Some(_) => return Err(("must be of type string".to_owned(), kind.to)),
    };
    let ids = match form.get(kind.list) {
        Some(Value::Array(ids)) => ids.as_slice(),
        None | Some(Value::Null) => &[],
        Some(_) => return Err(("must be of type array".to_owned(), kind.list)),
    };
    let mut seen = std::collections::HashSet::with_capacity(ids.len());
    let mut move_ = Move {
        to,
        ids: Vec::with_capacity(ids.len()),
    };
    for id in ids {
        let Value::String(id) = id else {
            return Err(("must be an array of strings".to_owned(), kind.list));
        };
        if seen.insert(id.as_str()) {
            move_.ids.push(id.clone());
        }
    }
    if move_.ids.is_empty() {
        return Err((kind.nothing.to_owned(), kind.list));
    }
    Ok(move_)
}

impl Move {
    /// The valid ids, in the order of locking.
    #[must_use]
    pub fn candidates(&self) -> Vec<Uuid> {
        let mut ids: Vec<Uuid> = self.ids.iter().filter_map(|id| parse(id)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// The sent ids that were not moved; `moved` is sorted.
    #[must_use]
    pub fn without(self, moved: &[Uuid]) -> Vec<String> {
        let missed = |id: &String| parse(id).is_none_or(|id| moved.binary_search(&id).is_err());
        self.ids.into_iter().filter(missed).collect()
    }
}

/// The id of a record.
#[must_use]
pub fn parse(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok().filter(|_| text.len() == 36)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_wrong_is_said_in_folios_words() {
        let wrong = |form: Value, kind: &MoveKind| read(&form, kind).expect_err("a refusal");
        for form in [
            json!({}),
            json!({"toHoldingsRecordId": null, "itemIds": ["a"]}),
            json!({"toHoldingsRecordId": " "}),
        ] {
            let sentence = "toHoldingsRecordId is a required field".to_owned();
            assert_eq!(wrong(form, &ITEMS), (sentence, "toHoldingsRecordId"));
        }
        for list in [Value::Null, json!([])] {
            let form = json!({"toInstanceId": "a", "holdingsRecordIds": list});
            let sentence = "Holdings record ids aren't specified".to_owned();
            assert_eq!(wrong(form, &HOLDINGS), (sentence, "holdingsRecordIds"));
        }
        assert_eq!(wrong(json!([]), &ITEMS).1, "");
        let form = json!({"toInstanceId": 7});
        assert_eq!(wrong(form, &HOLDINGS).1, "toInstanceId");
        for list in [json!("a"), json!([7])] {
            let form = json!({"toInstanceId": "a", "holdingsRecordIds": list});
            assert_eq!(wrong(form, &HOLDINGS).1, "holdingsRecordIds");
        }
    }

    #[test]
    fn ids_that_no_record_has_are_not_looked_for_and_are_told() {
        let [a, b] = [1, 2].map(Uuid::from_u128);
        let form = json!({"toInstanceId": a, "holdingsRecordIds": [b, "x", a, b]});
        let move_ = read(&form, &HOLDINGS).expect("a move");
        assert_eq!(move_.candidates(), [a, b]);
        assert_eq!(move_.without(&[a]), [b.to_string(), "x".to_owned()]);
    }
}
