//! A record as the editor sends it.

use octavo_library::{MatchedId, SourceRecordId};
use octavo_mapping::RecordKind;
use serde_json::Value;
use uuid::Uuid;

use crate::quick_marc::kind_of;
use crate::validation::filled_leader;

/// A record to store.
#[derive(Debug, Clone)]
pub struct Form {
    pub kind: RecordKind,
    /// The leader, with constant positions filled in.
    pub leader: String,
    pub fields: Vec<Value>,
    /// Whether it is hidden from discovery.
    pub suppress_discovery: bool,
    /// The generation that the client has read (sent by later releases).
    pub generation: Option<i64>,
    /// The `_version` of the instance, holdings record or authority that it has read.
    pub version: Option<i64>,
}

/// The ids of an existing record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ids {
    /// The generation.
    pub parsed_record: SourceRecordId,
    /// All generations.
    pub parsed_record_dto: MatchedId,
    /// The instance, holdings record or authority.
    pub external: Uuid,
}

const NULL: &str = "must not be null";

impl Form {
    /// Reads a form.
    ///
    /// # Errors
    /// FOLIO's message about the first property that is missing or has another type.
    pub fn read(body: &Value) -> Result<Form, String> {
        let format = body["marcFormat"].as_str();
        let format = format.ok_or_else(|| about("marcFormat", NULL))?;
        let kind = kind_of(format).ok_or_else(|| format!("Unexpected value '{format}'"))?;
        let leader = body["leader"].as_str();
        let leader = leader.ok_or_else(|| about("leader", NULL))?;
        let fields = body["fields"].as_array();
        let fields = fields.ok_or_else(|| about("fields", NULL))?;
        for (at, field) in fields.iter().enumerate() {
            refuse_field(at, field)?;
        }
        let leader = filled_leader(kind, leader);
        let deleted = leader.chars().nth(5) == Some('d');
        Ok(Form {
            kind,
            suppress_discovery: deleted || body["suppressDiscovery"] == Value::Bool(true),
            leader,
            fields: fields.clone(),
            generation: body["sourceVersion"].as_i64().filter(|number| *number >= 0),
            version: number(&body["relatedRecordVersion"]),
        })
    }

    /// A form for validation only: its fields may be anything.
    ///
    /// # Errors
    /// When its kind is missing.
    pub fn read_leniently(body: &Value) -> Result<Form, String> {
        let format = body["marcFormat"].as_str();
        let format = format.ok_or_else(|| about("marcFormat", NULL))?;
        let kind = kind_of(format).ok_or_else(|| format!("Unexpected value '{format}'"))?;
        let leader = body["leader"].as_str().unwrap_or_default();
        let fields = body["fields"].as_array().cloned();
        Ok(Form {
            kind,
            leader: filled_leader(kind, leader),
            fields: fields.unwrap_or_default(),
            suppress_discovery: false,
            generation: None,
            version: None,
        })
    }
}

impl Ids {
    /// Reads the ids of the record.
    ///
    /// # Errors
    /// FOLIO's message about the first missing or invalid id.
    pub fn read(body: &Value) -> Result<Ids, String> {
        let id = |property: &str| {
            let text = body[property].as_str();
            let text = text.ok_or_else(|| about(property, NULL))?;
            Uuid::try_parse(text).map_err(|_| about(property, "is invalid"))
        };
        let ids = Ids {
            parsed_record: id("parsedRecordId")?.into(),
            parsed_record_dto: id("parsedRecordDtoId")?.into(),
            external: id("externalId")?,
        };
        // Clients of later releases send the generation instead of the version.
        let (version, generation) = (&body["relatedRecordVersion"], &body["sourceVersion"]);
        if version.is_null() && generation.is_null() {
            return Err(about("relatedRecordVersion", NULL));
        }
        Ok(ids)
    }
}

fn about(property: &str, problem: &str) -> String {
    format!("Parameter '{property}' {problem}")
}

/// FOLIO's clients send the number as a string.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.parse().ok(),
        other => other.as_i64(),
    }
}

fn refuse_field(at: usize, field: &Value) -> Result<(), String> {
    let path = |property: &str| format!("fields[{at}].{property}");
    let tag = field["tag"].as_str();
    let tag = tag.ok_or_else(|| about(&path("tag"), NULL))?;
    if tag.len() != 3 || !tag.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(about(&path("tag"), "must match \"^[0-9]{3}$\""));
    }
    if field["content"].is_null() {
        return Err(about(&path("content"), NULL));
    }
    let indicators = field["indicators"].as_array();
    if indicators.is_some_and(|list| list.len() > 2) {
        return Err(about(&path("indicators"), "size must be between 0 and 2"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_form_says_what_it_is_and_which_version_it_knows() {
        let body = json!({
            "marcFormat": "BIBLIOGRAPHIC", "leader": "00000dam a2200000   9999", "fields": [],
            "sourceVersion": 3, "relatedRecordVersion": "7",
        });
        let form = Form::read(&body).expect("a form");
        assert_eq!(form.leader, "00000dam a2200000   4500");
        assert_eq!((form.generation, form.version), (Some(3), Some(7)));
        assert!(form.suppress_discovery);
    }

    #[test]
    fn what_is_missing_is_reported() {
        let refused = |body: Value| Form::read(&body).expect_err("a refusal");
        let form = |fields: Value| {
            refused(json!({"marcFormat": "HOLDINGS", "leader": "", "fields": fields}))
        };
        assert_eq!(
            refused(json!({})),
            "Parameter 'marcFormat' must not be null"
        );
        assert_eq!(refused(json!({"marcFormat": "X"})), "Unexpected value 'X'");
        assert_eq!(form(json!(1)), "Parameter 'fields' must not be null");
        assert_eq!(
            form(json!([{}])),
            "Parameter 'fields[0].tag' must not be null"
        );
        assert_eq!(
            form(json!([{"tag": "24a", "content": "x"}])),
            "Parameter 'fields[0].tag' must match \"^[0-9]{3}$\""
        );
        assert_eq!(
            form(json!([{"tag": "245"}])),
            "Parameter 'fields[0].content' must not be null"
        );
        let ids = Ids::read(&json!({"parsedRecordId": "x"}));
        assert_eq!(ids, Err("Parameter 'parsedRecordId' is invalid".to_owned()));
        let id = Uuid::nil();
        let mut body = json!({"parsedRecordId": id, "parsedRecordDtoId": id, "externalId": id});
        let lacks = "Parameter 'relatedRecordVersion' must not be null".to_owned();
        assert_eq!(Ids::read(&body), Err(lacks));
        body["relatedRecordVersion"] = json!("1");
        assert!(Ids::read(&body).is_ok());
    }
}
