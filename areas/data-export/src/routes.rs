//! mod-data-export.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData, Timer};

use crate::collections as own;
use crate::http::{downloads, executions, exports, files, profiles, upkeep};
use crate::shapes;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![
        Module::new("mod-data-export", "5.3.0")
            .reads(
                "alternative_title_type authority_archive call_number_type contributor_name_type \
                 electronic_access_relationship holdings_note_type holdings_record \
                 identifier_type instance instance_format instance_type item item_note_type \
                 loan_type location loccampus locinstitution loclibrary material_type \
                 mode_of_issuance nature_of_content_term source_record source_record_bytes \
                 users",
            )
            .needs(include_str!("needs.tsv"))
            .permissions(include_str!("permissions.tsv"))
            .collection(own::mapping_profiles())
            .collection(own::job_profiles())
            .collection(own::executions())
            .collection(own::definitions())
            .collection(own::errors())
            .migration("export_jobs", include_str!("migrations/export_jobs.sql"))
            .migration("export_turns", include_str!("migrations/export_turns.sql"))
            .migration("export_job_queue", include_str!("migrations/job_queue.sql"))
            .reference(ReferenceData::json(
                own::MAPPING_PROFILES,
                include_str!("reference/mapping_profiles.json"),
            ))
            .reference(ReferenceData::json(
                own::JOB_PROFILES,
                include_str!("reference/job_profiles.json"),
            ))
            .timer(Timer::every(
                1,
                "hour",
                "/data-export/expire-jobs",
                Handler::call(upkeep::expire),
            ))
            .timer(Timer::every(
                1,
                "hour",
                "/data-export/clean-up-files",
                Handler::call(upkeep::clean_up),
            ))
            .timer(Timer::every(
                1,
                "minute",
                "/data-export/go-on-with-jobs",
                Handler::call(upkeep::go_on),
            ))
            .interface(interface()),
    ])
}

fn interface() -> Interface {
    let interface = profile_routes(Interface::new("data-export", "5.3").satisfying(&["5.4"]));
    let interface = job_routes(interface);
    interface
        .route(
            Method::GET,
            "/data-export/transformation-fields",
            "data-export.transformation-fields.collection.get",
            Handler::call(profiles::fields),
        )
        .route(
            Method::GET,
            "/data-export/logs",
            "data-export.logs.collection.get",
            Handler::list(own::ERRORS),
        )
        .route(
            Method::POST,
            "/data-export/configuration",
            "data-export.configuration.post",
            Handler::call(upkeep::configure),
        )
        .route(
            Method::GET,
            "/data-export/related-users",
            "data-export.related-users.collection.get",
            Handler::call(upkeep::runners),
        )
        .route(
            Method::POST,
            "/data-export/expire-jobs",
            "data-export.expire-jobs.post",
            Handler::call(upkeep::expire),
        )
        .route(
            Method::POST,
            "/data-export/clean-up-files",
            "data-export.clean-up-files.post",
            Handler::call(upkeep::clean_up),
        )
        .route(
            Method::GET,
            "/data-export/download-record/{recordId}",
            "data-export.download-record.item.get",
            Handler::call(downloads::record),
        )
        // Public: the secret in the link authorises, since browsers follow it without a token.
        .public(
            Method::GET,
            "/data-export/exported-files/{fileId}",
            Handler::call(downloads::file),
        )
}

