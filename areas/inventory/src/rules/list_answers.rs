//! How FOLIO's reference lists refuse. Of R1-2025 each was written by hand: some pass on what the database says,
//! some have a sentence for a taken name and none for anything else. Later releases have one way for all; the
//! lists that came with them answer in it.

/// What a request does to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// POST.
    Create,
    /// PUT.
    Replace,
    Delete,
}

/// What is told when a key is taken or a reference broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListRefusal {
    /// What the record store says, as lists without a way of their own.
    Store,
    /// The database's message and detail, as text.
    Database,
    /// An error for `name` with this sentence.
    Exists(&'static str),
    /// An error of FOLIO's own code with this sentence.
    NotUnique(&'static str),
    /// A sentence that says nothing, as text.
    Nothing,
    /// The same, as a fault of the server's.
    Fault,
}

/// The sentence that says nothing.
pub const NOTHING: &str = "Internal Server Error, Please contact System Administrator or try again";

/// A way of refusing.
enum RefusalStyle {
    Later,
    Database,
    Sentence(&'static str),
}

fn way(table: &str) -> RefusalStyle {
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

/// What is told about an entry of this table.
#[must_use]
pub fn refusal_for(table: &str, act: Act) -> ListRefusal {
    match (way(table), table, act) {
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

/// The sentence when there is no entry to be replaced or deleted.
#[must_use]
pub fn missing(table: &str, act: Act) -> &'static str {
    match (way(table), table, act) {
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
