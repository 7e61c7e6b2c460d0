//! Protected MARC fields, which updates do not change, and their override by mapping profiles.

use serde_json::Value;
use uuid::Uuid;

/// A protected field. `*` matches any value; an empty text matches none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    /// The setting's id.
    pub id: Option<Uuid>,
    /// The tag, `999`.
    pub field: String,
    /// The first indicator.
    pub indicator1: String,
    /// The second indicator.
    pub indicator2: String,
    /// The code of the subfield.
    pub subfield: String,
    /// The data of the subfield.
    pub data: String,
    /// `SYSTEM` or `USER`.
    pub source: String,
    /// Whether the protection is overridden.
    pub r#override: bool,
}

impl Protection {
    /// The protection in a setting's JSON.
    #[must_use]
    pub fn of(setting: &Value) -> Protection {
        let text = |property: &str| setting[property].as_str().unwrap_or_default().to_owned();
        Protection {
            id: setting["id"]
                .as_str()
                .and_then(|id| Uuid::try_parse(id).ok()),
            field: text("field"),
            indicator1: text("indicator1"),
            indicator2: text("indicator2"),
            subfield: text("subfield"),
            data: text("data"),
            source: text("source"),
            r#override: setting["override"].as_bool().unwrap_or(false),
        }
    }
}

/// The protected fields for a mapping profile: the tenant's without those that the profile overrides,
/// matched by id; FOLIO's defaults cannot be overridden.
#[must_use]
pub fn protected_by(tenants: &[Protection], mapping_profile: &Value) -> Vec<Protection> {
    let own = mapping_profile["marcFieldProtectionSettings"].as_array();
    let overridden: Vec<Uuid> = own
        .into_iter()
        .flatten()
        .map(Protection::of)
        .filter(|one| one.r#override && one.source == "USER")
        .filter_map(|one| one.id)
        .collect();
    tenants
        .iter()
        .filter(|one| one.id.is_none_or(|id| !overridden.contains(&id)))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mapping_profile_gives_up_what_it_overrides_and_nothing_else() {
        let (ids, notes) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let tenants = [
            Protection::of(&json!({"id": ids, "field": "001", "data": "*", "source": "SYSTEM"})),
            Protection::of(
                &json!({"id": notes, "field": "590", "subfield": "a", "source": "USER"}),
            ),
        ];
        let fields = |profile: Value| -> Vec<String> {
            let left = protected_by(&tenants, &profile);
            left.into_iter().map(|one| one.field).collect()
        };
        assert_eq!(fields(json!({})), ["001", "590"]);
        let override_of = |id: Uuid, given_up: bool| {
            let own = json!([{"id": id, "source": "USER", "override": given_up}]);
            json!({ "marcFieldProtectionSettings": own })
        };
        assert_eq!(fields(override_of(notes, true)), ["001"]);
        assert_eq!(fields(override_of(notes, false)), ["001", "590"]);
        assert_eq!(
            fields(override_of(Uuid::from_u128(9), true)),
            ["001", "590"]
        );
        let own = json!([{"id": ids, "source": "SYSTEM", "override": true}]);
        let profile = json!({ "marcFieldProtectionSettings": own });
        assert_eq!(fields(profile), ["001", "590"]);
    }
}
