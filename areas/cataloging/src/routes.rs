//! mod-quick-marc, and the mapping rules of mod-source-record-manager.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::{mapping_metadata, mapping_rules, parsed_records, records_editor};
use crate::shapes;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![quick_marc()])
}

fn quick_marc() -> Module {
    Module::new("mod-quick-marc", "7.0.0")
        .reads(
            "alternative_title_type authority authority_identifier_type authority_note_type \
             authority_source_file \
             call_number_type classification_type contributor_name_type contributor_type \
             electronic_access_relationship holdings_note_type holdings_records_source \
             holdings_type identifier_type ill_policy instance_authority_linking_rule \
             instance_date_type instance_format instance_note_type \
             instance_relationship_type instance_status instance_type item_damaged_status \
             item_note_type loan_type location marc_field_protection_settings material_type \
             mode_of_issuance nature_of_content_term statistical_code statistical_code_type \
             subject_source subject_type users",
        )
        .writes(
            "holdings_record instance item preceding_succeeding_title snapshot \
             source_record",
        )
        .system("_tenant", "2.0")
        .needs(include_str!("needs/quick_marc.tsv"))
        .permissions(include_str!("permissions/quick_marc.tsv"))
        .interface(editor())
        .interface(specifications())
}

fn editor() -> Interface {
    let path = "/records-editor/records";
    Interface::new("marc-records-editor", "6.0")
        .satisfying(&["7.0"])
        .route(
            Method::GET,
            path,
            "marc-records-editor.item.get",
            Handler::call(records_editor::read),
        )
        .route(
            Method::POST,
            path,
            "marc-records-editor.item.post",
            Handler::transaction(records_editor::create),
        )
        .route(
            Method::GET,
            "/records-editor/records/status",
            "marc-records-editor.status.item.get",
            Handler::call(records_editor::status),
        )
        .by_id(
            Method::PUT,
            path,
            "marc-records-editor.item.put",
            Handler::transaction(records_editor::replace),
        )
        .route(
            Method::POST,
            "/records-editor/links/suggestion",
            "marc-records-editor.links.suggestion.post",
            Handler::call(records_editor::suggest),
        )
        .route(
            Method::POST,
            "/records-editor/validate",
            "marc-records-editor.validate.post",
            Handler::call(records_editor::validate),
        )
}

fn specifications() -> Interface {
    Interface::new("marc-specifications", "1.2").route(
        Method::GET,
        "/marc-specifications/{recordType}/{fieldTag}",
        "marc-specifications.item.get",
        Handler::call(records_editor::specification),
    )
}

/// Cataloging's part of mod-source-record-manager as a separate module: interfaces with their record
/// types.
#[must_use]
pub fn mapping_module() -> Module {
    let module = with_mapping(Module::new("mod-source-record-manager", "3.10.11"));
    mapping_interfaces()
        .into_iter()
        .fold(module, Module::interface)
}

/// A module with the record types, statements and permissions that [`mapping_interfaces`] need.
#[must_use]
pub fn with_mapping(module: Module) -> Module {
    module
        .permissions(include_str!("permissions/mapping.tsv"))
        .collection(own::mapping_rules())
        .collection(own::mapping_snapshots())
        .migration(
            "mapping_references",
            include_str!("migrations/references.sql"),
        )
}

/// The interfaces of mod-source-record-manager that are about mapping, and the records of the editor.
#[must_use]
pub fn mapping_interfaces() -> Vec<Interface> {
    let rules = "/mapping-rules/{recordType}";
    vec![
        Interface::new("mapping-rules-provider", "2.0")
            .route(
                Method::GET,
                rules,
                "mapping-rules.get",
                Handler::call(mapping_rules::read),
            )
            .route(
                Method::PUT,
                rules,
                "mapping-rules.update",
                Handler::call(mapping_rules::replace),
            )
            .route(
                Method::PUT,
                "/mapping-rules/{recordType}/restore",
                "mapping-rules.restore",
                Handler::call(mapping_rules::restore),
            ),
        Interface::new("mapping-metadata-provider", "1.1")
            .route(
                Method::GET,
                "/mapping-metadata/{jobExecutionId}",
                "mapping-metadata.item.get",
                Handler::call(mapping_metadata::of_job),
            )
            .route(
                Method::GET,
                "/mapping-metadata/type/{recordType}",
                "mapping-metadata.type.item.get",
                Handler::call(mapping_metadata::of_type),
            ),
        Interface::new("source-manager-parsed-records", "3.0")
            .route(
                Method::GET,
                "/change-manager/parsedRecords",
                "change-manager.parsedrecords.get",
                Handler::call(parsed_records::read),
            )
            .by_id(
                Method::PUT,
                "/change-manager/parsedRecords",
                "change-manager.parsedrecords.put",
                Handler::transaction(parsed_records::replace),
            ),
    ]
}
