//! The reference lists: names that records point to by id.

use octavo_platform::{Handler, Interface};

use super::gaps::{Add, Records};
use super::list;
use crate::http::references;

pub(super) fn interfaces() -> Vec<Interface> {
    vec![
        ruled("/loan-types", "2.3", "loan_type").satisfying(&["2.4"]),
        ruled("/material-types", "2.2", "material_type"),
        ruled(
            "/instance-relationship-types",
            "1.0",
            "instance_relationship_type",
        ),
        ruled("/identifier-types", "1.2", "identifier_type"),
        ruled("/contributor-types", "2.0", "contributor_type"),
        ruled("/contributor-name-types", "1.3", "contributor_name_type"),
        ruled("/instance-formats", "2.0", "instance_format"),
        ruled("/instance-types", "2.0", "instance_type"),
        ruled("/nature-of-content-terms", "1.0", "nature_of_content_term"),
        list("/classification-types", "1.2", "classification_type"),
        ruled("/alternative-title-types", "1.0", "alternative_title_type"),
        ruled("/modes-of-issuance", "1.1", "mode_of_issuance"),
        ruled("/instance-statuses", "1.0", "instance_status"),
        ruled(
            "/electronic-access-relationships",
            "1.1",
            "electronic_access_relationship",
        ),
        ruled("/statistical-code-types", "1.0", "statistical_code_type"),
        ruled("/ill-policies", "1.0", "ill_policy"),
        ruled("/holdings-types", "1.0", "holdings_type"),
        ruled("/call-number-types", "1.0", "call_number_type"),
        ruled("/instance-note-types", "1.0", "instance_note_type"),
        ruled("/holdings-note-types", "1.0", "holdings_note_type"),
        ruled("/item-note-types", "1.0", "item_note_type"),
        ruled("/item-damaged-statuses", "1.0", "item_damaged_status"),
        ruled("/holdings-sources", "1.0", "holdings_records_source"),
        listed("/statistical-codes", "statistical_code"),
        listed("/subject-sources", "subject_source"),
        listed("/subject-types", "subject_type"),
    ]
}

/// A list whose entries have special rules.
fn ruled(path: &'static str, version: &'static str, table: &'static str) -> Interface {
    Interface::new(path.trim_start_matches('/'), version).add(with_rules(path, table))
}

/// The same, for entries that records refer to in lists.
fn listed(path: &'static str, table: &'static str) -> Interface {
    Interface::new(path.trim_start_matches('/'), "1.0").add(Records {
        delete: Handler::transaction(move |call| references::delete_listed(call, table)),
        ..with_rules(path, table)
    })
}

fn with_rules(path: &'static str, table: &'static str) -> Records {
    let stem = format!("inventory-storage.{}", path.trim_start_matches('/'));
    Records {
        create: Handler::transaction(move |call| references::create(call, table)),
        replace: Handler::transaction(move |call| references::replace(call, table)),
        delete: Handler::transaction(move |call| references::delete(call, table)),
        ..Records::of(path, table, &stem)
    }
}
