//! Documents whose values are all texts, such as those that imports map: numbers and flags are read from them.

use serde_json::Value;

use super::{ObjectShape, Shape, ValueKind};

impl Shape {
    /// Reads the numbers and flags of a document that are written as texts. A text that is none stays, and is
    /// refused by [`Shape::check`].
    pub fn read_texts(&self, document: &mut Value) {
        of_object(&self.root, document);
    }
}

fn of_object(shape: &ObjectShape, document: &mut Value) {
    let Value::Object(document) = document else {
        return;
    };
    for (name, value) in document.iter_mut() {
        if let Some(property) = shape.property(name) {
            of_kind(&property.kind, value);
        }
    }
}

fn of_kind(kind: &ValueKind, value: &mut Value) {
    match (kind, &mut *value) {
        (ValueKind::Object(shape), value) => of_object(shape, value),
        (ValueKind::Array(element), Value::Array(list)) => {
            list.iter_mut().for_each(|one| of_kind(element, one));
        }
        (ValueKind::Integer | ValueKind::Number, Value::String(text)) => {
            let read: Option<Value> = serde_json::from_str(text.trim()).ok();
            if let Some(number) = read.filter(Value::is_number) {
                *value = number;
            }
        }
        (ValueKind::Boolean, Value::String(text)) => match text.trim() {
            flag if flag.eq_ignore_ascii_case("true") => *value = Value::Bool(true),
            flag if flag.eq_ignore_ascii_case("false") => *value = Value::Bool(false),
            _ => {}
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_and_flags_are_read_and_the_rest_stays() {
        let shape = Shape::parse(
            "price number\ncopies integer\nrush boolean\nname string\nplaces array of object\n  copies integer\n",
        )
        .expect("a shape");
        let mut document = json!({"price": " 12.50", "copies": "three", "rush": "TRUE", "name": "7",
                                  "places": [{"copies": "2"}, {"copies": 4}], "more": "1"});
        shape.read_texts(&mut document);
        assert_eq!(document["price"], json!(12.5));
        assert_eq!(document["copies"], "three");
        assert_eq!(document["rush"], true);
        assert_eq!(document["name"], "7");
        assert_eq!(document["places"], json!([{"copies": 2}, {"copies": 4}]));
        assert_eq!(document["more"], "1");
    }
}
