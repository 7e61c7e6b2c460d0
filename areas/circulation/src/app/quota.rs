//! The limit of notices for a timer's run. Without a setting a run processes all due notices; with one,
//! mails are sent slowly.

use octavo_records::StoreError;

use super::Desk;
use crate::store::settings::settings;

/// The remaining quota of a run. Notices left for later runs do not count, else they could starve all
/// others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quota {
    left: Option<i64>,
}

impl Quota {
    /// The quota of a run from the settings.
    pub(super) async fn of_run(desk: Desk<'_>) -> Result<Quota, StoreError> {
        let settings = settings(&desk.store.database, desk.tables()).await?;
        let left = settings.notices_limit().map(i64::from);
        Ok(Quota { left })
    }

    /// The size of the next portion, at most `most`; zero when the quota is used up.
    pub(super) fn portion(&self, most: i64) -> i64 {
        self.left.map_or(most, |left| left.clamp(0, most))
    }

    /// Subtracts processed notices.
    pub(super) fn take(&mut self, done: usize) {
        let done = i64::try_from(done).unwrap_or(i64::MAX);
        self.left = self.left.map(|left| left.saturating_sub(done).max(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_a_limit_never_ends_by_one() {
        let mut none = Quota { left: None };
        none.take(1_000);
        assert_eq!(none.portion(100), 100);
        let mut some = Quota { left: Some(150) };
        assert_eq!(some.portion(100), 100);
        some.take(100);
        assert_eq!(some.portion(100), 50);
        // A digest is not split: it may exceed the quota.
        some.take(70);
        assert_eq!(some.portion(100), 0);
        assert_eq!(Quota { left: Some(0) }.portion(100), 0);
    }
}
