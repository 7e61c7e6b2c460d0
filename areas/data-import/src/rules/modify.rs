//! MARC modifications of a mapping profile: fields added, deleted, edited and moved.

use octavo_marc::{ControlField, DataField, Field, Record, Subfield, Tag};
use serde_json::Value;

use super::parse::RECORD_BYTES_MAX;

/// Maximal number of steps of a profile: changed fields and their subfields.
pub(crate) const STEPS_MAX: usize = 500;

/// Applies a profile's `marcMappingDetails` to a record.
///
/// # Errors
/// Unsupported details, and changes that would make the record too large.
pub(crate) fn modify(record: &mut Record, profile: &Value) -> Result<(), String> {
    let details = profile["mappingDetails"]["marcMappingDetails"].as_array();
    let mut details: Vec<&Value> = details.into_iter().flatten().collect();
    let subfields = |detail: &&Value| detail["field"]["subfields"].as_array().map_or(0, Vec::len);
    let steps: usize = details.iter().map(|it| subfields(it).max(1)).sum();
    if steps > STEPS_MAX {
        return Err(format!(
            "the profile changes {steps} subfields; {STEPS_MAX} are the most: divide it into several"
        ));
    }
    details.sort_by_key(|detail| detail["order"].as_i64().unwrap_or(0));
    let mut room = Room::beside(record);
    for detail in details {
        // Details of an update have no action: they only select fields.
        if detail["action"].is_null() {
            continue;
        }
        let rule = Rule::read(&detail["field"])?;
        match detail["action"].as_str().unwrap_or_default() {
            "ADD" => add(record, &rule, &mut room)?,
            "DELETE" => delete(record, &rule, &mut room),
            "EDIT" => edit(record, &rule, &mut room)?,
            "MOVE" => move_fields(record, &rule)?,
            other => return Err(format!("the modification {other} is not known")),
        }
    }
    Ok(())
}

/// The bytes by which a record may still grow. Checked before anything is written: a text doubled forty
/// times would not fit into memory.
struct Room(usize);

impl Room {
    /// The room that a record leaves. Moving fields needs none.
    fn beside(record: &Record) -> Room {
        let bytes: usize = record.fields.iter().map(bytes).sum();
        Room(RECORD_BYTES_MAX.saturating_sub(bytes))
    }

    /// Accounts for a changed length.
    fn change(&mut self, from: usize, to: usize) -> Result<(), String> {
        let left = self.0.saturating_add(from).checked_sub(to);
        self.0 = left.ok_or_else(|| {
            format!(
                "the record would become larger than {RECORD_BYTES_MAX} bytes by the modifications of \
                 the profile"
            )
        })?;
        Ok(())
    }
}

/// Bytes of a field: its texts, tag, indicators and codes.
fn bytes(field: &Field) -> usize {
    match field {
        Field::Control(control) => 3 + control.value.len(),
        Field::Data(data) => {
            let subfields = data.subfields.iter();
            5 + subfields.map(subfield_bytes).sum::<usize>()
        }
    }
}

fn subfield_bytes(subfield: &Subfield) -> usize {
    2 + subfield.value.len()
}

/// A field of a modification.
pub(super) struct Rule<'a> {
    tag: Tag,
    indicators: [char; 2],
    any: [bool; 2],
    subfields: Vec<&'a Value>,
}

