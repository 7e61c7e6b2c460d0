//! Inserts and removes fields, keeping the order of all others.

use octavo_marc::{Field, Record};

use super::form::Shaping;
use super::kept::is_own;

/// Puts each field after the last one whose tag is not higher.
pub fn insert_in_place(record: &mut Record, added: Vec<Field>) {
    for field in added {
        let tag = field.tag();
        let place = record.fields.iter().rposition(|other| other.tag() <= tag);
        record.fields.insert(place.map_or(0, |at| at + 1), field);
    }
}

/// Removes fields that are not exported.
pub fn without_fields(record: &mut Record, shaping: &Shaping) {
    if shaping.is_none() {
        return;
    }
    record.fields.retain(|field| {
        let tag = field.tag();
        let own = shaping.without_own && is_own(field);
        !own && !shaping.suppressed.iter().any(|one| tag == one.as_str())
    });
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;

    use super::*;

    #[test]
    fn added_fields_leave_the_order_of_the_others() {
        let mut record = parse_text("245 10$ax\n700   $aB\n650   $aA\n999 ff$i1").unwrap();
        let added = parse_text("852   $bMain\n866   $a1-2\n001 x")
            .unwrap()
            .fields;
        insert_in_place(&mut record, added);
        let tags: Vec<String> = record.fields.iter().map(|f| f.tag().to_string()).collect();
        assert_eq!(tags, ["001", "245", "700", "650", "852", "866", "999"]);
    }
}
