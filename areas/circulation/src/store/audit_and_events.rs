//! The last statement of an operation at the desk: session, event and log lines.

use octavo_library::UserId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::Tables;
use super::journal::add_sql;

/// Session entry, event and log lines of an operation.
#[derive(Debug, Clone)]
pub struct Traces {
    /// The entry of the patron action session: id and record.
    pub session: Option<(Uuid, Value)>,
    /// The event's topic.
    pub topic: &'static str,
    /// The event's key.
    pub key: Uuid,
    pub event: Value,
    /// The lines of the circulation log.
    pub lines: Vec<Value>,
    /// The lines' operator.
    pub operator: Option<UserId>,
}

impl Traces {
    /// Writes them and commits in the same round trip. Other futures of the transaction must be polled
    /// before this one, since nothing can follow the COMMIT.
    ///
    /// # Errors
    /// When an earlier pipelined statement has failed.
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
