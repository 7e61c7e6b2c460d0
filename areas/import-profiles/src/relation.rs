//! Associations of profiles, as clients send and read them.

use octavo_library::{AssociationId, ProfileId, ProfileWrapperId};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::kind::{ProfileKind, ReactTo};

/// An association to add or remove.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AssociationRequest {
    /// The association's id.
    pub id: Option<AssociationId>,
    /// The profile above; defaults to the one being stored.
    pub master_profile_id: Option<ProfileId>,
    /// The profile below; likewise.
    pub detail_profile_id: Option<ProfileId>,
    /// The kind of the profile above.
    pub master: Option<ProfileKind>,
    /// The kind of the profile below.
    pub detail: Option<ProfileKind>,
    /// The node above.
    pub master_wrapper_id: Option<ProfileWrapperId>,
    /// The node below.
    pub detail_wrapper_id: Option<ProfileWrapperId>,
    /// The job whose tree it belongs to, for what is below matches.
    pub job_profile_id: Option<ProfileId>,
    /// Its position among its siblings.
    pub order: i32,
    /// The required outcome of the match above.
    pub react_to: Option<ReactTo>,
}

/// An association as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relation {
    pub id: AssociationId,
    /// The profile above.
    pub master_profile_id: ProfileId,
    /// The profile below.
    pub detail_profile_id: ProfileId,
    /// The kind of the profile above.
    pub master: ProfileKind,
    /// The kind of the profile below.
    pub detail: ProfileKind,
    /// The node above.
    pub master_wrapper_id: ProfileWrapperId,
    /// The node below.
    pub detail_wrapper_id: ProfileWrapperId,
    /// The job whose tree it belongs to, for what is below matches.
    pub job_profile_id: Option<ProfileId>,
    /// Its place among its siblings.
    pub order: i32,
    /// What the match above has to have found.
    pub react_to: Option<ReactTo>,
}

impl Relation {
    /// FOLIO's `profileAssociation`.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut json = json!({
            "id": self.id,
            "masterProfileId": self.master_profile_id,
            "detailProfileId": self.detail_profile_id,
            "masterProfileType": self.master.name(),
            "detailProfileType": self.detail.name(),
            "masterWrapperId": self.master_wrapper_id,
            "detailWrapperId": self.detail_wrapper_id,
            "order": self.order,
            "triggered": false,
        });
        if let Some(job) = self.job_profile_id {
            json["jobProfileId"] = json!(job);
        }
        if let Some(react_to) = self.react_to {
            json["reactTo"] = json!(react_to.name());
        }
        json
    }
}

/// A property of an association that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{property} is not valid: {value}")]
pub struct Unreadable {
    property: &'static str,
    value: String,
}

impl AssociationRequest {
    /// Reads FOLIO's `profileAssociation`.
    ///
    /// # Errors
    /// Names the invalid property.
    pub fn of(json: &Value) -> Result<AssociationRequest, Unreadable> {
        let Value::Object(json) = json else {
            return Err(unreadable("profileAssociation", json));
        };
        let kind = |property| named(json, property, ProfileKind::named);
        let order = match json.get("order").unwrap_or(&Value::Null) {
            Value::Null => 0,
            number => number
                .as_i64()
                .and_then(|number| i32::try_from(number).ok())
                .ok_or_else(|| unreadable("order", number))?,
        };
        Ok(AssociationRequest {
            id: uuid(json, "id")?,
            master_profile_id: uuid(json, "masterProfileId")?,
            detail_profile_id: uuid(json, "detailProfileId")?,
            master: kind("masterProfileType")?,
            detail: kind("detailProfileType")?,
            master_wrapper_id: uuid(json, "masterWrapperId")?,
            detail_wrapper_id: uuid(json, "detailWrapperId")?,
            job_profile_id: uuid(json, "jobProfileId")?,
            order,
            react_to: named(json, "reactTo", ReactTo::named)?,
        })
    }

    /// Whether a profile of kind `detail` may be below one of kind `master`.
    #[must_use]
    pub fn fits(master: ProfileKind, detail: ProfileKind) -> bool {
        use ProfileKind::{Action, Job, Mapping, Match};
        matches!(
            (master, detail),
            (Job | Match | Action, Match | Action) | (Action, Mapping)
        )
    }
}

/// Absent, null and empty texts count as absent.
fn text<'a>(
    json: &'a Map<String, Value>,
    property: &'static str,
) -> Result<Option<&'a str>, Unreadable> {
    match json.get(property) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.as_str()).filter(|text| !text.is_empty())),
        Some(other) => Err(unreadable(property, other)),
    }
}

fn uuid<I: From<Uuid>>(
    json: &Map<String, Value>,
    property: &'static str,
) -> Result<Option<I>, Unreadable> {
    let read = |text: &str| {
        let id = (text.len() == 36).then(|| Uuid::try_parse(text).ok().map(I::from));
        id.flatten()
            .ok_or_else(|| unreadable(property, &json!(text)))
    };
    text(json, property)?.map(read).transpose()
}

fn named<T>(
    json: &Map<String, Value>,
    property: &'static str,
    of: fn(&str) -> Option<T>,
) -> Result<Option<T>, Unreadable> {
    let read = |text: &str| of(text).ok_or_else(|| unreadable(property, &json!(text)));
    text(json, property)?.map(read).transpose()
}

fn unreadable(property: &'static str, value: &Value) -> Unreadable {
    Unreadable {
        property,
        value: value.to_string().chars().take(100).collect(),
    }
}
