//! The record of a title. A line that is no package has one.

use bytes::Bytes;
use octavo_boxed::boxed;
use octavo_records::Context;
use octavo_records::store::{fetch, insert};
use serde_json::Value;
use uuid::Uuid;

use super::{Work, checked, keep_line};
use crate::refusal::{Code, Declined, Refusal, Wrong};
use crate::rules::doc::{Doc, flag, id as id_at, object};
use crate::rules::title;
use crate::store::lines::Held;
use crate::store::titles::of_lines;

/// The table of titles.
pub const TABLE: &str = "titles";

/// Stores a new title of a line.
///
/// # Errors
/// When its line has one already and is no package.
#[boxed]
pub async fn insert_title(work: Work<'_>, mut title: Doc) -> Result<(Uuid, Bytes), Declined> {
    let context = work.context;
    let line_id = id_at(&title, "poLineId").unwrap_or_default();
    // The line is locked: of two titles that are added at once the second sees the first.
    if let Some(line) = keep_line::hold(work, line_id).await? {
        if !flag(&line, "isPackage") {
            let tables = context.tables();
            let titles = of_lines(work.transaction, tables, &[line_id], Held::No).await?;
            if !titles.is_empty() {
                return Err(Refusal::invalid(Wrong::of(Code::TitleExist)).into());
            }
        }
        let orders = context.collection(super::keep_order::TABLE);
        let order = match id_at(&line, "purchaseOrderId") {
            Some(id) => fetch(work.transaction, context.tenant, orders, id).await?,
            None => None,
        };
        title::added(&mut title, &line, order.map(object).as_ref());
    }
    let titles = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    Ok(insert(work.transaction, tenant, titles, title, stamp).await?)
}

/// Creates a title as the storage does.
///
/// # Errors
/// As [`insert_title`], and when it does not fit.
#[boxed]
pub async fn create(context: &Context<'_>, document: Value) -> Result<(Uuid, Bytes), Declined> {
    let title = checked(context, TABLE, document)?;
    let transaction = context.store.database.transaction().await?;
    let work = Work {
        transaction: &transaction,
        context,
    };
    let created = insert_title(work, title).await?;
    transaction.commit().await?;
    Ok(created)
}
