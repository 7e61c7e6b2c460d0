//! A patron's automated blocks for borrowing and renewing.

use octavo_fees::store as fees;
use octavo_library::Patron;
use octavo_postgres::Transaction;
use octavo_records::StoreError;

use super::Desk;
use crate::circulation_config::CirculationConfig;

/// The current blocks of a patron; queried only if the patron's group has limits.
pub(super) async fn automated_blocks(
    desk: Desk<'_>,
    transaction: &Transaction,
    config: &CirculationConfig,
    patron: Option<&Patron>,
) -> Result<Vec<fees::AutomatedBlock>, StoreError> {
    match patron.filter(|patron| config.limits(patron.patron_group)) {
        Some(patron) => fees::automated_blocks(transaction, desk.tenant, patron.id).await,
        None => Ok(Vec::new()),
    }
}
