//! A loan with its item, locked first, and its borrower.

use futures_util::try_join;
use octavo_library::{Loan, LoanId, Patron};
use octavo_records::{Executor, StoreError};
use serde_json::{Map, Value};

use super::item::{HeldItem, ItemKey, hold};
use super::{Tables, patron, read};

/// A loan with its document, locked against changes by others until the transaction ends.
#[derive(Debug, Clone)]
pub struct HeldLoan {
    /// The facts.
    pub loan: Loan,
    /// The stored document.
    pub document: Map<String, Value>,
}

/// A loan, its item and its borrower, unless deleted.
#[derive(Debug, Clone)]
pub struct LoanAtHand {
    pub loan: HeldLoan,
    pub item: Option<HeldItem>,
    /// Its borrower.
    pub patron: Option<Patron>,
}

/// The loan of an id with item and borrower; locks the item and then the loan, so that all operations on
/// one item are serialised. One round trip.
pub async fn at_hand(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: LoanId,
) -> Result<Option<LoanAtHand>, StoreError> {
    // Pipelined in the order of locks.
    let (item, loan, patron) = try_join!(
        hold(executor, tables, ItemKey::OfLoan(id)),
        by_id(executor, tables, id),
        patron::of_loan(executor, tables, id),
    )?;
    Ok(loan.map(|loan| LoanAtHand { loan, item, patron }))
}

/// The loan of an id, locked. Lock its item first.
pub async fn by_id(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: LoanId,
) -> Result<Option<HeldLoan>, StoreError> {
    let sql = format!(
        "SELECT jsonb FROM {} WHERE id = $1 FOR NO KEY UPDATE",
        tables.table("loan")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    rows.first()
        .map(|row| HeldLoan::read(row.get("jsonb")))
        .transpose()
}

impl HeldLoan {
    /// Reads a stored loan.
    pub fn read(document: Value) -> Result<HeldLoan, StoreError> {
        let Value::Object(map) = document else {
            let reason = "a stored loan is no object".to_owned();
            return Err(StoreError::fault(reason));
        };
        let loan = read("loan", Value::Object(map.clone()))?;
        Ok(HeldLoan {
            loan,
            document: map,
        })
    }
}
