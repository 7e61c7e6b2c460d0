//! Makes a message into a letter for printing.

use octavo_platform::Call;
use octavo_records::StoreError;
use uuid::Uuid;

use super::print_entry::{Entry, EntryKind, create_entry};
use crate::printing::{hex, html, layout, pdf};

/// Makes a PDF of a text and stores it, sorted by recipient. An existing one of the id stays: a retried
/// message must not become a second letter.
pub async fn print_letter(
    call: &Call,
    id: Uuid,
    to: Option<&str>,
    text: (&str, Option<&str>),
) -> Result<(), StoreError> {
    let (body, format) = text;
    let (body, is_plain) = (body.to_owned(), format == Some("text/plain"));
    let made = tokio::task::spawn_blocking(move || content(&body, is_plain));
    let content = made
        .await
        .map_err(|_| StoreError::fault("making a letter broke off"))?;
    create_entry(call, Entry::new(id, EntryKind::Single, to, content)).await?;
    Ok(())
}

/// A PDF in hexadecimal digits; empty for a blank text.
fn content(body: &str, is_plain: bool) -> String {
    if body.trim().is_empty() {
        return String::new();
    }
    let paragraphs = match is_plain {
        true => html::lines(body),
        false => html::paragraphs(body),
    };
    hex::encode(&pdf::write::document(&layout::pages(&paragraphs)))
}
