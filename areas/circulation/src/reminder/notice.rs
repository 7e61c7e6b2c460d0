//! The scheduled notice of the next reminder of a loan, in mod-circulation's form.

use jiff::Timestamp;
use octavo_library::{LoanId, UserId, wire_time};
use serde_json::{Map, Value, json};

use super::{OpenDays, Reminder, RemindersPolicy, first_due};

/// FOLIO's trigger event of reminder notices.
pub const TRIGGER: &str = "Due date - with reminder fee";

/// The notice of the first reminder of a loan; `None` if no day is open for it.
#[must_use]
pub fn first_notice(
    policy: &RemindersPolicy,
    loan_id: LoanId,
    user_id: Option<UserId>,
    due_date: Timestamp,
    open: OpenDays<'_>,
) -> Option<Map<String, Value>> {
    let due = first_due(policy, due_date, open)?;
    let mut notice = Map::new();
    notice.insert("loanId".into(), json!(loan_id));
    if let Some(user) = user_id {
        notice.insert("recipientUserId".into(), json!(user));
    }
    notice.insert("triggeringEvent".into(), TRIGGER.into());
    let config = json!({"timing": "After", "sendInRealTime": true});
    notice.insert("noticeConfig".into(), config);
    put_off(&mut notice, policy.number(1)?, due);
    Some(notice)
}

/// Changes a notice into that of another reminder.
pub fn put_off(notice: &mut Map<String, Value>, reminder: &Reminder, due: Timestamp) {
    notice.insert("nextRunTime".into(), wire_time::format(due).into());
    let config = notice.entry("noticeConfig").or_insert_with(|| json!({}));
    if let Some(config) = config.as_object_mut() {
        config.insert("format".into(), reminder.format().into());
        if let Some(template) = reminder.notice_template_id {
            config.insert("templateId".into(), json!(template));
        }
    }
}
