//! Validation of action profiles, and of their mapping profiles.

use serde_json::Value;

const CREATES_MARC: &str = "Can't create ActionProfile for MARC Bib record type with Create action";
const UNLIKE: &str = "Unable to complete requested change. MARC Update Action profiles can only be linked \
                      with MARC Update Mapping profiles and MARC Modify Action profiles can only be \
                      linked with MARC Modify Mapping profiles. Please ensure your Action and Mapping \
                      profiles are of like types and try again.";

/// The error of an action profile.
#[must_use]
pub fn problem(action: &Value) -> Option<String> {
    let creates_marc =
        action["folioRecord"] == "MARC_BIBLIOGRAPHIC" && action["action"] == "CREATE";
    creates_marc.then(|| CREATES_MARC.to_owned())
}

/// Why a mapping profile cannot be below an action profile; `of_records` is the message for different
/// record types.
#[must_use]
pub fn misfit(
    action: &Value,
    mapping: &Value,
    of_records: impl FnOnce() -> String,
) -> Option<String> {
    if action["folioRecord"] != mapping["existingRecordType"] {
        return Some(of_records());
    }
    let option = mapping["mappingDetails"]["marcMappingOption"].as_str()?;
    (action["action"] != option).then(|| UNLIKE.to_owned())
}

/// The message for an action stored with a mapping of another type.
#[must_use]
pub fn mapping_does_not_fit(mapping: &Value) -> String {
    let name = mapping["name"].as_str().unwrap_or_default();
    format!(
        "Mapping profile '{name}' can not be linked to this Action profile. ExistingRecordType and \
         FolioRecord types are different"
    )
}

/// The message for a mapping stored with an action of another type.
#[must_use]
pub fn action_does_not_fit(action: &Value) -> String {
    let name = action["name"].as_str().unwrap_or_default();
    format!(
        "Action profile '{name}' can not be linked to this Mapping profile. FolioRecord and \
         ExistingRecordType types are different"
    )
}

/// The message for a changed action that its mapping no longer fits.
#[must_use]
pub fn action_parts_from_mapping() -> String {
    "Can not update ActionProfile recordType and linked MappingProfile recordType are different"
        .to_owned()
}

/// The message for a changed mapping that its action no longer fits.
#[must_use]
pub fn mapping_parts_from_action() -> String {
    "Can not update MappingProfile recordType and linked ActionProfile recordType are different"
        .to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mapping_fits_by_record_and_by_what_is_done() {
        let action = |action: &str, record: &str| json!({"action": action, "folioRecord": record});
        let mapping = |record: &str, option: Option<&str>| json!({"existingRecordType": record, "mappingDetails": {"marcMappingOption": option}});
        for (action, mapping, fits) in [
            (
                action("CREATE", "INSTANCE"),
                mapping("INSTANCE", None),
                true,
            ),
            (
                action("CREATE", "INSTANCE"),
                mapping("HOLDINGS", None),
                false,
            ),
            (
                action("UPDATE", "MARC_BIBLIOGRAPHIC"),
                mapping("MARC_BIBLIOGRAPHIC", Some("UPDATE")),
                true,
            ),
            (
                action("MODIFY", "MARC_BIBLIOGRAPHIC"),
                mapping("MARC_BIBLIOGRAPHIC", Some("UPDATE")),
                false,
            ),
        ] {
            let misfit = misfit(&action, &mapping, || "records differ".to_owned());
            assert_eq!(misfit.is_none(), fits, "{action} {mapping}");
        }
    }

    #[test]
    fn marc_bibs_are_not_created_by_themselves() {
        assert!(
            problem(&json!({"action": "CREATE", "folioRecord": "MARC_BIBLIOGRAPHIC"})).is_some()
        );
        assert!(problem(&json!({"action": "CREATE", "folioRecord": "INSTANCE"})).is_none());
        assert!(
            problem(&json!({"action": "UPDATE", "folioRecord": "MARC_BIBLIOGRAPHIC"})).is_none()
        );
    }
}
