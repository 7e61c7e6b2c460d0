//! A patron notice policy, read leniently: invalid parts are ignored.

use octavo_library::TemplateId;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Event, Format, NoticePeriod, ScheduledConfig, Timing};

/// The notices of a policy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoticePolicy {
    settings: Vec<NoticeSetting>,
}

/// One notice of a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoticeSetting {
    /// The template.
    pub template_id: TemplateId,
    /// The format.
    pub format: Format,
    /// The trigger event.
    pub event: Event,
    /// Whether before or after that.
    pub timing: Timing,
    /// How long before or after.
    pub by: Option<NoticePeriod>,
    /// How long until it is sent again.
    pub every: Option<NoticePeriod>,
    /// In real time, individually; otherwise in a daily digest.
    pub real_time: bool,
}

/// The formats that a patron prefers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preferences {
    /// In this order.
    pub formats: Vec<Format>,
    /// By the older property, used when the other is empty.
    pub older: Option<Format>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    template_id: TemplateId,
    format: Format,
    frequency: Option<String>,
    #[serde(default)]
    real_time: bool,
    send_options: Options,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    send_when: Event,
    #[serde(default)]
    send_how: Timing,
    send_by: Option<Value>,
    send_every: Option<Value>,
}

impl NoticePolicy {
    /// Reads a stored policy.
    #[must_use]
    pub fn read(document: &Value) -> NoticePolicy {
        let lists = ["loanNotices", "requestNotices", "feeFineNotices"];
        let all = lists.iter().filter_map(|name| document[*name].as_array());
        NoticePolicy {
            settings: all.flatten().filter_map(NoticeSetting::read).collect(),
        }
    }

    /// Whether it sends anything at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty()
    }

    /// What it sends for an event.
    pub fn of(&self, event: Event) -> impl Iterator<Item = &NoticeSetting> {
        let of_event = move |setting: &&NoticeSetting| setting.event == event;
        self.settings.iter().filter(of_event)
    }

    /// Whether it sends anything for an event.
    #[must_use]
    pub fn sends_for(&self, event: Event) -> bool {
        self.of(event).next().is_some()
    }

    /// What is sent to a patron when an event happens: of the first notice for it, in the formats that
    /// it comes in, those that the patron prefers.
    #[must_use]
    pub fn upon(&self, event: Event, patron: &Preferences) -> Vec<&NoticeSetting> {
        let mut of_event = self.of(event);
        let Some(first) = of_event.next() else {
            return Vec::new();
        };
        let same = of_event.filter(|other| other.is_like(first));
        patron.choose(std::iter::once(first).chain(same))
    }

    /// Whether a notice scheduled under this policy is still sent in its format. It is if the policy has
    /// only one format, or does not have the notice any more.
    #[must_use]
    pub fn still_sends(
        &self,
        event: Event,
        notice: &ScheduledConfig,
        patron: &Preferences,
    ) -> bool {
        let like: Vec<&NoticeSetting> = self.of(event).filter(|one| one.made(notice)).collect();
        let anchor = like
            .iter()
            .find(|one| Some(one.template_id) == notice.template_id);
        let Some(anchor) = anchor else { return true };
        let group = like.iter().copied().filter(|one| one.is_like(anchor));
        let group: Vec<&NoticeSetting> = group.collect();
        if group.iter().all(|one| one.format == anchor.format) {
            return true;
        }
        let chosen = patron.choose(group.into_iter());
        chosen.iter().any(|one| Some(one.format) == notice.format)
    }
}

impl NoticeSetting {
    fn read(document: &Value) -> Option<NoticeSetting> {
        let stored = Stored::deserialize(document).ok()?;
        let period = |value: &Option<Value>| {
            let value = value.as_ref()?;
            let period = NoticePeriod::deserialize(value).ok()?;
            Some(period).filter(|period| period.duration > 0)
        };
        let options = stored.send_options;
        let by = period(&options.send_by);
        let recurring = stored.frequency.as_deref() == Some("Recurring");
        let every = period(&options.send_every).filter(|_| recurring);
        let timed = options.send_how == Timing::UponAt || by.is_some();
        (timed && recurring == every.is_some()).then_some(NoticeSetting {
            template_id: stored.template_id,
            format: stored.format,
            event: options.send_when,
            timing: options.send_how,
            by: by.filter(|_| options.send_how != Timing::UponAt),
            every,
            real_time: stored.real_time,
        })
    }

    /// The same notice, perhaps in another format.
    fn is_like(&self, other: &NoticeSetting) -> bool {
        let key = |one: &NoticeSetting| (one.timing, one.by, one.every, one.real_time);
        key(self) == key(other)
    }

    /// Whether a scheduled notice may come from it.
    fn made(&self, notice: &ScheduledConfig) -> bool {
        self.timing == notice.timing
            && self.every == notice.recurring_period
            && self.real_time == notice.send_in_real_time
    }
}

impl Preferences {
    /// Reads the `personal` part of a user.
    #[must_use]
    pub fn of(personal: &Map<String, Value>) -> Preferences {
        let list = personal.get("preferredContactTypeIds");
        let list = list.and_then(Value::as_array).into_iter().flatten();
        let mut formats = Vec::new();
        for format in list.filter_map(|id| Format::of_contact_type(id.as_str()?)) {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
        let older = personal.get("preferredContactTypeId");
        Preferences {
            formats,
            older: older.and_then(|id| Format::of_contact_type(id.as_str()?)),
        }
    }

    /// Chooses among the formats of one notice: the preferred ones; else e-mail, or the first.
    fn choose<'p>(&self, group: impl Iterator<Item = &'p NoticeSetting>) -> Vec<&'p NoticeSetting> {
        let mut formats: Vec<&NoticeSetting> = Vec::new();
        for one in group {
            if formats.iter().all(|other| other.format != one.format) {
                formats.push(one);
            }
        }
        if formats.len() < 2 {
            return formats;
        }
        let of = |wanted: Format| formats.iter().copied().find(|one| one.format == wanted);
        let preferred: Vec<&NoticeSetting> = match &self.formats[..] {
            [] => self.older.and_then(of).into_iter().collect(),
            listed => listed.iter().copied().filter_map(of).collect(),
        };
        if preferred.is_empty() {
            let first = of(Format::Email).or_else(|| formats.first().copied());
            return first.into_iter().collect();
        }
        preferred
    }
}
