//! Merges the letters of a day into documents for printing.

use std::time::Duration;

use jiff::Timestamp;
use octavo_platform::Call;
use octavo_records::{StoreError, instant};
use uuid::Uuid;

use super::print_entry::{Entry, EntryKind};
use crate::printing::hex;
use crate::printing::pdf::merge::{Part, merged};
use crate::store::printing::{self, Portion, Waiting};

/// Older letters are ignored, as in FOLIO: a day, and some minutes for a late timer.
const SINCE: Duration = Duration::from_secs(24 * 3_600 + 300);
/// The limits of a document.
const PORTION: Portion = Portion {
    letters: 1_000,
    characters: 64 * 1024 * 1024,
};
/// Documents that are made at a time.
const DOCUMENTS_MAX: usize = 1_000;

/// The result for some letters.
#[derive(Debug, Default)]
struct Outcome {
    /// The document, if there is anything to print.
    document: Option<Vec<u8>>,
    /// The letters in it, and blank ones.
    done: Vec<Uuid>,
    /// Unreadable letters.
    unread: Vec<Uuid>,
}

/// Merges letters until none is left; returns the number of documents.
///
/// # Errors
/// On a database error; earlier documents stay.
pub async fn merge_letters(call: &Call) -> Result<usize, StoreError> {
    let after = instant::format(Timestamp::now() - SINCE);
    let mut unread = Vec::new();
    let mut made = 0;
    for _ in 0..DOCUMENTS_MAX {
        let Some(outcome) = merge_some(call, &after, &unread).await? else {
            break;
        };
        made += usize::from(outcome.document.is_some());
        unread.extend(outcome.unread);
    }
    if !unread.is_empty() {
        tracing::warn!(
            tenant = call.tenant.id(),
            entries = ?unread,
            "these entries hold no PDF that can be read; they stay as they are"
        );
    }
    Ok(made)
}

/// Merges some letters; `None` when there is none.
async fn merge_some(
    call: &Call,
    after: &str,
    unread: &[Uuid],
) -> Result<Option<Outcome>, StoreError> {
    let tenant = &call.tenant;
    let transaction = call.writer().database.transaction().await?;
    printing::take_turn(&transaction, tenant).await?;
    let waiting = printing::waiting(&transaction, tenant, after, unread, PORTION).await?;
    if waiting.is_empty() {
        return Ok(None);
    }
    let outcome = tokio::task::spawn_blocking(move || together(waiting)).await;
    let mut outcome = outcome.map_err(|_| StoreError::fault("a batch of letters broke off"))?;
    if let Some(document) = &outcome.document {
        let content = hex::encode(document);
        let batch = Entry::new(Uuid::new_v4(), EntryKind::Batch, None, content);
        batch.store(call, &transaction).await?;
    }
    printing::delete(&transaction, tenant, &outcome.done).await?;
    transaction.commit().await?;
    outcome.done.clear();
    Ok(Some(outcome))
}

fn together(waiting: Vec<Waiting>) -> Outcome {
    let mut outcome = Outcome::default();
    let mut parts = Vec::new();
    for one in waiting {
        if one.content.trim().is_empty() {
            outcome.done.push(one.id);
            continue;
        }
        let bytes = hex::decode(&one.content);
        match bytes.as_deref().and_then(Part::read) {
            Some(part) => {
                parts.push(part);
                outcome.done.push(one.id);
            }
            None => outcome.unread.push(one.id),
        }
    }
    outcome.document = (!parts.is_empty()).then(|| merged(&parts));
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_stays() {
        let letter = |content: &str| Waiting {
            id: Uuid::new_v4(),
            content: content.to_owned(),
        };
        let waiting = vec![
            letter(""),
            letter("no digits"),
            letter(&hex::encode(b"%PDF-")),
        ];
        let ids: Vec<Uuid> = waiting.iter().map(|one| one.id).collect();
        let outcome = together(waiting);
        assert!(outcome.document.is_none());
        assert_eq!(outcome.done, ids[..1]);
        assert_eq!(outcome.unread, ids[1..]);
    }
}
