//! The two statements of an act at the desk: what it is decided on, and what it leaves. Both are calls of
//! functions that the migrations `desk_facts` and `desk_writes` make, for PL/pgSQL keeps the plans of their
//! many small statements.

use octavo_library::{InstanceId, ItemId, UserId};
use octavo_postgres::{DatabaseError, ToSql, Transaction};
use octavo_records::store::{Difference, Successor, refusal_of_new};
use octavo_records::{Collection, Executor, StoreError};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::Tables;
use super::item::ItemAtDesk;
use super::item_loan_and_queue::Standing;
use super::patron::Parties;
use super::policy::TenantTerms;

/// What an act at the desk is decided on.
#[derive(Debug, Clone)]
pub struct DeskFacts {
    /// What holds for the whole tenant.
    pub terms: TenantTerms,
    /// The item, held.
    pub item: Option<ItemAtDesk>,
    /// Who borrows, held, and who acts for them.
    pub parties: Parties,
    /// What stands on the item, with all requests for its title.
    pub standing: Standing,
    /// Whether anybody takes the event LOG_RECORD of the act: it is made only then.
    pub takes_log_records: bool,
}

/// Reads what an act is decided on, in one statement, and holds what it may change: a second desk with
/// the same item or the same borrower waits here until the first is done.
pub async fn facts(
    executor: &dyn Executor,
    tables: Tables<'_>,
    item: &str,
    patron: Option<&str>,
    proxy: Option<&str>,
) -> Result<DeskFacts, StoreError> {
    let sql = facts_sql(tables);
    let rows = executor.rows(&sql, &[&item, &patron, &proxy]).await?;
    let row = rows
        .first()
        .ok_or_else(|| StoreError::fault("a function gave no row"))?;
    Ok(DeskFacts {
        terms: TenantTerms::read(row),
        item: ItemAtDesk::read(row),
        parties: Parties::read(row)?,
        standing: Standing::read(row)?,
        takes_log_records: row.get("takes_log_records"),
    })
}

/// The item of a recorded check-in.
pub async fn item_of_check_in(
    executor: &dyn Executor,
    tables: Tables<'_>,
    id: Uuid,
) -> Result<Option<ItemId>, StoreError> {
    let sql = format!(
        "SELECT (jsonb->>'itemId')::uuid AS item_id FROM {} WHERE id = $1",
        tables.table("check_in")
    );
    let rows = executor.rows(&sql, &[&id]).await?;
    Ok(rows.first().and_then(|row| row.get("item_id")))
}

pub(super) fn facts_sql(tables: Tables<'_>) -> String {
    format!(
        "SELECT *, {schema}.takes_log_records() AS takes_log_records \
         FROM {schema}.desk_facts($1, $2, $3)",
        schema = tables.tenant.schema()
    )
}

/// The loan of an act.
#[derive(Debug, Clone)]
pub enum LoanWrite {
    /// A new one, complete.
    New(Map<String, Value>),
    /// One that changes.
    Changed(Successor),
}

/// What an act leaves.
#[derive(Debug, Clone)]
pub struct DeskWrites {
    /// The item's id.
    pub item_id: ItemId,
    /// The item as it is from now on.
    pub item: Successor,
    /// Its instance, which its event tells.
    pub instance_id: InstanceId,
    /// Its loan.
    pub loan: Option<LoanWrite>,
    /// The check-in, complete.
    pub check_in: Option<Value>,
    /// The patron's visit, complete.
    pub session: Option<Value>,
    /// The topic of the act's own event.
    pub topic: &'static str,
    /// What that event is about; without it there is none.
    pub key: Option<Uuid>,
    /// The event.
    pub event: Value,
    /// The lines of the circulation log.
    pub lines: Vec<Value>,
    /// Who the lines name.
    pub operator: Option<UserId>,
}

impl DeskWrites {
    /// Writes all of it, and makes the transaction permanent in the same round trip. Whatever is
    /// awaited beside this has to have begun before.
    ///
    /// # Errors
    /// As [`DeskWrites::leave`], or when something that was done before has failed.
    pub async fn leave_and_commit(
        self,
        transaction: &Transaction,
        tables: Tables<'_>,
        loans: &Collection,
    ) -> Result<(), StoreError> {
        let (sql, values) = (writes_sql(tables), Values::of(self));
        let written = transaction.query_and_commit(&sql, &values.bound()).await;
        written.map(|_| ()).map_err(values.refused(loans))
    }

    /// Writes all of it.
    ///
    /// # Errors
    /// When the item has an open loan already, the loan's id is taken, or the database does not answer.
    pub async fn leave(
        self,
        transaction: &Transaction,
        tables: Tables<'_>,
        loans: &Collection,
    ) -> Result<(), StoreError> {
        let (sql, values) = (writes_sql(tables), Values::of(self));
        let written = transaction.query(&sql, &values.bound()).await;
        written.map(|_| ()).map_err(values.refused(loans))
    }
}

/// The writes as the arguments of the function, in which JSON's null is what there is not.
struct Values {
    item_id: ItemId,
    item: Value,
    item_difference: Difference,
    item_told: Value,
    loan: Value,
    loan_difference: Difference,
    check_in: Value,
    session: Value,
    topic: &'static str,
    key: Option<Uuid>,
    event: Value,
    lines: Vec<Value>,
    operator: Option<UserId>,
}

impl Values {
    fn of(writes: DeskWrites) -> Values {
        let (loan, loan_difference) = match writes.loan {
            None => (Value::Null, Difference::default()),
            Some(LoanWrite::New(document)) => (Value::Object(document), Difference::default()),
            Some(LoanWrite::Changed(next)) => (Value::Object(next.document), next.difference),
        };
        Values {
            item_id: writes.item_id,
            item: Value::Object(writes.item.document),
            item_difference: writes.item.difference,
            item_told: json!({"instanceId": writes.instance_id}),
            loan,
            loan_difference,
            check_in: writes.check_in.unwrap_or_default(),
            session: writes.session.unwrap_or_default(),
            topic: writes.topic,
            key: writes.key,
            event: writes.event,
            lines: writes.lines,
            operator: writes.operator,
        }
    }

    fn bound(&self) -> [&(dyn ToSql + Sync); 15] {
        [
            &self.item_id,
            &self.item,
            &self.item_difference.was,
            &self.item_difference.came,
            &self.item_told,
            &self.loan,
            &self.loan_difference.was,
            &self.loan_difference.came,
            &self.check_in,
            &self.session,
            &self.topic,
            &self.key,
            &self.event,
            &self.lines,
            &self.operator,
        ]
    }

    /// Why the loan was not stored.
    fn refused(&self, loans: &Collection) -> impl FnOnce(DatabaseError) -> StoreError {
        move |error| match &self.loan {
            Value::Object(loan) => refusal_of_new(error, loans, loan),
            _ => error.into(),
        }
    }
}

pub(super) fn writes_sql(tables: Tables<'_>) -> String {
    let values: Vec<String> = (1..=15).map(|number| format!("${number}")).collect();
    format!(
        "SELECT {}.desk_writes({})",
        tables.tenant.schema(),
        values.join(", ")
    )
}
