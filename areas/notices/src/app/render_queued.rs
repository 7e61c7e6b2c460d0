//! Renders queued notices into messages: removed, rendered and stored in one transaction, so that each
//! notice becomes exactly one message even if a process dies.

use std::collections::HashMap;

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::{Stamp, StoreError, retried};
use serde_json::{Value, json};
use uuid::Uuid;

use super::post::post;
use super::render_template::locality;
use crate::message::letter::{Channel, Content, Letter};
use crate::render::{DateWriter, Parsed, Unrendered, chosen};
use crate::store::lookups;
use crate::store::queue::{self, Queued};

/// Notices of one transaction at most.
pub const BATCH_MAX: i64 = 500;

/// Renders the oldest notices, so many at most; returns how many. Fewer means that there were no more.
///
/// # Errors
/// On a database error; then they stay queued.
#[boxed]
pub async fn render_queued(call: &Call, most: i64) -> Result<usize, StoreError> {
    let store = call.writer();
    retried(|| async {
        let transaction = store.database.transaction().await?;
        let queued = queue::take(&transaction, &call.tenant, most).await?;
        if queued.is_empty() {
            transaction.rollback().await?;
            return Ok(0);
        }
        let count = queued.len();
        let of = |id: fn(&Queued) -> Uuid| -> Vec<Uuid> { queued.iter().map(id).collect() };
        let (template_ids, user_ids) = (of(|one| one.template), of(|one| one.recipient));
        let (templates, users, locality) = tokio::try_join!(
            lookups::templates(&transaction, &call.tenant, &template_ids),
            lookups::users(&transaction, &call.tenant, &user_ids),
            locality(&transaction, &call.tenant, &store.catalog),
        )?;
        let letters = letters(queued, &templates, &users, &locality.writer());
        let stamp = Stamp::now(None);
        post(&transaction, store, &call.tenant, letters, &stamp).await?;
        transaction.commit().await?;
        Ok(count)
    })
    .await
}

fn letters(
    queued: Vec<Queued>,
    templates: &HashMap<Uuid, Value>,
    users: &HashMap<Uuid, Value>,
    dates: &DateWriter,
) -> Vec<Letter> {
    let mut read: HashMap<(Uuid, String, String), Result<Parsed, Unrendered>> = HashMap::new();
    let mut letters = Vec::with_capacity(queued.len());
    for notice in queued {
        let key = (
            notice.template,
            notice.language.clone(),
            notice.output_format.clone(),
        );
        let parsed = read
            .entry(key)
            .or_insert_with(|| match templates.get(&notice.template) {
                Some(template) => chosen(template, &notice.language, &notice.output_format),
                None => Err(Unrendered::NoTemplate(notice.template.to_string())),
            });
        let gone = json!({"id": notice.recipient});
        let user = users.get(&notice.recipient);
        let channel = Channel::named(&notice.channel).unwrap_or(Channel::Email);
        let id = notice.id.to_string();
        let rendered = match parsed {
            Ok(parsed) => parsed.render(Some(notice.context), dates),
            Err(error) => Err(error.clone()),
        };
        let mut content = Content {
            output_format: Some(notice.output_format),
            ..Content::default()
        };
        let fault = match rendered {
            Err(error) => Some(error.to_string()),
            Ok(made) => {
                content.header = made.header;
                content.body = made.body;
                content.attachments = made.attachments;
                user.is_none().then(|| "User not found".to_owned())
            }
        };
        letters.push(match fault {
            Some(fault) => Letter::failed(&id, channel, content, &fault),
            None => Letter::to_user(&id, channel, user.unwrap_or(&gone), content),
        });
    }
    letters
}
