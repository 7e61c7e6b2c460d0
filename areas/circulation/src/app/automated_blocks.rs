//! The blocks that limits give rise to, for borrowing and for renewing.

use octavo_fees::store as fees;
use octavo_library::Patron;
use octavo_postgres::Transaction;
use octavo_records::StoreError;

use super::Desk;
use crate::circulation_config::CirculationConfig;

/// The blocks of a patron at this moment; asked only where the patron's group has limits.
pub(super) async fn automated_blocks(
    desk: Desk<'_>,
    transaction: &Transaction,
    house: &CirculationConfig,
    patron: Option<&Patron>,
) -> Result<Vec<fees::AutomatedBlock>, StoreError> {
    match patron.filter(|patron| house.limits(patron.patron_group)) {
        Some(patron) => fees::automated_blocks(transaction, desk.tenant, patron.id).await,
        None => Ok(Vec::new()),
    }
}
