//! The last statement of an act at the desk: what it leaves beside the records.

use octavo_library::UserId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use super::journal::add_sql;

/// What an act leaves beside the records that it changes.
#[derive(Debug, Clone)]
pub struct Traces {
    /// The patron's visit: the record's id and the record.
    pub session: Option<(Uuid, Value)>,
    /// The event's topic.
    pub topic: &'static str,
    /// What the event is about.
    pub key: Uuid,
    pub event: Value,
    /// The lines of the circulation log.
    pub lines: Vec<Value>,
    /// Who the lines name.
    pub operator: Option<UserId>,
}

impl Traces {
    /// Writes the traces, and makes the transaction permanent in the same round trip. Whatever is
    /// awaited beside this has to have begun before.
    ///
    /// # Errors
    /// When something that was done before has failed.
    pub async fn leave_and_commit(
        &self,
        transaction: &Transaction,
        tables: Tables<'_>,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "WITH session AS (INSERT INTO {} (id, jsonb)
               SELECT $1::uuid, $2::jsonb WHERE $1::uuid IS NOT NULL),
             log AS ({})
             INSERT INTO {}.outbox (topic, key, type, new) VALUES ($3, $4, 'CREATE', $5)",
            tables.table("patron_action_session"),
            add_sql(tables, "$6", "$7"),
            tables.tenant.schema(),
        );
        let (id, session) = self.session.clone().unzip();
        transaction
            .query_and_commit(
                &sql,
                &[
                    &id,
                    &session,
                    &self.topic,
                    &self.key,
                    &self.event,
                    &self.lines,
                    &self.operator,
                ],
            )
            .await?;
        Ok(())
    }
}
