//! What a desk shows of a patron before anything is lent: one request in place of nine.

use futures_util::try_join;
use octavo_fees::store as fees;
use octavo_library::ServicePointId;
use serde_json::{Value, json};

use super::{Declined, Desk};
use crate::facts::ManualBlock;
use crate::store::{patron_card, read};

pub use crate::store::patron_card::{PERMISSIONS, Part, Parts};

/// The card of the patron with this barcode, external system id, user name or id; `None` if there is none.
/// Parts that the caller may not read are absent.
pub async fn patron_card(
    desk: Desk<'_>,
    identifier: &str,
    point: Option<ServicePointId>,
    parts: &Parts,
) -> Result<Option<Value>, Declined> {
    let database = &desk.store.database;
    let tables = desk.tables();
    let found = patron_card::of(database, tables, identifier, point, parts).await?;
    let Some(found) = found else {
        return Ok(None);
    };
    let (id, by_staff) = (found.id, found.manual_blocks);
    let (by_limits, by_staff) = try_join!(
        async {
            match parts.contains(Part::AutomatedBlocks) {
                true => fees::automated_blocks(database, desk.tenant, id).await,
                false => Ok(Vec::new()),
            }
        },
        async {
            match by_staff {
                Value::Null => Ok(Vec::new()),
                blocks => read::<Vec<ManualBlock>>("manual block", blocks),
            }
        },
    )?;
    let now = desk.stamp.at;
    let by_staff = by_staff
        .into_iter()
        .filter(|block| block.forbids_borrowing(now));
    let by_limits = by_limits.into_iter().filter(|block| block.block_borrowing);
    let blocks: Vec<String> = by_staff
        .map(|block| block.desc.unwrap_or_default())
        .chain(by_limits.map(|block| block.message))
        .collect();
    let mut card = found.parts;
    card["user"] = found.user;
    card["blocks"] = json!(blocks);
    Ok(Some(card))
}