fn job_routes(interface: Interface) -> Interface {
    interface
        .route(
            Method::POST,
            "/data-export/quick-export",
            "data-export.quick.export.post",
            Handler::call(exports::quick),
        )
        .route(
            Method::POST,
            "/data-export/export",
            "data-export.export.post",
            Handler::call(exports::export),
        )
        .route(
            Method::POST,
            "/data-export/export-all",
            "data-export.export.all",
            Handler::call(exports::export_all),
        )
        .route(
            Method::POST,
            "/data-export/export-deleted",
            "data-export.export-deleted.post",
            Handler::call(exports::deleted),
        )
        .route(
            Method::POST,
            "/data-export/export-authority-deleted",
            "data-export.export-authority-deleted.post",
            Handler::call(exports::authorities_deleted),
        )
        .route(
            Method::POST,
            "/data-export/file-definitions",
            "data-export.file-definitions.item.post",
            Handler::call(files::create),
        )
        .taking(Content::Record(own::DEFINITIONS))
        .answering(Content::Record(own::DEFINITIONS))
        .route(
            Method::GET,
            "/data-export/file-definitions/{fileDefinitionId}",
            "data-export.file-definitions.item.get",
            Handler::read(own::DEFINITIONS),
        )
        .route(
            Method::POST,
            "/data-export/file-definitions/{fileDefinitionId}/upload",
            "data-export.file-definitions.upload.post",
            Handler::call(files::upload),
        )
        .streaming()
        .answering(Content::Record(own::DEFINITIONS))
        .route(
            Method::GET,
            "/data-export/job-executions",
            "data-export.job-executions.collection.get",
            Handler::list(own::EXECUTIONS),
        )
        .route(
            Method::DELETE,
            "/data-export/job-executions/{id}",
            "data-export.job-executions.item.delete",
            Handler::call(executions::delete),
        )
        .route(
            Method::GET,
            "/data-export/job-executions/{jobId}/download/{fileId}",
            "data-export.job-executions.items.download.get",
            Handler::call(executions::link),
        )
}

fn profile_routes(interface: Interface) -> Interface {
    const LOCK_JOB: &[&str] = &["data-export.job-profiles.item.lock.execute"];
    const LOCK_MAPPING: &[&str] = &["data-export.mapping-profiles.item.lock.execute"];
    let (jobs, mappings) = ("/data-export/job-profiles", "/data-export/mapping-profiles");
    let (job, mapping) = (
        "/data-export/job-profiles/{jobProfileId}",
        "/data-export/mapping-profiles/{mappingProfileId}",
    );
    let of_job = |verb: &str| format!("data-export.job-profiles.{verb}");
    let of_mapping = |verb: &str| format!("data-export.mapping-profiles.{verb}");
    interface
        .route(
            Method::GET,
            jobs,
            &of_job("collection.get"),
            Handler::call(profiles::job_profiles),
        )
        .answering(Content::List(own::JOB_PROFILES))
        .route(
            Method::POST,
            jobs,
            &of_job("item.post"),
            Handler::call(profiles::create_job),
        )
        .desiring(LOCK_JOB)
        .taking(Content::Record(own::JOB_PROFILES))
        .answering(Content::Record(own::JOB_PROFILES))
        .route(
            Method::GET,
            job,
            &of_job("item.get"),
            Handler::read(own::JOB_PROFILES),
        )
        .route(
            Method::PUT,
            job,
            &of_job("item.put"),
            Handler::call(profiles::replace_job),
        )
        .desiring(LOCK_JOB)
        .taking(Content::Record(own::JOB_PROFILES))
        .route(
            Method::DELETE,
            job,
            &of_job("item.delete"),
            Handler::call(profiles::delete_job),
        )
        .route(
            Method::GET,
            mappings,
            &of_mapping("collection.get"),
            Handler::list(own::MAPPING_PROFILES),
        )
        .route(
            Method::POST,
            mappings,
            &of_mapping("item.post"),
            Handler::call(profiles::create_mapping),
        )
        .desiring(LOCK_MAPPING)
        .taking(Content::Record(own::MAPPING_PROFILES))
        .answering(Content::Record(own::MAPPING_PROFILES))
        .route(
            Method::GET,
            mapping,
            &of_mapping("item.get"),
            Handler::read(own::MAPPING_PROFILES),
        )
        .route(
            Method::PUT,
            mapping,
            &of_mapping("item.put"),
            Handler::call(profiles::replace_mapping),
        )
        .desiring(LOCK_MAPPING)
        .taking(Content::Record(own::MAPPING_PROFILES))
        .route(
            Method::DELETE,
            mapping,
            &of_mapping("item.delete"),
            Handler::call(profiles::delete_mapping),
        )
}
