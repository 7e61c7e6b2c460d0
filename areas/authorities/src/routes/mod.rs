//! mod-entities-links.

use std::sync::Arc;

use axum::response::Response;
use octavo_platform::{ApiError, Call, Handler, Module, ReferenceData, Timer};

use crate::collections as own;
use crate::http::timers;
use crate::link_followers::{Follower, RecordOnly};
use crate::shapes;

mod links;
mod storage;

/// The modules of this area, with propagation to source records only.
#[must_use]
pub fn modules() -> Vec<Module> {
    modules_with(&RecordOnly::shared())
}

/// The modules of this area. `follower` writes the updated records of instances.
#[must_use]
pub fn modules_with(follower: &Arc<dyn Follower>) -> Vec<Module> {
    let module = Module::new("mod-entities-links", "4.0.3")
        .reads("instance setting_entry users")
        .writes("source_record")
        .needs(include_str!("../needs.tsv"))
        .permissions(include_str!("../permissions.tsv"))
        .collection(own::heading_types())
        .collection(own::identifier_types())
        .collection(own::note_types())
        .collection(own::source_files())
        .collection(own::authorities())
        .collection(own::archive())
        .collection(own::reindex_jobs())
        .migration("authority_links", include_str!("../migrations/links.sql"))
        .migration(
            "authority_source_files",
            include_str!("../migrations/source_files.sql"),
        )
        .migration(
            "authority_settings",
            include_str!("../migrations/settings.sql"),
        )
        .migration("authority_jobs", include_str!("../migrations/jobs.sql"))
        .migration(
            "authority_job_queue",
            include_str!("../migrations/job_queue.sql"),
        );
    let module = timers_of(reference(module), follower);
    let module = storage::interfaces(follower)
        .into_iter()
        .fold(module, Module::interface);
    let module = links::interfaces()
        .into_iter()
        .fold(module, Module::interface);
    shapes::declared(vec![module])
}

fn reference(module: Module) -> Module {
    module
        .reference(
            ReferenceData::tsv(
                own::HEADING_TYPE,
                include_str!("../reference/authority_heading_type.tsv"),
            )
            .essential(),
        )
        .reference(
            ReferenceData::tsv(
                own::IDENTIFIER_TYPE,
                include_str!("../reference/authority_identifier_type.tsv"),
            )
            .essential(),
        )
        .reference(ReferenceData::tsv(
            own::NOTE_TYPE,
            include_str!("../reference/authority_note_type.tsv"),
        ))
        .reference(ReferenceData::json(
            own::SOURCE_FILE,
            include_str!("../reference/authority_source_file.json"),
        ))
}

fn timers_of(module: Module, follower: &Arc<dyn Follower>) -> Module {
    module
        .timer(Timer::every(
            1,
            "day",
            "/authority-storage/expire/authorities",
            Handler::call(timers::expire),
        ))
        .timer(Timer::every(
            1,
            "minute",
            "/authority-storage/follow",
            following(follower, false, timers::go_on),
        ))
}

/// A handler that gets the follower; declared as one transaction if it is one.
fn following<F, R>(follower: &Arc<dyn Follower>, is_one: bool, function: F) -> Handler
where
    F: Fn(Call, Arc<dyn Follower>) -> R + Copy + Send + Sync + 'static,
    R: Future<Output = Result<Response, ApiError>> + Send + 'static,
{
    let follower = Arc::clone(follower);
    let handler = move |call| function(call, Arc::clone(&follower));
    if is_one {
        Handler::transaction(handler)
    } else {
        Handler::call(handler)
    }
}
