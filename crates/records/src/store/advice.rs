//! Searches that no index serves are told once, not at every request.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::collection::Collection;
use crate::plan::{Plan, Unindexed};

/// Shapes that are remembered at most; later ones are not told.
const SHAPES_MAX: usize = 1_000;

/// What has been told already.
#[derive(Debug, Clone, Default)]
pub(super) struct Advice {
    told: Arc<Mutex<HashSet<(String, Unindexed)>>>,
}

impl Advice {
    /// Logs the indexes that a plan lacks, each for the first time that it is missed.
    pub(super) fn tell(&self, collection: &Collection, plan: &Plan) {
        for lacking in plan.unindexed() {
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.len() < SHAPES_MAX && told.insert((collection.table.clone(), lacking.clone())) {
                tracing::info!(
                    table = collection.table,
                    field = lacking.field,
                    kind = lacking.kind.name(),
                    "a search reads every record because no index serves it (told once)"
                );
            }
        }
    }
}
