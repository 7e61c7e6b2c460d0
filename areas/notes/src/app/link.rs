//! Assigns notes to a record and unassigns them.

use octavo_records::{Executor, Stamp, StoreError, Tenant};
use serde::Deserialize;
use uuid::Uuid;

use crate::store::{self, LinkChanges};

/// A change of the link between a note and the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct LinkUpdate {
    /// The note.
    pub id: Uuid,
    /// Whether it is linked afterwards.
    pub status: LinkStatus,
}

/// Whether a note is linked to the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum LinkStatus {
    Assigned,
    /// It is not.
    Unassigned,
}

/// Assigns and unassigns notes. A note that loses its last link is deleted, and unknown notes are
/// ignored, both as in mod-notes.
pub async fn update_links(
    executor: &dyn Executor,
    tenant: &Tenant,
    record: &store::Linked<'_>,
    updates: &[LinkUpdate],
    stamp: &Stamp,
) -> Result<(), StoreError> {
    store::change_links(executor, tenant, record, &changes(updates), stamp).await
}

/// The first of several updates of one note wins.
fn changes(updates: &[LinkUpdate]) -> LinkChanges {
    let mut seen = std::collections::HashSet::new();
    let mut changes = LinkChanges::default();
    for update in updates.iter().filter(|update| seen.insert(update.id)) {
        match update.status {
            LinkStatus::Assigned => changes.assigned.push(update.id),
            LinkStatus::Unassigned => changes.unassigned.push(update.id),
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_update_of_a_note_counts() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let update = |id, status| LinkUpdate { id, status };
        let changes = changes(&[
            update(one, LinkStatus::Unassigned),
            update(other, LinkStatus::Assigned),
            update(one, LinkStatus::Assigned),
        ]);
        assert_eq!(changes.assigned, [other]);
        assert_eq!(changes.unassigned, [one]);
    }
}
