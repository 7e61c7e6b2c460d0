//! Scheduled notices: as mod-circulation stores them, and made from a policy.

use jiff::Timestamp;
use octavo_library::{FeeFineActionId, LoanId, RequestId, TemplateId, UserId, wire_time};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Event, Format, NoticePeriod, NoticePolicy, NoticeSetting, Timing};

/// A stored notice. Parts that FOLIO would not understand are `None`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduledNotice {
    /// The notice.
    pub id: Uuid,
    /// The loan that it is about.
    pub loan_id: Option<LoanId>,
    /// The request that it is about.
    pub request_id: Option<RequestId>,
    /// The charge that it is about, or what became of it.
    pub fee_fine_action_id: Option<FeeFineActionId>,
    /// The recipient.
    pub recipient_user_id: Option<UserId>,
    /// The patron action session.
    pub session_id: Option<Uuid>,
    /// The trigger event.
    pub triggering_event: Event,
    /// When it is due.
    #[serde(with = "wire_time")]
    pub next_run_time: Timestamp,
    /// How it is sent.
    pub notice_config: ScheduledConfig,
}

/// How a scheduled notice is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScheduledConfig {
    /// Whether before or after its event.
    #[serde(default)]
    pub timing: Timing,
    /// How long until it is sent again.
    #[serde(default, deserialize_with = "lenient")]
    pub recurring_period: Option<NoticePeriod>,
    /// The template.
    #[serde(default, deserialize_with = "lenient")]
    pub template_id: Option<TemplateId>,
    /// The format.
    #[serde(default, deserialize_with = "lenient")]
    pub format: Option<Format>,
    /// In real time, individually.
    #[serde(default)]
    pub send_in_real_time: bool,
}

fn lenient<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: serde::de::DeserializeOwned,
    D: Deserializer<'de>,
{
    let value = Option::<Value>::deserialize(deserializer)?;
    Ok(value.and_then(|value| serde_json::from_value(value).ok()))
}

/// The subject of a scheduled notice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct About {
    pub loan_id: Option<LoanId>,
    pub request_id: Option<RequestId>,
    /// The charge, or what became of it.
    pub fee_fine_action_id: Option<FeeFineActionId>,
    /// Who gets it.
    pub user_id: Option<UserId>,
    /// The visit that it belongs to.
    pub session_id: Option<Uuid>,
}

/// The notices of a due date, or of the instant at which a loan aged to lost.
#[must_use]
pub fn of_due_date(
    policy: &NoticePolicy,
    event: Event,
    about: About,
    at: Timestamp,
) -> Vec<Map<String, Value>> {
    let due = |setting: &NoticeSetting| match setting.timing {
        Timing::UponAt => Some(at),
        Timing::Before => setting.by?.before(at),
        Timing::After => setting.by?.after(at),
    };
    made(policy, event, about, due)
}

/// The notices of a fee, or of what became of it.
#[must_use]
pub fn of_fees(
    policy: &NoticePolicy,
    event: Event,
    about: About,
    at: Timestamp,
) -> Vec<Map<String, Value>> {
    let due = |setting: &NoticeSetting| match setting.timing {
        Timing::After => setting.by?.after(at),
        Timing::UponAt | Timing::Before => Some(at),
    };
    made(policy, event, about, due)
}

/// The notices about the expiration of a request or of its time on the hold shelf. As in FOLIO they are
/// sent before it, whatever timing the policy has.
#[must_use]
pub fn of_requests(
    policy: &NoticePolicy,
    about: About,
    expires: Option<Timestamp>,
    on_shelf_until: Option<Timestamp>,
) -> Vec<Map<String, Value>> {
    let ends = [
        (Event::RequestExpiration, expires),
        (Event::HoldExpiration, on_shelf_until),
    ];
    let ends = ends
        .into_iter()
        .filter_map(|(event, at)| Some((event, at?)));
    ends.flat_map(|(event, at)| {
        made(policy, event, about, |setting| match setting.timing {
            Timing::UponAt => Some(at),
            Timing::Before | Timing::After => setting.by?.before(at),
        })
    })
    .collect()
}

impl NoticeSetting {
    /// The notice of a title level request, which the tenant's settings name.
    #[must_use]
    pub fn of_title_level_request(template_id: TemplateId, event: Event) -> NoticeSetting {
        NoticeSetting {
            template_id,
            format: Format::Email,
            event,
            timing: Timing::UponAt,
            by: None,
            every: None,
            real_time: true,
        }
    }

    /// The stored form of a notice.
    #[must_use]
    pub fn scheduled(&self, about: About, at: Timestamp) -> Map<String, Value> {
        let mut notice = Map::new();
        let ids = [
            ("loanId", about.loan_id.map(Uuid::from)),
            ("requestId", about.request_id.map(Uuid::from)),
            ("feeFineActionId", about.fee_fine_action_id.map(Uuid::from)),
            ("recipientUserId", about.user_id.map(Uuid::from)),
            ("sessionId", about.session_id),
        ];
        for (name, id) in ids {
            if let Some(id) = id {
                notice.insert(name.into(), json!(id));
            }
        }
        notice.insert("triggeringEvent".into(), self.event.name().into());
        notice.insert("nextRunTime".into(), wire_time::format(at).into());
        let mut config = json!({
            "timing": self.timing, "templateId": self.template_id, "format": self.format,
            "sendInRealTime": self.real_time,
        });
        if let Some(every) = self.every {
            config["recurringPeriod"] = json!(every);
        }
        notice.insert("noticeConfig".into(), config);
        notice
    }
}

fn made(
    policy: &NoticePolicy,
    event: Event,
    about: About,
    due: impl Fn(&NoticeSetting) -> Option<Timestamp>,
) -> Vec<Map<String, Value>> {
    let made = policy.of(event);
    made.filter_map(|setting| Some(setting.scheduled(about, due(setting)?)))
        .collect()
}
