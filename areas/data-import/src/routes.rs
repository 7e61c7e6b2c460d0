//! mod-source-record-manager and mod-data-import.

use ::http::Method;
use octavo_cataloging::routes::{mapping_interfaces, with_mapping};
use octavo_platform::{Content, Handler, Interface, Module, Timer};

use crate::app::extensions::defaults;
use crate::http::{extensions, jobs, logs, timers, uploads};
use crate::shapes;
use crate::{collections as own, load};

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![source_record_manager(), data_import()])
}

fn source_record_manager() -> Module {
    let module = with_mapping(Module::new("mod-source-record-manager", "3.10.11"))
        .needs(include_str!("needs/source-record-manager.tsv"))
        .permissions(include_str!("permissions/source-record-manager.tsv"))
        .migration("import_jobs", include_str!("migrations/jobs.sql"))
        .migration("import_lines", include_str!("migrations/lines.sql"))
        .migration(
            "import_lines_of_before",
            include_str!("migrations/lines_of_before.sql"),
        )
        .migration("import_orders", include_str!("migrations/orders.sql"))
        .migration("import_attempts", include_str!("migrations/attempts.sql"))
        .migration("import_job_queue", include_str!("migrations/job_queue.sql"))
        .migration("import_senders", include_str!("migrations/senders.sql"))
        .timer(Timer::every(
            10,
            "second",
            "/change-manager/jobExecutions/goOn",
            Handler::call(timers::go_on),
        ))
        .timer(Timer::every(
            1,
            "hour",
            "/change-manager/jobExecutions/sweep",
            Handler::call(timers::sweep),
        ))
        .interface(job_routes())
        .interface(record_routes())
        .interface(log_routes());
    mapping_interfaces()
        .into_iter()
        .fold(module, Module::interface)
}

fn job_routes() -> Interface {
    let path = "/change-manager/jobExecutions";
    let job_executions = "/metadata-provider/jobExecutions";
    Interface::new("source-manager-job-executions", "3.4")
        .route(
            Method::GET,
            job_executions,
            "metadata-provider.jobExecutions.collection.get",
            Handler::call(jobs::list),
        )
        .route(
            Method::GET,
            "/metadata-provider/journalRecords/{jobExecutionId}",
            "metadata-provider.journalRecords.collection.get",
            Handler::call(logs::journal),
        )
        .route(
            Method::GET,
            "/metadata-provider/jobExecutions/jobProfiles",
            "metadata-provider.jobExecutions.jobProfiles.collection.get",
            Handler::call(jobs::profiles),
        )
        .route(
            Method::POST,
            path,
            "change-manager.jobexecutions.post",
            Handler::transaction(jobs::create),
        )
        .route(
            Method::DELETE,
            path,
            "change-manager.jobexecutions.delete",
            Handler::transaction(jobs::delete),
        )
        .by_id(
            Method::PUT,
            path,
            "change-manager.jobExecutions.item.put",
            Handler::transaction(jobs::replace),
        )
        .by_id(
            Method::GET,
            path,
            "change-manager.jobExecutions.item.get",
            Handler::call(jobs::read),
        )
        .route(
            Method::GET,
            "/change-manager/jobExecutions/{id}/children",
            "change-manager.jobExecutions.children.collection.get",
            Handler::call(jobs::children),
        )
        .route(
            Method::PUT,
            "/change-manager/jobExecutions/{id}/status",
            "change-manager.jobExecutions.status.item.put",
            Handler::transaction(jobs::set_status),
        )
        .route(
            Method::PUT,
            "/change-manager/jobExecutions/{id}/jobProfile",
            "change-manager.jobExecutions.jobProfile.item.put",
            Handler::transaction(jobs::set_profile),
        )
}

fn record_routes() -> Interface {
    let path = "/change-manager/jobExecutions/{id}/records";
    Interface::new("source-manager-records", "2.1")
        .route(
            Method::POST,
            path,
            "change-manager.records.post",
            Handler::transaction(jobs::post_records),
        )
        .route(
            Method::DELETE,
            path,
            "change-manager.records.delete",
            Handler::transaction(jobs::delete_records),
        )
}

fn log_routes() -> Interface {
    Interface::new("metadata-provider-job-execution-logs", "1.1")
        .route(
            Method::GET,
            "/metadata-provider/jobLogEntries/{jobExecutionId}",
            "metadata-provider.jobLogEntries.collection.get",
            Handler::call(logs::lines),
        )
        .route(
            Method::GET,
            "/metadata-provider/jobLogEntries/{jobExecutionId}/records/{recordId}",
            "metadata-provider.jobLogEntries.records.item.get",
            Handler::call(logs::line),
        )
        .route(
            Method::GET,
            "/metadata-provider/jobSummary/{jobExecutionId}",
            "metadata-provider.jobSummary.item.get",
            Handler::call(logs::summary),
        )
        .route(
            Method::GET,
            "/metadata-provider/jobExecutions/users",
            "metadata-provider.jobExecutions.users.collection.get",
            Handler::call(jobs::users),
        )
        .route(
            Method::GET,
            "/metadata-provider/incomingRecords/{recordId}",
            "metadata-provider.incomingrecords.get",
            Handler::call(logs::incoming),
        )
}

