//! Loads MARC as `octavo load marc` does, in process.

use std::io::Cursor;
use std::sync::Arc;

use octavo_data_import::load::{
    Input, InputRecord, LoadError, LoadEvent, LoadOptions, LoadProblem, Loaded, Progress, load,
};
use octavo_mapping::{RecordKind, References, Rules};
use octavo_records::{Context, Stamp};
use octavo_testkit::Library;

/// The result of a load.
pub struct LoadReport {
    pub outcome: Result<Loaded, LoadError>,
    pub begun: Option<Progress>,
    pub problems: Vec<LoadProblem>,
    pub earlier: Vec<LoadProblem>,
    /// The number of indexes that it built at its end, if it dropped any.
    pub indexes_built: Option<usize>,
}

impl LoadReport {
    pub fn complete(&self) -> Progress {
        match &self.outcome {
            Ok(Loaded::Complete(progress)) => *progress,
            other => panic!("not complete: {other:?}; {:?}", self.problems),
        }
    }

    pub fn positions(&self) -> Vec<u64> {
        self.problems.iter().map(|one| one.position).collect()
    }
}

pub fn options() -> LoadOptions {
    let kind = RecordKind::Bib;
    let rules = Rules::parse(kind, &Rules::defaults(kind)).expect("rules that parse");
    LoadOptions::new("file.mrc", Arc::new(rules), Arc::new(References::shipped()))
}

/// Options for a file with this fingerprint, to load it again.
pub fn known_as(fingerprint: &str, batch_records: usize) -> LoadOptions {
    LoadOptions {
        fingerprint: Some(fingerprint.to_owned()),
        batch_records,
        ..options()
    }
}

pub async fn load_input(
    library: &Library,
    input: impl Iterator<Item = InputRecord> + Send + 'static,
    options: &LoadOptions,
) -> LoadReport {
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let (mut begun, mut problems, mut earlier) = (None, Vec::new(), Vec::new());
    let mut indexes_built = None;
    let mut listen = |event| match event {
        LoadEvent::Begun(progress) => begun = Some(progress),
        LoadEvent::Problem(problem) => problems.push(problem),
        LoadEvent::EarlierProblem(problem) => earlier.push(problem),
        LoadEvent::IndexesBuilt { built, .. } => indexes_built = Some(built),
        LoadEvent::Progress(_) | LoadEvent::IndexesAside(_) | LoadEvent::Index(_) => {}
    };
    let outcome = load(&context, input, options, &mut listen).await;
    LoadReport {
        outcome,
        begun,
        problems,
        earlier,
        indexes_built,
    }
}

pub async fn load_bytes(library: &Library, bytes: Vec<u8>, options: &LoadOptions) -> LoadReport {
    let input = Input::open(Cursor::new(bytes)).expect("bytes in memory can be read");
    load_input(library, input, options).await
}
