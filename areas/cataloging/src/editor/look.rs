//! The editor's own rules in FOLIO for records, independent of MARC 21's definition.

use octavo_mapping::RecordKind;
use serde_json::Value;

use super::Form;
use crate::validation::wrong_leader;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrong {
    /// The tag, or the part of the leader.
    pub tag: String,
    /// FOLIO's message.
    pub message: String,
}

fn wrong(tag: &str, message: &str) -> Wrong {
    Wrong {
        tag: tag.to_owned(),
        message: message.to_owned(),
    }
}

#[must_use]
pub fn wrong_fields(form: &Form) -> Vec<Wrong> {
    let mut found = Vec::new();
    if let Some((tag, message)) = wrong_leader(form.kind, &form.leader) {
        found.push(Wrong { tag, message });
    }
    found.extend(wrong_indicators(&form.fields));
    let one = |tag: &str| one_of(&form.fields, tag, |field| field == tag, true);
    let at_most_one = |tag: &str| one_of(&form.fields, tag, |field| field == tag, false);
    found.extend(one("008"));
    match form.kind {
        RecordKind::Bib => found.extend(one("245")),
        RecordKind::Holdings => {
            found.extend(at_most_one("001"));
            found.extend(one("004"));
            found.extend(one("852"));
        }
        RecordKind::Authority => {
            let heading = |tag: &str| tag.starts_with('1');
            found.extend(one_of(&form.fields, "1XX", heading, true));
            found.extend(at_most_one("010"));
        }
    }
    found
}

fn one_of(
    fields: &[Value],
    name: &str,
    is_it: impl Fn(&str) -> bool,
    required: bool,
) -> Option<Wrong> {
    let mut there = fields
        .iter()
        .filter(|field| field["tag"].as_str().is_some_and(&is_it));
    let Some(first) = there.next() else {
        return required.then(|| wrong(name, "Is required tag"));
    };
    if there.next().is_some() {
        return Some(wrong(name, "Is unique tag"));
    }
    let empty = first["content"].as_str().is_some_and(str::is_empty);
    empty.then(|| wrong(name, "Content couldn't be empty"))
}

fn wrong_indicators(fields: &[Value]) -> Option<Wrong> {
    fields.iter().find_map(|field| {
        let indicators = field["indicators"].as_array()?;
        let tag = field["tag"].as_str().unwrap_or_default();
        let one = |indicator: &Value| {
            let text = indicator.as_str().unwrap_or_default();
            text.chars().count() == 1
        };
        match indicators.len() {
            0 => None,
            2 if indicators.iter().all(one) => None,
            2 => Some(wrong(tag, "Indicator could have only one-character value")),
            _ => Some(wrong(tag, "Should have exactly 2 indicators")),
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn said(format: &str, leader: &str, fields: Value, expected: &[(&str, &str)]) {
        let body = json!({"marcFormat": format, "leader": leader, "fields": fields});
        let form = Form::read(&body).expect("a form");
        let found = wrong_fields(&form);
        let reported: Vec<(&str, &str)> = found
            .iter()
            .map(|wrong| (wrong.tag.as_str(), wrong.message.as_str()))
            .collect();
        assert_eq!(reported, expected);
    }

    #[test]
    fn every_kind_has_fields_that_it_must_have() {
        let leader = "00000cam a2200000   4500";
        said(
            "BIBLIOGRAPHIC",
            leader,
            json!([{"tag": "008", "content": {}}, {"tag": "245", "content": "$a T"}]),
            &[],
        );
        said(
            "BIBLIOGRAPHIC",
            "x",
            json!([{"tag": "245", "content": "", "indicators": ["1"]}]),
            &[
                ("x", "Wrong leader length"),
                ("245", "Should have exactly 2 indicators"),
                ("008", "Is required tag"),
                ("245", "Content couldn't be empty"),
            ],
        );
        said(
            "HOLDINGS",
            "00000nu  a2200000un 4500",
            json!([{"tag": "008", "content": {}}, {"tag": "004", "content": "in1"},
                   {"tag": "852", "content": "$b a"}, {"tag": "852", "content": "$b b"}]),
            &[("852", "Is unique tag")],
        );
        said(
            "AUTHORITY",
            "00000nz  a2200000n  4500",
            json!([{"tag": "008", "content": {}}, {"tag": "010", "content": "$a 1"},
                   {"tag": "010", "content": "$a 2"}]),
            &[("1XX", "Is required tag"), ("010", "Is unique tag")],
        );
    }
}
