//! Puts notices into the queue of notices and into the log, in the transaction of their cause. They are
//! rendered and sent after the commit.

use std::collections::HashMap;

use octavo_library::{TemplateId, UserId};
use octavo_notices::queue::{self, Channel, Notice};
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::Desk;
use super::journal::{self, By};
use crate::circulation_log::{NoticeAbout, notice_not_sent, notice_sent};
use crate::facts::LogEntry;
use crate::notice::Format;
use crate::store::notice;

/// FOLIO's only language and output format for circulation notices.
const LANGUAGE: &str = "en";
const FORM: &str = "text/html";

/// The names of existing templates.
pub(super) type Templates = HashMap<TemplateId, String>;

/// The delivery of a notice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delivery<'a> {
    /// The recipient.
    pub(super) recipient: UserId,
    /// The template.
    pub(super) template_id: Option<TemplateId>,
    /// By e-mail or on paper.
    pub(super) format: Option<Format>,
    /// Its trigger, as named in the log.
    pub(super) trigger: &'a str,
}

/// The notices of one transaction.
#[derive(Debug, Default)]
pub(super) struct NoticeContext {
    queued: Vec<Notice>,
    lines: Vec<LogEntry>,
}

impl NoticeContext {
    /// Adds a notice, or logs why it is not sent; returns whether it is sent.
    pub(super) fn put(
        &mut self,
        way: Delivery<'_>,
        about: NoticeAbout<'_>,
        templates: &Templates,
        context: impl FnOnce() -> Value,
    ) -> bool {
        let about = NoticeAbout {
            template_id: way.template_id,
            ..about
        };
        let named = way
            .template_id
            .and_then(|id| Some((id, templates.get(&id)?)));
        let Some((template, name)) = named else {
            let id = way
                .template_id
                .map_or_else(|| "null".to_owned(), |id| id.to_string());
            self.fail(about, way.trigger, &missing("template", &id));
            return false;
        };
        let channel = match way.format {
            Some(Format::Email) => Channel::Email,
            Some(Format::Print) => Channel::Mail,
            // No module of FOLIO sends text messages.
            other => {
                let format = other.map_or("None", Format::name);
                let reason = format!("notices cannot be delivered as {format}");
                self.fail(about, way.trigger, &reason);
                return false;
            }
        };
        self.lines.push(notice_sent(about, name, way.trigger));
        self.queued.push(Notice {
            id: Uuid::new_v4(),
            recipient: way.recipient.uuid(),
            template: template.uuid(),
            channel,
            output_format: FORM.to_owned(),
            language: LANGUAGE.to_owned(),
            context: context(),
        });
        true
    }

    /// Logs why a notice is not sent.
    pub(super) fn fail(&mut self, about: NoticeAbout<'_>, trigger: &str, reason: &str) {
        let line = notice_not_sent(about, trigger, reason);
        self.lines.push(line);
    }

    /// The number of notices to send.
    pub(super) fn len(&self) -> usize {
        self.queued.len()
    }

    /// Writes notices and their log lines.
    pub(super) async fn store(
        self,
        desk: Desk<'_>,
        transaction: &Transaction,
        by: By,
    ) -> Result<(), StoreError> {
        futures_util::try_join!(
            queue::put(transaction, desk.tenant, &self.queued),
            journal::note_by(desk, transaction, &self.lines, by),
        )?;
        Ok(())
    }
}

/// The names of the existing ones of these templates.
pub(super) async fn templates(
    desk: Desk<'_>,
    transaction: &Transaction,
    mut ids: Vec<TemplateId>,
) -> Result<Templates, StoreError> {
    ids.sort_unstable();
    ids.dedup();
    notice::template_names(transaction, desk.tables(), &ids).await
}

/// FOLIO's message.
pub(super) fn missing(what: &str, id: &str) -> String {
    format!("{what} record with ID \"{id}\" cannot be found")
}