impl<'a> Rule<'a> {
    pub(super) fn read(field: &'a Value) -> Result<Rule<'a>, String> {
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

    /// A field of this tag, with blanks for any indicators.
    fn field(&self, subfields: Vec<Subfield>) -> Field {
        if self.tag.is_control() {
            let values = subfields.into_iter().map(|one| one.value);
            return Field::Control(ControlField {
                tag: self.tag,
                value: values.collect(),
            });
        }
        Field::Data(DataField {
            tag: self.tag,
            indicators: self
                .indicators
                .map(|one| if one == '*' { ' ' } else { one }),
            subfields,
        })
    }

    /// Whether it is about the whole field.
    pub(super) fn is_whole(&self) -> bool {
        self.subfields.is_empty() || self.subfields.iter().any(|one| code(one) == Some('*'))
    }

    pub(super) fn is_of(&self, field: &Field) -> bool {
        match field {
            Field::Control(control) => control.tag == self.tag,
            Field::Data(data) => self.suits(data),
        }
    }

    fn suits(&self, data: &DataField) -> bool {
        let fits = |at: usize| self.any[at] || data.indicators[at] == self.indicators[at];
        data.tag == self.tag && fits(0) && fits(1)
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

fn add(record: &mut Record, rule: &Rule<'_>, room: &mut Room) -> Result<(), String> {
    let each = rule.subfields.iter();
    let subfields: Vec<Subfield> = each
        .filter_map(|one| {
            let code = code(one).or_else(|| rule.tag.is_control().then_some('a'))?;
            let value = text(one);
            Some(Subfield { code, value })
        })
        .collect();
    if subfields.iter().all(|one| one.value.is_empty()) {
        return Err(format!(
            "a field {} without a value cannot be added",
            rule.tag.as_str()
        ));
    }
    let field = rule.field(subfields);
    room.change(0, bytes(&field))?;
    insert(record, rule.tag, vec![field]);
    Ok(())
}

/// Puts fields of one tag after those that are there.
pub(super) fn insert(record: &mut Record, tag: Tag, fields: Vec<Field>) {
    let place = record.fields.iter().position(|other| other.tag() > tag);
    let place = place.unwrap_or(record.fields.len());
    record.fields.splice(place..place, fields);
}

/// Whole fields, or the subfields that are named; `*` is the whole field.
fn delete(record: &mut Record, rule: &Rule<'_>, room: &mut Room) {
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
    *room = Room::beside(record);
}

fn edit(record: &mut Record, rule: &Rule<'_>, room: &mut Room) -> Result<(), String> {
    for field in record.fields.iter_mut().filter(|field| rule.is_of(field)) {
        for wanted in &rule.subfields {
            let code = code(wanted);
            match field {
                Field::Control(control) => edit_value(&mut control.value, wanted, room)?,
                Field::Data(data) if is_new(wanted) => {
                    let code = code.filter(|code| *code != '*');
                    let code = code.ok_or("a new subfield must have a code")?;
                    let value = text(wanted);
                    let new = Subfield { code, value };
                    room.change(0, subfield_bytes(&new))?;
                    data.subfields.push(new);
                }
                Field::Data(data) => {
                    for one in data.subfields.iter_mut() {
                        if code == Some('*') || code == Some(one.code) {
                            edit_value(&mut one.value, wanted, room)?;
                        }
                    }
                    // A subfield whose text was removed is dropped.
                    data.subfields.retain(|one| !one.value.is_empty());
                }
            }
        }
    }
    record.fields.retain(|field| match field {
        other if !rule.is_of(other) => true,
        Field::Control(control) => !control.value.is_empty(),
        Field::Data(data) => !data.subfields.is_empty(),
    });
    Ok(())
}

/// Whether an edit adds a subfield.
fn is_new(wanted: &Value) -> bool {
    match wanted["subaction"].as_str() {
        Some("ADD_SUBFIELD") => true,
        Some("INSERT") => position(wanted) == Some("NEW_SUBFIELD"),
        _ => false,
    }
}

fn position(wanted: &Value) -> Option<&str> {
    wanted["position"]
        .as_str()
        .or(wanted["data"]["position"].as_str())
}

/// Writes a text before or after a value, takes one out, or puts one in the place of another.
fn edit_value(value: &mut String, wanted: &Value, room: &mut Room) -> Result<(), String> {
    let (data, new) = (&wanted["data"], text(wanted));
    let bytes = value.len();
    match wanted["subaction"].as_str().unwrap_or_default() {
        "INSERT" => match position(wanted) {
            Some("BEFORE_STRING") => {
                room.change(0, new.len())?;
                value.insert_str(0, &new);
            }
            Some("AFTER_STRING") => {
                room.change(0, new.len())?;
                value.push_str(&new);
            }
            other => {
                let place = other.unwrap_or_default();
                return Err(format!(
                    "the place \"{place}\" of what is inserted is not known"
                ));
            }
        },
        "REMOVE" => {
            if new.is_empty() {
                value.clear();
            } else {
                *value = value.replace(&new, "");
            }
            room.change(bytes, value.len())?;
        }
        "REPLACE" => {
            let find = data["find"].as_str().unwrap_or_default();
            let with = data["replaceWith"].as_str().unwrap_or_default();
            if find.is_empty() {
                return Err("a replacement must say what is to be found".to_owned());
            }
            let times = value.matches(find).count();
            let kept = bytes - times * find.len();
            room.change(bytes, kept.saturating_add(times.saturating_mul(with.len())))?;
            *value = value.replace(find, with);
        }
        other => return Err(format!("the change {other} is not known")),
    }
    Ok(())
}

/// Moves whole fields to another tag, or subfields to a new or existing field.
fn move_fields(record: &mut Record, rule: &Rule<'_>) -> Result<(), String> {
    let first = rule.subfields.first().ok_or("a move must say where to")?;
    let target = Rule::read(&first["data"]["marcField"])?;
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
    let mut moved: Vec<Vec<Subfield>> = Vec::new();
    record.fields.retain_mut(|field| {
        if !rule.is_of(field) {
            return true;
        }
        let data = match field {
            Field::Data(data) => data,
            Field::Control(control) => {
                let code = target.subfields.first().and_then(|one| code(one));
                moved.push(vec![Subfield {
                    code: code.unwrap_or('a'),
                    value: control.value.clone(),
                }]);
                return false;
            }
        };
        let (taken, kept): (Vec<Subfield>, Vec<Subfield>) = data
            .subfields
            .drain(..)
            .partition(|one| whole || codes.iter().any(|(from, _)| *from == one.code));
        data.subfields = kept;
        let renamed = |mut one: Subfield| {
            let to = codes.iter().find(|(from, _)| *from == one.code);
            one.code = to.filter(|_| !whole).map_or(one.code, |(_, to)| *to);
            one
        };
        if !taken.is_empty() {
            moved.push(taken.into_iter().map(renamed).collect());
        }
        !data.subfields.is_empty()
    });
    let joins = first["subaction"] == "ADD_TO_EXISTING_FIELD";
    if !joins {
        let fields = moved.into_iter().map(|one| target.field(one)).collect();
        insert(record, target.tag, fields);
        return Ok(());
    }
    let mut subfields = moved.into_iter().flatten().peekable();
    let there = record.fields.iter_mut().find_map(|other| match other {
        Field::Data(data) if target.suits(data) => Some(data),
        _ => None,
    });
    match there {
        Some(there) => there.subfields.extend(subfields),
        // There is none yet: all join the first.
        None if subfields.peek().is_some() => {
            let field = target.field(subfields.collect());
            insert(record, target.tag, vec![field]);
        }
        None => {}
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

    /// A change of all fields 500.
    fn of_500(action: &str, subfields: Value) -> Value {
        json!([{"order": 0, "action": action, "field": {"field": "500", "indicator1": "*",
            "indicator2": "*", "subfields": subfields}}])
    }

    #[test]
    fn subfields_are_added_emptied_and_moved() {
        let new = json!([{"subfield": "z", "subaction": "INSERT", "position": "NEW_SUBFIELD",
            "data": {"text": "New"}}]);
        let rest = "856 40$uhttp://a$3Part\n";
        check(
            of_500("EDIT", new),
            &format!("245 10$aTitle\n500   $aOne$5X$zNew\n{rest}"),
        );
        let emptied = json!([{"subfield": "5", "subaction": "REMOVE", "data": {"text": "X"}}]);
        check(
            of_500("EDIT", emptied),
            &format!("245 10$aTitle\n500   $aOne\n{rest}"),
        );
        let joined = |indicator: &str| {
            json!([{"subfield": "5", "subaction": "ADD_TO_EXISTING_FIELD", "data": {"marcField":
                {"field": "245", "indicator1": indicator, "indicator2": "0",
                 "subfields": [{"subfield": "h"}]}}}])
        };
        check(
            of_500("MOVE", joined("1")),
            &format!("245 10$aTitle$hX\n500   $aOne\n{rest}"),
        );
        // A field with other indicators is another field.
        check(
            of_500("MOVE", joined("0")),
            &format!("245 10$aTitle\n245 00$hX\n500   $aOne\n{rest}"),
        );
        let control = json!([{"subfield": "a", "subaction": "CREATE_NEW_FIELD",
            "data": {"marcField": {"field": "002"}}}]);
        check(
            of_500("MOVE", control),
            &format!("002 One\n245 10$aTitle\n500   $5X\n{rest}"),
        );
    }

    fn doubled(times: usize) -> Value {
        let one = json!({"order": 0, "action": "EDIT", "field": {"field": "500", "indicator1": "*",
            "indicator2": "*", "subfields": [{"subfield": "a", "subaction": "REPLACE",
            "data": {"find": "a", "replaceWith": "aa"}}]}});
        json!({"mappingDetails": {"marcMappingDetails": vec![one; times]}})
    }

    #[test]
    fn a_record_does_not_outgrow_its_limit() {
        let mut record = parse_text("500   $aa").unwrap();
        modify(&mut record, &doubled(20)).unwrap();
        assert_eq!(bytes(&record.fields[0]), 7 + (1 << 20));
        for (action, mut subfield) in [
            (
                "EDIT",
                json!({"subaction": "REPLACE", "data": {"find": "a", "replaceWith": "aaa"}}),
            ),
            (
                "EDIT",
                json!({"subaction": "INSERT", "position": "BEFORE_STRING",
                "data": {"text": "b".repeat(1 << 20)}}),
            ),
            (
                "EDIT",
                json!({"subaction": "INSERT", "position": "AFTER_STRING",
                "data": {"text": "b".repeat(1 << 20)}}),
            ),
            (
                "EDIT",
                json!({"subaction": "INSERT", "position": "NEW_SUBFIELD",
                "data": {"text": "b".repeat(1 << 20)}}),
            ),
            ("ADD", json!({"data": {"text": "b".repeat(1 << 20)}})),
        ] {
            let mut changed = record.clone();
            subfield["subfield"] = json!("a");
            let details = json!([{"order": 0, "action": action, "field": {"field": "500",
                "indicator1": "*", "indicator2": "*", "subfields": [subfield]}}]);
            let profile = json!({"mappingDetails": {"marcMappingDetails": details}});
            let error = modify(&mut changed, &profile).unwrap_err();
            assert!(error.contains("larger"), "{error}");
            assert_eq!(changed, record);
        }
        let mut small = parse_text("500   $aa").unwrap();
        let error = modify(&mut small, &doubled(40)).unwrap_err();
        assert!(error.contains("larger"), "{error}");
        let error = modify(&mut small, &doubled(STEPS_MAX + 1)).unwrap_err();
        assert!(error.contains("501"), "{error}");
    }

    #[test]
    fn moved_subfields_join_one_field() {
        let joined = |record: &str| {
            let mut record = parse_text(record).unwrap();
            let details = json!([{"order": 0, "action": "MOVE", "field": {"field": "500",
                "indicator1": "*", "indicator2": "*", "subfields": [{"subfield": "a",
                "subaction": "ADD_TO_EXISTING_FIELD", "data": {"marcField": {"field": "590",
                "indicator1": "", "indicator2": ""}}}]}}]);
            let profile = json!({"mappingDetails": {"marcMappingDetails": details}});
            modify(&mut record, &profile).unwrap();
            record.to_string().split_once('\n').unwrap().1.to_owned()
        };
        for (record, expected) in [
            (
                "500   $aOne\n500   $aTwo\n590   $zX\n600   $aS",
                "590   $zX$aOne$aTwo\n600   $aS\n",
            ),
            (
                "500   $aOne\n500   $aTwo\n600   $aS",
                "590   $aOne$aTwo\n600   $aS\n",
            ),
            ("600   $aS", "600   $aS\n"),
        ] {
            assert_eq!(joined(record), expected);
        }
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