fn data_import() -> Module {
    let (load, tables) = load::MIGRATION;
    Module::new("mod-data-import", "3.3.6")
        .reads(
            "acquisition_method acquisitions_unit browse_call_number browse_heading \
             call_number_type contributor_name_type contributor_type \
             electronic_access_relationship expense_class fund holdings_note_type holdings_record \
             holdings_records_source holdings_type identifier_type ill_policy instance \
             instance_status instance_subject_source instance_subject_type item \
             item_damaged_status item_note_type loan_type location marc_term marc_untermed \
             material_type nature_of_content_term search_holdings search_instance search_item \
             source_record statistical_code users",
        )
        .writes("snapshot")
        .needs(include_str!("needs/data-import.tsv"))
        .permissions(include_str!("permissions/data-import.tsv"))
        .collection(own::upload_definitions())
        .collection(own::file_extensions())
        .reference(defaults().essential())
        .migration(load, tables)
        .migration("import_files", include_str!("migrations/uploads.sql"))
        .migration("import_parts", include_str!("migrations/parts.sql"))
        .timer(Timer::every(
            1,
            "hour",
            "/data-import/uploadDefinitions/sweep",
            Handler::call(timers::sweep_files),
        ))
        .interface(extension_routes(upload_routes(Interface::new(
            "data-import",
            "3.2",
        ))))
}

fn upload_routes(interface: Interface) -> Interface {
    let path = "/data-import/uploadDefinitions";
    let one = "/data-import/uploadDefinitions/{uploadDefinitionId}";
    let file = "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}";
    let (table, name) = ("upload_definition", "data-import.uploaddefinitions");
    interface
        .route(
            Method::GET,
            "/data-import/splitStatus",
            "data-import.splitconfig.get",
            Handler::call(uploads::split_status),
        )
        .route(
            Method::POST,
            path,
            &format!("{name}.post"),
            Handler::transaction(uploads::create),
        )
        .taking(Content::Record(table))
        .answering(Content::Record(table))
        .route(
            Method::GET,
            path,
            "data-import.uploadDefinitions.collection.get",
            Handler::list(table),
        )
        .route(
            Method::GET,
            one,
            "data-import.uploadDefinitions.item.get",
            Handler::call(uploads::read),
        )
        .answering(Content::Record(table))
        .route(Method::PUT, one, &format!("{name}.put"), Handler::transaction(uploads::replace))
        .taking(Content::Record(table))
        .route(Method::DELETE, one, &format!("{name}.delete"), Handler::transaction(uploads::delete))
        .route(
            Method::POST,
            file,
            "data-import.upload.file.post",
            Handler::call(uploads::upload_file),
        )
        .streaming()
        .route(
            Method::POST,
            "/data-import/uploadDefinitions/{uploadDefinitionId}/files",
            "data-import.uploadDefinitions.files.item.post",
            Handler::transaction(uploads::add_file),
        )
        .route(
            Method::POST,
            "/data-import/uploadDefinitions/{uploadDefinitionId}/files/{fileId}/assembleStorageFile",
            "data-import.assembleStorageFile.post",
            Handler::transaction(uploads::put_together),
        )
        .route(
            Method::DELETE,
            file,
            &format!("{name}.files.delete"),
            Handler::transaction(uploads::delete_file),
        )
        .route(
            Method::POST,
            "/data-import/uploadDefinitions/{uploadDefinitionId}/processFiles",
            "data-import.uploadDefinitions.processFiles.item.post",
            Handler::transaction(uploads::process),
        )
        .route(
            Method::GET,
            "/data-import/uploadUrl",
            "data-import.uploadUrl.item.get",
            Handler::call(uploads::first_url),
        )
        .route(
            Method::GET,
            "/data-import/uploadUrl/subsequent",
            "data-import.uploadUrl.subsequent.item.get",
            Handler::call(uploads::next_url),
        )
        // Public: the secret in the link authorises, as in an object storage.
        .public(
            Method::PUT,
            "/data-import/uploads/{uploadId}",
            Handler::call(uploads::take_part),
        )
        .streaming()
        .route(
            Method::GET,
            "/data-import/jobExecutions/{id}/downloadUrl",
            "data-import.downloadUrl.get",
            Handler::call(uploads::no_download),
        )
        .route(
            Method::DELETE,
            "/data-import/jobExecutions/{id}/cancel",
            "data-import.jobexecution.cancel",
            Handler::transaction(jobs::cancel),
        )
}

fn extension_routes(interface: Interface) -> Interface {
    let path = "/data-import/fileExtensions";
    let table = "file_extension";
    let permission = |verb: &str| format!("data-import.fileExtensions.{verb}");
    interface
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
            Handler::call(extensions::replace),
        )
        .taking(Content::Record(table))
        .by_id(
            Method::DELETE,
            path,
            &permission("delete"),
            Handler::delete(table),
        )
        .hooked(path, &extensions::HOOKS)
        .route(
            Method::POST,
            "/data-import/fileExtensions/restore/default",
            &permission("default.post"),
            Handler::transaction(extensions::restore),
        )
        .route(
            Method::GET,
            "/data-import/dataTypes",
            "data-import.datatypes.get",
            Handler::call(extensions::data_types),
        )
}
