//! An instance as mapping makes it, with FOLIO's property names.
//!
//! Only what MARC controls: id, HRID, status, tags and the like are the inventory's own.

#![allow(
    missing_docs,
    reason = "the properties are FOLIO's, and named as there"
)]

use serde::Serialize;
use serde_json::Value;

/// What a bibliographic record says of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Instance {
    pub source: &'static str,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_title: Option<String>,
    pub alternative_titles: Vec<AlternativeTitle>,
    pub editions: Vec<String>,
    pub series: Vec<Series>,
    pub identifiers: Vec<Identifier>,
    pub contributors: Vec<Contributor>,
    pub subjects: Vec<Subject>,
    pub classifications: Vec<Classification>,
    pub publication: Vec<Publication>,
    pub publication_frequency: Vec<String>,
    pub publication_range: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<Dates>,
    pub electronic_access: Vec<ElectronicAccess>,
    pub instance_type_id: &'static str,
    pub instance_format_ids: Vec<&'static str>,
    pub physical_descriptions: Vec<String>,
    pub languages: Vec<String>,
    pub notes: Vec<Note>,
    pub mode_of_issuance_id: &'static str,
    pub nature_of_content_term_ids: Vec<String>,
    pub discovery_suppress: bool,
    pub staff_suppress: bool,
    pub deleted: bool,
    pub previously_held: bool,
}

impl Instance {
    /// The instance as a JSON object.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("invariant: an instance has text keys and finite values")
    }
}

/// A title other than the main one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AlternativeTitle {
    pub alternative_title_type_id: &'static str,
    pub alternative_title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority_id: Option<String>,
}

/// A series that the resource is part of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority_id: Option<String>,
}

/// A number that identifies the resource or its record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Identifier {
    pub value: String,
    pub identifier_type_id: &'static str,
}

/// A person, body or meeting with a part in the resource.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Contributor {
    pub name: String,
    pub contributor_name_type_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributor_type_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributor_type_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority_id: Option<String>,
    pub primary: bool,
}

/// What the resource is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Subject {
    pub value: String,
    pub type_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub authority_id: Option<String>,
}

/// The resource's place in a classification.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Classification {
    pub classification_number: String,
    pub classification_type_id: &'static str,
}

/// Who issued the resource, where and when.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Publication {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_of_publication: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
}

/// The dates of 008, each four characters such as `1987` or `19uu`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dates {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_type_id: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date1: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date2: Option<String>,
}

/// An address at which the resource or something near it is found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ElectronicAccess {
    pub uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub materials_specification: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub public_note: Option<String>,
    pub relationship_id: &'static str,
}

/// A note of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    pub instance_note_type_id: &'static str,
    pub note: String,
    pub staff_only: bool,
}
