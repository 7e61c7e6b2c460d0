//! How many notices a run of a timer may be done with. A library that sets no limit sets none: its runs
//! take all that is due. Where it sets one, it asks for mails to go out slowly.

use octavo_records::StoreError;

use super::Desk;
use crate::store::settings::settings;

/// What a run has left. Notices that are left for later runs do not count: they could keep all others
/// from being looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quota {
    left: Option<i64>,
}

impl Quota {
    /// A run's, by the settings.
    pub(super) async fn of_run(desk: Desk<'_>) -> Result<Quota, StoreError> {
        let settings = settings(&desk.store.database, desk.tables()).await?;
        let left = settings.notices_limit().map(i64::from);
        Ok(Quota { left })
    }

    /// How many to look at next, of so many at most; none when all is used.
    pub(super) fn portion(&self, most: i64) -> i64 {
        self.left.map_or(most, |left| left.clamp(0, most))
    }

    /// So many are done with.
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
        // A digest is not cut: it may be more than what is left.
        some.take(70);
        assert_eq!(some.portion(100), 0);
        assert_eq!(Quota { left: Some(0) }.portion(100), 0);
    }
}
