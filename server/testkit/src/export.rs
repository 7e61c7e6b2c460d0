//! Exports MARC as `octavo export marc` does, in process.

use octavo_data_export::app::export::{Deleted, ExportOptions, ExportedPortion, Exporter};
use octavo_data_export::marc::{Form, Format};
use octavo_data_export::rules::{Profile, Takes, embedded, instance_rules};
use octavo_data_export::store::records::ExportedKind;
use octavo_records::plan::Predicate;
use octavo_testkit::Library;

/// An export of instances with everything that a profile can select.
#[must_use]
pub fn wanted(form: Form, format: Format) -> ExportOptions {
    ExportOptions {
        kind: ExportedKind::Instance,
        form,
        format,
        profile: Profile {
            takes: Takes {
                marc: true,
                holdings: true,
                items: true,
                instance: true,
            },
            beside: embedded(true, true),
            whole: [instance_rules(), &embedded(true, true)].concat(),
            ..Profile::default()
        },
        deleted: Deleted::Either,
    }
}

/// The export of everything that a query finds, in the format of `octavo export marc`.
///
/// # Panics
/// When the export fails.
pub async fn exported(
    library: &Library,
    form: Form,
    format: Format,
    query: Option<&str>,
) -> ExportedPortion {
    let store = &library.platform.store;
    let predicate = match query {
        None => Predicate::Everything,
        Some(_) => {
            let instances = store
                .catalog
                .get("instance")
                .expect("an export of the test's own");
            store
                .plan(&library.tenant(), instances, query)
                .expect("an export of the test's own")
                .predicate
        }
    };
    let exporter = Exporter::open(&store.database, &library.tenant(), wanted(form, format))
        .await
        .expect("an export of the test's own");
    let mut walk = exporter.walk(predicate);
    let mut all = ExportedPortion::default();
    while let Some(made) = walk.next().await.expect("an export of the test's own") {
        all.bytes.extend(made.bytes);
        all.exported += made.exported;
        all.failures.extend(made.failures);
    }
    all
}
