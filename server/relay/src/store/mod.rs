//! The relay's statements.

pub mod expiry;
pub mod lease;
pub mod parked;
pub mod state;
pub mod topics;

use octavo_boxed::boxed;
use octavo_postgres::{Database, DatabaseError, Migration};

/// The schema of tables that tenants share.
const SHARED_SCHEMA: &str = "octavo";

const SHARED: &str = "
CREATE TABLE octavo.relay_lease (
  name text PRIMARY KEY,
  holder uuid NOT NULL,
  token bigint NOT NULL,
  until timestamptz NOT NULL
);
-- Not tied to the list of tenants: the topics of a purged one are still to be removed.
CREATE TABLE octavo.relay_topic (
  tenant text NOT NULL,
  module text NOT NULL,
  topic text NOT NULL,
  made boolean NOT NULL DEFAULT false,
  PRIMARY KEY (topic)
);";

/// Creates the tables that tenants share, if they do not exist.
///
/// # Errors
/// When the database does not allow it.
#[boxed]
pub async fn prepare(database: &Database) -> Result<(), DatabaseError> {
    let steps = [Migration::new("relay", SHARED)];
    database.migrate(SHARED_SCHEMA, &steps).await?;
    Ok(())
}
