//! Refusals of FOLIO's reference lists. In R1-2025 each was written by hand: some pass on the database's
//! message, some have a message only for a taken name. Lists of later releases have a common form.

/// The operation on an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// POST.
    Create,
    /// PUT.
    Replace,
    Delete,
}

/// The response to a taken key or a broken reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListRefusal {
    /// The record store's refusal, for lists without a special form.
    Store,
    /// The database's message and detail, as text.
    Database,
    /// An error for `name` with this message.
    Exists(&'static str),
    /// An error with FOLIO's code and this message.
    NotUnique(&'static str),
    /// An uninformative message as text.
    Nothing,
    /// The same with status 500.
    Fault,
}

/// FOLIO's uninformative message.
pub const NOTHING: &str = "Internal Server Error, Please contact System Administrator or try again";

/// A style of refusals.
enum RefusalStyle {
    Later,
    Database,
    Sentence(&'static str),
}

fn refusal_style(table: &str) -> RefusalStyle {
    match table {
        "alternative_title_type"
        | "contributor_name_type"
        | "contributor_type"
        | "holdings_note_type"
        | "holdings_type"
        | "identifier_type"
        | "ill_policy"
        | "instance_format"
        | "instance_note_type"
        | "instance_relationship_type"
        | "instance_type"
        | "item_damaged_status"
        | "item_note_type"
        | "loan_type"
        | "nature_of_content_term"
        | "statistical_code" => RefusalStyle::Database,
        "electronic_access_relationship" => RefusalStyle::Sentence("Relationship type exists"),
        "instance_status" => RefusalStyle::Sentence("Instance status exists"),
        "material_type" => RefusalStyle::Sentence("Material Type exists"),
        "mode_of_issuance" => RefusalStyle::Sentence("Mode of issuance exists"),
        "statistical_code_type" => RefusalStyle::Sentence("Statistical Code Type exists"),
        _ => RefusalStyle::Later,
    }
}

/// The refusal for an entry of this table.
#[must_use]
pub fn refusal_for(table: &str, act: Act) -> ListRefusal {
    match (refusal_style(table), table, act) {
        (RefusalStyle::Later, ..) | (_, "material_type", Act::Delete) => ListRefusal::Store,
        (_, "holdings_type", Act::Create) => {
            ListRefusal::NotUnique("Cannot create entity; name is not unique")
        }
        (_, "material_type", Act::Replace) => ListRefusal::Fault,
        (RefusalStyle::Database, ..) => ListRefusal::Database,
        (RefusalStyle::Sentence(exists), _, Act::Create) => ListRefusal::Exists(exists),
        (RefusalStyle::Sentence(_), ..) => ListRefusal::Nothing,
    }
}

/// The message for a missing entry.
#[must_use]
pub fn missing(table: &str, act: Act) -> &'static str {
    match (refusal_style(table), table, act) {
        (_, "subject_source", _) => "SubjectSource was not found",
        (_, "subject_type", _) => "SubjectType was not found",
        (RefusalStyle::Later, ..) | (_, "material_type", Act::Delete) => "Not found",
        (.., Act::Delete) => {
            "Number of deleted items is incorrect. Expected 1 record deleted, but there was 0"
        }
        _ => "No records match the query, no records updated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_has_the_way_that_it_was_written_in() {
        use Act::{Create, Delete, Replace};
        for (table, act, expected) in [
            ("loan_type", Create, ListRefusal::Database),
            ("loan_type", Delete, ListRefusal::Database),
            (
                "material_type",
                Create,
                ListRefusal::Exists("Material Type exists"),
            ),
            ("material_type", Replace, ListRefusal::Fault),
            ("material_type", Delete, ListRefusal::Store),
            ("mode_of_issuance", Replace, ListRefusal::Nothing),
            ("mode_of_issuance", Delete, ListRefusal::Nothing),
            ("holdings_type", Replace, ListRefusal::Database),
            ("call_number_type", Create, ListRefusal::Store),
        ] {
            assert_eq!(refusal_for(table, act), expected, "{table} {act:?}");
        }
        assert_eq!(missing("material_type", Delete), "Not found");
        assert!(missing("material_type", Replace).starts_with("No records"));
        assert!(missing("loan_type", Delete).starts_with("Number of"));
    }
}
