//! mod-di-converter-storage.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData};

use crate::collections as own;
use crate::http::{associations, forms, profiles, protections, snapshots};
use crate::kind::ProfileKind;

/// The modules of this area. Its reference data are FOLIO's default profiles.
#[must_use]
pub fn modules() -> Vec<Module> {
    let mut module = Module::new("mod-di-converter-storage", "2.4.3")
        .reads("users")
        .needs(include_str!("needs.tsv"))
        .permissions(include_str!("permissions.tsv"));
    for kind in ProfileKind::ALL {
        module = module.collection(own::profiles(kind));
    }
    let data = [
        ReferenceData::json(
            "mapping_profiles",
            include_str!("reference/mapping_profiles.json"),
        ),
        ReferenceData::json(
            "mapping_profiles",
            include_str!("reference/edifact_mapping_profiles.json"),
        ),
        ReferenceData::tsv(
            "action_profiles",
            include_str!("reference/action_profiles.tsv"),
        ),
        ReferenceData::json(
            "match_profiles",
            include_str!("reference/match_profiles.json"),
        ),
        ReferenceData::tsv("job_profiles", include_str!("reference/job_profiles.tsv")),
        ReferenceData::tsv(
            "marc_field_protection_settings",
            include_str!("reference/marc_field_protection_settings.tsv"),
        ),
    ];
    module = data
        .into_iter()
        .fold(module, |module, data| module.reference(data.essential()));
    vec![
        module
            .collection(own::snapshots())
            .collection(own::form_configs())
            .collection(own::protections())
            .migration(
                "import_profile_associations",
                include_str!("migrations/associations.sql"),
            )
            .migration(
                "import_profile_default_associations",
                include_str!("migrations/default_associations.sql"),
            )
            .interface(profile_interface())
            .interface(form_interface())
            .interface(protection_interface()),
    ]
}

fn profile_interface() -> Interface {
    let mut interface = Interface::new("data-import-converter-storage", "1.5");
    for (path, kind, stem) in [
        (
            "/data-import-profiles/jobProfiles",
            ProfileKind::Job,
            "jobprofile",
        ),
        (
            "/data-import-profiles/matchProfiles",
            ProfileKind::Match,
            "matchprofile",
        ),
        (
            "/data-import-profiles/actionProfiles",
            ProfileKind::Action,
            "actionprofile",
        ),
        (
            "/data-import-profiles/mappingProfiles",
            ProfileKind::Mapping,
            "mappingprofile",
        ),
    ] {
        interface = profiles_at(interface, path, kind, stem);
    }
    interface = associations_at(interface, "/data-import-profiles/profileAssociations");
    let (kept, trees) = (
        "/data-import-profiles/jobProfileSnapshots",
        "/data-import-profiles/profileSnapshots",
    );
    interface
        .by_id(
            Method::GET,
            kept,
            "converter-storage.jobprofilesnapshots.get",
            Handler::call(snapshots::read),
        )
        .by_id(
            Method::POST,
            kept,
            "converter-storage.jobprofilesnapshots.post",
            Handler::call(snapshots::create),
        )
        .route(
            Method::GET,
            "/data-import-profiles/entityTypes",
            "converter-storage.entitytypes.get",
            Handler::call(profiles::entity_types),
        )
        .route(
            Method::GET,
            "/data-import-profiles/profileSnapshots/{profileId}",
            "converter-storage.profileSnapshots.get",
            Handler::call(snapshots::show),
        )
        .route(
            Method::POST,
            trees,
            "converter-storage.profileSnapshots.post",
            Handler::call(snapshots::import),
        )
}

fn profiles_at(
    interface: Interface,
    path: &'static str,
    kind: ProfileKind,
    stem: &str,
) -> Interface {
    let permission = |verb: &str| format!("converter-storage.{stem}.{verb}");
    interface
        .route(
            Method::GET,
            path,
            &permission("collection.get"),
            Handler::call(move |call| profiles::list(kind, call)),
        )
        .answering(Content::List(kind.table()))
        .route(
            Method::POST,
            path,
            &permission("post"),
            Handler::call(move |call| profiles::create(kind, call)),
        )
        .by_id(
            Method::GET,
            path,
            &permission("item.get"),
            Handler::call(move |call| profiles::read(kind, call)),
        )
        .answering(Content::Record(kind.table()))
        .by_id(
            Method::PUT,
            path,
            &permission("put"),
            Handler::call(move |call| profiles::replace(kind, call)),
        )
        .by_id(
            Method::DELETE,
            path,
            &permission("delete"),
            Handler::call(move |call| profiles::delete(kind, call)),
        )
}

fn associations_at(interface: Interface, path: &'static str) -> Interface {
    interface
        .route(
            Method::GET,
            path,
            "converter-storage.profileassociations.collection.get",
            Handler::call(associations::list),
        )
        .route(
            Method::POST,
            path,
            "converter-storage.profileassociation.post",
            Handler::call(associations::create),
        )
        .by_id(
            Method::GET,
            path,
            "converter-storage.profileassociations.item.get",
            Handler::call(associations::read),
        )
        .by_id(
            Method::PUT,
            path,
            "converter-storage.profileassociation.put",
            Handler::call(associations::replace),
        )
        .by_id(
            Method::DELETE,
            path,
            "converter-storage.profileassociation.delete",
            Handler::call(associations::delete),
        )
        .route(
            Method::GET,
            "/data-import-profiles/profileAssociations/{masterId}/details",
            "converter-storage.profileassociations.details.item.get",
            Handler::call(associations::details),
        )
        .route(
            Method::GET,
            "/data-import-profiles/profileAssociations/{detailId}/masters",
            "converter-storage.profileassociations.masters.item.get",
            Handler::call(associations::masters),
        )
}

fn form_interface() -> Interface {
    let (path, one) = (
        "/converter-storage/forms/configs",
        "/converter-storage/forms/configs/{formName}",
    );
    // FOLIO has these two read permissions swapped.
    Interface::new("converter-storage-forms-configs", "1.2")
        .route(
            Method::GET,
            path,
            "converter-storage.forms-configs.item.get",
            Handler::call(forms::list),
        )
        .route(
            Method::POST,
            path,
            "converter-storage.forms-configs.post",
            Handler::call(forms::create),
        )
        .route(
            Method::GET,
            one,
            "converter-storage.forms-configs.collection.get",
            Handler::call(forms::read),
        )
        .route(
            Method::PUT,
            one,
            "converter-storage.forms-configs.put",
            Handler::call(forms::replace),
        )
        .route(
            Method::DELETE,
            one,
            "converter-storage.forms-configs.delete",
            Handler::call(forms::delete),
        )
}

fn protection_interface() -> Interface {
    let (path, table) = (
        "/field-protection-settings/marc",
        "marc_field_protection_settings",
    );
    let permission = |verb: &str| format!("converter-storage.field-protection-settings.{verb}");
    Interface::new("field-protection-settings", "1.2")
        .route(
            Method::GET,
            path,
            &permission("collection.get"),
            Handler::list(table),
        )
        .route(
            Method::POST,
            path,
            &permission("post"),
            Handler::create(table),
        )
        .by_id(
            Method::GET,
            path,
            &permission("item.get"),
            Handler::read(table),
        )
        .by_id(
            Method::PUT,
            path,
            &permission("put"),
            Handler::call(protections::replace),
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            &permission("delete"),
            Handler::call(protections::delete),
        )
        .hooked(path, &protections::HOOKS)
}
