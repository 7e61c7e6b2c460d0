//! Titles by their line.

use octavo_boxed::boxed;
use octavo_records::expression::AMONG_IDS;
use octavo_records::{Executor, StoreError};
use uuid::Uuid;

use super::lines::Held;
use super::{Tables, docs};
use crate::rules::doc::Doc;

/// The titles of lines.
#[boxed]
pub async fn of_lines(
    executor: &dyn Executor,
    tables: Tables<'_>,
    line_ids: &[Uuid],
    held: Held,
) -> Result<Vec<Doc>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE polineid {AMONG_IDS}{}",
        tables.table("titles"),
        held.sql()
    );
    Ok(docs(&executor.rows(&sql, &[&line_ids]).await?))
}
