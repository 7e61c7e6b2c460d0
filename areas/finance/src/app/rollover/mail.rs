//! The mail about the end of a rollover. It is queued with the last portion; where nobody can get it,
//! or no address of the front end, there is none.

use octavo_configuration::store::tenant::base_url;
use octavo_notices::store::dispatch::line_up;
use octavo_postgres::Transaction;
use octavo_records::store::insert;
use octavo_records::{Context, StoreError};
use serde_json::json;

use crate::rules::rollover::Rollover;
use crate::store::accounts::object;
use crate::store::mail::{Addressed, addressed};

/// Queues the mail.
pub(super) async fn queue_mail(
    context: Context<'_>,
    transaction: &Transaction,
    rollover: &Rollover,
) -> Result<(), StoreError> {
    let (tenant, tables) = (context.tenant, context.tables());
    let Some(user) = context.stamp.user_id else {
        return Ok(());
    };
    let host = base_url(transaction, tenant, tables.catalog).await?;
    let recipient = addressed(transaction, tables, user, rollover).await?;
    let (Some(host), Some(recipient)) = (host, recipient) else {
        return Ok(());
    };
    let email = object(
        json!({"notificationId": rollover.id, "to": recipient.address,
        "header": format!("Fiscal year rollover of {}", recipient.ledger),
        "body": body(&recipient, rollover, &host), "outputFormat": "text/html",
        "status": "PROCESSING", "shouldRetry": false, "attemptCount": 0}),
    );
    let collection = context.collection("email_statistics");
    let (id, _) = insert(transaction, tenant, collection, email, &context.stamp).await?;
    line_up(transaction, tenant, &[id], &["email"], None).await
}

fn body(recipient: &Addressed, rollover: &Rollover, host: &str) -> String {
    let what = if rollover.is_preview() {
        "rollover test"
    } else {
        "rollover"
    };
    let link = format!(
        "{}/finance/ledger/{}/rollover-logs",
        host.trim_end_matches('/'),
        rollover.ledger_id
    );
    format!(
        "<p>Hi {},<br><br>The results of your fiscal year {what} from {} for {} are ready for \
         review. Click <a href=\"{}\">here</a> to review the results.<br><br>FOLIO</p>",
        escaped(&recipient.first_name),
        escaped(&recipient.year),
        escaped(&recipient.ledger),
        escaped(&link)
    )
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("A & <b>\"x\""), "A &amp; &lt;b&gt;&quot;x&quot;");
    }
}
