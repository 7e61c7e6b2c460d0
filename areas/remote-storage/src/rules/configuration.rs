//! What a configuration says about how a storage works.

use serde_json::Value;
use uuid::Uuid;

/// The systems that FOLIO knows, by id and name.
pub const PROVIDERS: [(&str, &str); 3] = [
    (DEMATIC_EMS, "Dematic EMS (API)"),
    (DEMATIC_SD, "Dematic StagingDirector (TCP/IP)"),
    (CAIA_SOFT, "CaiaSoft"),
];

const DEMATIC_EMS: &str = "DEMATIC_EMS";
const DEMATIC_SD: &str = "DEMATIC_SD";
const CAIA_SOFT: &str = "CAIA_SOFT";

/// How an item's location changes when the storage takes it in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessionWorkflow {
    /// That of its holdings changes.
    ChangePermanentLocation,
    /// It goes to other holdings of its title.
    DuplicateHoldings,
}

/// A storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configuration {
    pub id: Uuid,
    /// None where items are not taken in by the storage's own call.
    pub accession: Option<AccessionWorkflow>,
    /// Whether a return looks for the patron who waits; the others are told after their check-in.
    pub looks_at_return: bool,
    /// Whether a check-in at the desk tells the storage that the item stays out.
    pub told_at_check_in: bool,
}

impl Configuration {
    /// A stored configuration.
    #[must_use]
    pub fn of(id: Uuid, document: &Value) -> Configuration {
        let text = |name: &str| document.get(name).and_then(Value::as_str);
        let is_caia_soft = text("providerName") == Some(CAIA_SOFT);
        let returning = text("returningWorkflowDetails");
        Configuration {
            id,
            accession: match text("accessionWorkflowDetails") {
                Some("Change permanent location") => {
                    Some(AccessionWorkflow::ChangePermanentLocation)
                }
                Some("Duplicate holdings") => Some(AccessionWorkflow::DuplicateHoldings),
                _ => None,
            },
            looks_at_return: !is_caia_soft || returning == Some("Scanned to CaiaSoft"),
            told_at_check_in: is_caia_soft && returning == Some("Scanned to folio"),
        }
    }
}

/// Whether a new or changed configuration lacks the delay that its provider polls by.
#[must_use]
pub fn lacks_delay(document: &Value) -> bool {
    document.get("providerName").and_then(Value::as_str) == Some(DEMATIC_SD)
        && document.get("accessionDelay").is_none_or(Value::is_null)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_caiasoft_that_scans_to_folio_leaves_returns_to_the_desk() {
        for (provider, returning, looks, told) in [
            ("DEMATIC_EMS", None, true, false),
            ("DEMATIC_SD", Some("Scanned to folio"), true, false),
            ("CAIA_SOFT", Some("Scanned to CaiaSoft"), true, false),
            ("CAIA_SOFT", Some("Scanned to folio"), false, true),
            ("CAIA_SOFT", None, false, false),
        ] {
            let document = json!({"providerName": provider, "returningWorkflowDetails": returning});
            let storage = Configuration::of(Uuid::nil(), &document);
            let found = (storage.looks_at_return, storage.told_at_check_in);
            assert_eq!(found, (looks, told), "{provider} {returning:?}");
        }
    }

    #[test]
    fn only_the_staging_director_needs_a_delay() {
        for (document, lacks) in [
            (json!({"providerName": "DEMATIC_SD"}), true),
            (
                json!({"providerName": "DEMATIC_SD", "accessionDelay": null}),
                true,
            ),
            (
                json!({"providerName": "DEMATIC_SD", "accessionDelay": 2}),
                false,
            ),
            (json!({"providerName": "CAIA_SOFT"}), false),
        ] {
            assert_eq!(lacks_delay(&document), lacks, "{document}");
        }
    }
}
