//! MARC modifications of a mapping profile: fields added, deleted, edited and moved.

use octavo_marc::{ControlField, DataField, Field, Record, Subfield, Tag};
use serde_json::Value;

/// Carries a profile's `marcMappingDetails` out on a record.
///
/// # Errors
/// What is not understood.
pub(crate) fn modify(record: &mut Record, profile: &Value) -> Result<(), String> {
    let details = profile["mappingDetails"]["marcMappingDetails"].as_array();
    let mut details: Vec<&Value> = details.into_iter().flatten().collect();
    details.sort_by_key(|detail| detail["order"].as_i64().unwrap_or(0));
    for detail in details {
        let rule = Rule::read(&detail["field"])?;
        match detail["action"].as_str().unwrap_or_default() {
            "ADD" => add(record, &rule)?,
            "DELETE" => delete(record, &rule),
            "EDIT" => edit(record, &rule)?,
            "MOVE" => move_fields(record, &rule)?,
            other => return Err(format!("the modification {other} is not known")),
        }
    }
    Ok(())
}

/// A field of a modification.
struct Rule<'a> {
    tag: Tag,
    indicators: [char; 2],
    any: [bool; 2],
    subfields: Vec<&'a Value>,
}

impl<'a> Rule<'a> {
    fn read(field: &'a Value) -> Result<Rule<'a>, String> {
        let name = field["field"].as_str().unwrap_or_default();
        let tag = Tag::new(name).ok_or_else(|| format!("\"{name}\" is no tag"))?;
        let indicator = |name: &str| {
            let text = field[name].as_str().unwrap_or_default();
            text.chars()
                .next()
                .map_or(' ', |one| if one == '\\' { ' ' } else { one })
        };
        let indicators = [indicator("indicator1"), indicator("indicator2")];
        Ok(Rule {
            tag,
            indicators,
            any: indicators.map(|one| one == '*'),
            subfields: field["subfields"]
                .as_array()
                .into_iter()
                .flatten()
                .collect(),
        })
    }

    fn is_of(&self, field: &Field) -> bool {
        match field {
            Field::Control(control) => control.tag == self.tag,
            Field::Data(data) => {
                let fits = |at: usize| self.any[at] || data.indicators[at] == self.indicators[at];
                data.tag == self.tag && fits(0) && fits(1)
            }
        }
    }
}

fn code(subfield: &Value) -> Option<char> {
    subfield["subfield"].as_str()?.chars().next()
}

fn text(subfield: &Value) -> String {
    let text = subfield["data"]["text"].as_str().unwrap_or_default();
    text.strip_prefix('"')
        .and_then(|it| it.strip_suffix('"'))
        .unwrap_or(text)
        .to_owned()
}

fn add(record: &mut Record, rule: &Rule<'_>) -> Result<(), String> {
    let field = if rule.tag.is_control() {
        let value = rule
            .subfields
            .first()
            .map(|one| text(one))
            .unwrap_or_default();
        Field::Control(ControlField {
            tag: rule.tag,
            value,
        })
    } else {
        let subfields: Vec<Subfield> = rule
            .subfields
            .iter()
            .filter_map(|one| {
                Some(Subfield {
                    code: code(one)?,
                    value: text(one),
                })
            })
            .collect();
        if subfields.is_empty() {
            return Err(format!(
                "a field {} without subfields cannot be added",
                rule.tag.as_str()
            ));
        }
        let indicators = rule
            .indicators
            .map(|one| if one == '*' { ' ' } else { one });
        Field::Data(DataField {
            tag: rule.tag,
            indicators,
            subfields,
        })
    };
    insert(record, field);
    Ok(())
}

fn insert(record: &mut Record, field: Field) {
    let tag = field.tag();
    let place = record.fields.iter().position(|other| other.tag() > tag);
    record
        .fields
        .insert(place.unwrap_or(record.fields.len()), field);
}

/// Whole fields, or the subfields that are named; `*` is the whole field.
fn delete(record: &mut Record, rule: &Rule<'_>) {
    let codes: Vec<char> = rule.subfields.iter().filter_map(|one| code(one)).collect();
    let whole = codes.is_empty() || codes.contains(&'*');
    record.fields.retain_mut(|field| {
        if !rule.is_of(field) {
            return true;
        }
        match field {
            Field::Data(data) if !whole => {
                data.subfields.retain(|one| !codes.contains(&one.code));
                !data.subfields.is_empty()
            }
            _ => false,
        }
    });
}

fn edit(record: &mut Record, rule: &Rule<'_>) -> Result<(), String> {
    for field in record.fields.iter_mut().filter(|field| rule.is_of(field)) {
        for wanted in &rule.subfields {
            let code = code(wanted);
            match field {
                Field::Control(control) => edit_value(&mut control.value, wanted)?,
                Field::Data(data) => {
                    for one in data.subfields.iter_mut() {
                        if code == Some('*') || code == Some(one.code) {
                            edit_value(&mut one.value, wanted)?;
                        }
                    }
                    let is_new = wanted["subaction"] == "INSERT" && code.is_none_or(|it| it != '*');
                    if let (true, Some(code)) = (is_new, code)
                        && data.get(code).is_none()
                    {
                        data.subfields.push(Subfield {
                            code,
                            value: text(wanted),
                        });
                    }
                }
            }
        }
    }
    Ok(())
}

/// Writes a text before or behind a value, takes one out, or puts one in the place of another.
fn edit_value(value: &mut String, wanted: &Value) -> Result<(), String> {
    let (data, new) = (&wanted["data"], text(wanted));
    match wanted["subaction"].as_str().unwrap_or_default() {
        "INSERT" => match wanted["position"].as_str().or(data["position"].as_str()) {
            Some("BEFORE_STRING") => value.insert_str(0, &new),
            Some("AFTER_STRING") => value.push_str(&new),
            _ => *value = new,
        },
        "REMOVE" if new.is_empty() => value.clear(),
        "REMOVE" => *value = value.replace(&new, ""),
        "REPLACE" => {
            let find = data["find"].as_str().unwrap_or_default();
            let with = data["replaceWith"].as_str().unwrap_or_default();
            if find.is_empty() {
                return Err("a replacement must say what is to be found".to_owned());
            }
            *value = value.replace(find, with);
        }
        other => return Err(format!("the change {other} is not known")),
    }
    Ok(())
}

/// Whole fields to another tag, or subfields to a field of their own or into one that is there.
fn move_fields(record: &mut Record, rule: &Rule<'_>) -> Result<(), String> {
    let first = rule.subfields.first().ok_or("a move must say where to")?;
    let to = &first["data"]["marcField"];
    let target = Rule::read(to)?;
    let indicators = target
        .indicators
        .map(|one| if one == '*' { ' ' } else { one });
    let codes: Vec<(char, char)> = rule
        .subfields
        .iter()
        .filter_map(|one| {
            let from = code(one)?;
            let to = one["data"]["marcField"]["subfields"][0]["subfield"].as_str();
            Some((from, to.and_then(|it| it.chars().next()).unwrap_or(from)))
        })
        .collect();
    let whole = codes.is_empty() || codes.iter().any(|(from, _)| *from == '*');
    let mut moved: Vec<DataField> = Vec::new();
    record.fields.retain_mut(|field| {
        let is_of = rule.is_of(field);
        let Field::Data(data) = field else {
            return true;
        };
        if !is_of {
            return true;
        }
        let (taken, kept): (Vec<Subfield>, Vec<Subfield>) = data
            .subfields
            .drain(..)
            .partition(|one| whole || codes.iter().any(|(from, _)| *from == one.code));
        data.subfields = kept;
        if !taken.is_empty() {
            let subfields = taken
                .into_iter()
                .map(|mut one| {
                    let renamed = codes.iter().find(|(from, _)| *from == one.code);
                    one.code = renamed.filter(|_| !whole).map_or(one.code, |(_, to)| *to);
                    one
                })
                .collect();
            moved.push(DataField {
                tag: target.tag,
                indicators,
                subfields,
            });
        }
        !data.subfields.is_empty()
    });
    let joins = first["subaction"] == "ADD_TO_EXISTING_FIELD";
    for field in moved {
        let there = record.fields.iter_mut().find_map(|other| match other {
            Field::Data(data) if data.tag == target.tag => Some(data),
            _ => None,
        });
        match there {
            Some(there) if joins => there.subfields.extend(field.subfields),
            _ => insert(record, Field::Data(field)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use octavo_marc::parse_text;
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(details: Value, expected: &str) {
        let mut record =
            parse_text("245 10$aTitle\n500   $aOne$5X\n856 40$uhttp://a$3Part").unwrap();
        let profile = json!({"mappingDetails": {"marcMappingDetails": details}});
        modify(&mut record, &profile).unwrap();
        let text = record.to_string();
        assert_eq!(text.split_once('\n').unwrap().1, expected);
    }

    #[test]
    fn fields_are_added_deleted_edited_and_moved() {
        check(
            json!([{"order": 1, "action": "DELETE", "field": {"field": "500", "indicator1": "*",
                     "indicator2": "*", "subfields": [{"subfield": "*"}]}},
                   {"order": 0, "action": "ADD", "field": {"field": "590", "indicator1": "",
                     "indicator2": "", "subfields": [{"subfield": "a", "data": {"text": "Ours"}}]}}]),
            "245 10$aTitle\n590   $aOurs\n856 40$uhttp://a$3Part\n",
        );
        check(
            json!([{"order": 0, "action": "EDIT", "field": {"field": "856", "indicator1": "4",
                "indicator2": "*", "subfields": [{"subfield": "u", "subaction": "INSERT",
                "position": "BEFORE_STRING", "data": {"text": "http://proxy?"}}]}}]),
            "245 10$aTitle\n500   $aOne$5X\n856 40$uhttp://proxy?http://a$3Part\n",
        );
        check(
            json!([{"order": 0, "action": "EDIT", "field": {"field": "500", "indicator1": "*",
                "indicator2": "*", "subfields": [{"subfield": "a", "subaction": "REPLACE",
                "data": {"find": "One", "replaceWith": "Two"}}]}}]),
            "245 10$aTitle\n500   $aTwo$5X\n856 40$uhttp://a$3Part\n",
        );
        check(
            json!([{"order": 0, "action": "MOVE", "field": {"field": "500", "indicator1": "*",
                "indicator2": "*", "subfields": [{"subfield": "*", "subaction": "CREATE_NEW_FIELD",
                "data": {"marcField": {"field": "590", "indicator1": "", "indicator2": ""}}}]}}]),
            "245 10$aTitle\n590   $aOne$5X\n856 40$uhttp://a$3Part\n",
        );
        check(
            json!([{"order": 0, "action": "DELETE", "field": {"field": "500", "indicator1": "*",
                "indicator2": "*", "subfields": [{"subfield": "5"}]}}]),
            "245 10$aTitle\n500   $aOne\n856 40$uhttp://a$3Part\n",
        );
    }

    #[test]
    fn what_is_not_understood_says_so() {
        let mut record = Record::default();
        let profile = json!({"mappingDetails": {"marcMappingDetails": [
            {"action": "TURN", "field": {"field": "500"}}]}});
        assert!(modify(&mut record, &profile).is_err());
        let profile = json!({"mappingDetails": {"marcMappingDetails": [
            {"action": "ADD", "field": {"field": "5"}}]}});
        assert!(modify(&mut record, &profile).is_err());
    }
}
