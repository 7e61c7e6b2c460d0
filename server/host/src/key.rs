//! The keys that tokens are signed with. They are stored in the database, so that all processes on
//! it accept each other's tokens; docs/decisions/0019-signing-keys.md gives the reasons.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use jiff::Timestamp;
use octavo_platform::key_ring::KEY_CHANNEL;
use octavo_platform::token::{Key, KeyLoad, KeySource, LegacyTenants, LoginSettings, Signer};
use octavo_postgres::{Database, DatabaseError, Migration, Transaction};
use rand::TryRngCore;
use rand::rngs::OsRng;

/// The schema of tables that tenants share.
const SCHEMA: &str = "octavo";
/// The file in the data directory with the only key of earlier releases.
const FILE: &str = "signing.key";
/// The name of that file once its key is in the database.
const FILE_TAKEN_OVER: &str = "signing.key.taken-over";
/// The most keys: each is tried on a token that names none.
pub const KEYS_MAX: i64 = 32;

const TABLE: &str = "
CREATE TABLE octavo.signing_key (
  id text PRIMARY KEY,
  secret bytea NOT NULL CHECK (length(secret) = 32),
  made_at timestamptz NOT NULL DEFAULT now(),
  replaced_at timestamptz
);";

/// The newest key, which signs, comes first.
const ORDER: &str = "ORDER BY replaced_at IS NULL DESC, made_at DESC, id";

/// The keys in the database.
#[derive(Debug, Clone, Copy)]
pub struct StoredKeys;

impl KeySource for StoredKeys {
    fn load<'a>(&'a self, database: &'a Database) -> KeyLoad<'a> {
        Box::pin(async move {
            let sql = format!("SELECT id, secret FROM octavo.signing_key {ORDER}");
            let rows = database.query(&sql, &[]).await?;
            let keys = rows.iter().map(|row| Key {
                id: row.get("id"),
                secret: row.get("secret"),
            });
            Ok(keys.collect())
        })
    }
}

/// A key in a list, without its secret.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The name in tokens.
    pub id: String,
    pub made_at: Timestamp,
    /// When a newer key replaced it.
    pub replaced_at: Option<Timestamp>,
}

/// The key of an earlier release in a data directory, if there is one.
///
/// # Errors
/// When the file cannot be read or is not a key.
pub fn of_earlier_release(data_dir: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    let path = data_dir.join(FILE);
    let key = match fs::read(&path) {
        Ok(key) => key,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(error).with_context(|| format!("{} cannot be read", path.display()));
        }
    };
    if key.len() != Signer::KEY_BYTES {
        bail!(
            "{} is not a key of {} bytes; restore it, or remove it (whoever logged in with it logs \
             in again)",
            path.display(),
            Signer::KEY_BYTES
        );
    }
    Ok(Some(key))
}

/// Moves a key of an earlier release into the database, and creates one if there is none. Several
/// processes may do this at once.
///
/// # Errors
/// When the database does not allow it.
pub async fn prepare(
    database: &Database,
    data_dir: &Path,
    earlier: Option<Vec<u8>>,
) -> anyhow::Result<()> {
    let steps = [Migration::new("0004-signing-keys", TABLE)];
    database.migrate(SCHEMA, &steps).await?;
    let transaction = locked(database).await?;
    let is_taken_over = earlier.is_some();
    if let Some(secret) = earlier {
        // Beside other keys it only verifies, since processes may be signing with those already.
        let sql = "INSERT INTO octavo.signing_key (id, secret, replaced_at)
             SELECT $1, $2, CASE WHEN EXISTS (SELECT 1 FROM octavo.signing_key) THEN now() END
             ON CONFLICT (id) DO NOTHING";
        let key = Key::new(secret);
        transaction.execute(sql, &[&key.id, &key.secret]).await?;
    }
    let there = transaction
        .query("SELECT 1 FROM octavo.signing_key LIMIT 1", &[])
        .await?;
    if there.is_empty() {
        insert_new(&transaction).await?;
    }
    notify(&transaction).await?;
    transaction.commit().await?;
    if is_taken_over {
        rename_taken_over(data_dir)?;
    }
    Ok(())
}

/// Renames the file: otherwise a key that was removed from the database would be back at the next
/// start.
fn rename_taken_over(data_dir: &Path) -> anyhow::Result<()> {
    let [from, to]: [PathBuf; 2] = [data_dir.join(FILE), data_dir.join(FILE_TAKEN_OVER)];
    match fs::rename(&from, &to) {
        // Another process with the same directory was faster.
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other.with_context(|| {
            format!(
                "{} is in the database now and has to be put away, but cannot be renamed to {}",
                from.display(),
                to.display()
            )
        }),
    }
}

/// All keys; the one that signs comes first.
pub async fn list(database: &Database) -> anyhow::Result<Vec<Listed>> {
    let sql = format!("SELECT id, made_at, replaced_at FROM octavo.signing_key {ORDER}");
    let rows = database.query(&sql, &[]).await?;
    let listed = rows.iter().map(|row| Listed {
        id: row.get("id"),
        made_at: row.get("made_at"),
        replaced_at: row.get("replaced_at"),
    });
    Ok(listed.collect())
}

/// Creates a key that signs from now on; the others verify. Returns its id.
///
/// # Errors
/// When there are too many.
pub async fn rotate(database: &Database) -> anyhow::Result<String> {
    let transaction = locked(database).await?;
    let rows = transaction
        .query("SELECT count(*) FROM octavo.signing_key", &[])
        .await?;
    if rows
        .first()
        .is_none_or(|row| row.get::<_, i64>("count") >= KEYS_MAX)
    {
        bail!(
            "there are {KEYS_MAX} keys already; see them with `octavo key list` and remove old ones \
             with `octavo key remove ID`"
        );
    }
    let sql = "UPDATE octavo.signing_key SET replaced_at = now() WHERE replaced_at IS NULL";
    transaction.execute(sql, &[]).await?;
    let id = insert_new(&transaction).await?;
    notify(&transaction).await?;
    transaction.commit().await?;
    Ok(id)
}

/// Removes a key that no longer signs: its tokens are invalid from now on.
///
/// # Errors
/// When there is none, or it is the one that signs.
pub async fn remove(database: &Database, id: &str) -> anyhow::Result<()> {
    let transaction = locked(database).await?;
    let sql = "SELECT replaced_at IS NULL AS signs FROM octavo.signing_key WHERE id = $1";
    let rows = transaction.query(sql, &[&id]).await?;
    match rows.first().map(|row| row.get::<_, bool>("signs")) {
        None => bail!("there is no key {id}; see them with `octavo key list`"),
        Some(true) => bail!(
            "the key {id} signs; make another first with `octavo key rotate`, then remove this one"
        ),
        Some(false) => {}
    }
    let sql = "DELETE FROM octavo.signing_key WHERE id = $1";
    transaction.execute(sql, &[&id]).await?;
    notify(&transaction).await?;
    transaction.commit().await?;
    Ok(())
}

/// Removes the keys whose last token has expired. While tenants have tokens that do not expire, no
/// key is removed.
pub async fn remove_spent(
    database: &Database,
    settings: &LoginSettings,
) -> Result<(), DatabaseError> {
    if settings.legacy != LegacyTenants::Only(Vec::new()) {
        return Ok(());
    }
    let sql = "WITH spent AS (DELETE FROM octavo.signing_key
           WHERE replaced_at < now() - make_interval(secs => $1::double precision) RETURNING 1)
         SELECT pg_notify($2, '') FROM spent LIMIT 1";
    #[expect(
        clippy::cast_precision_loss,
        reason = "life times are far below 2^52 seconds"
    )]
    let seconds = settings.lifetimes.longest_seconds() as f64;
    database.query(sql, &[&seconds, &KEY_CHANNEL]).await?;
    Ok(())
}

/// Locks the table, so that processes change it one after the other.
async fn locked(database: &Database) -> Result<Transaction, DatabaseError> {
    let transaction = database.transaction().await?;
    transaction
        .execute(
            "LOCK TABLE octavo.signing_key IN SHARE ROW EXCLUSIVE MODE",
            &[],
        )
        .await?;
    Ok(transaction)
}

async fn insert_new(transaction: &Transaction) -> anyhow::Result<String> {
    let mut secret = vec![0; Signer::KEY_BYTES];
    OsRng
        .try_fill_bytes(&mut secret)
        .context("the system returned no random bytes")?;
    let key = Key::new(secret);
    let sql = "INSERT INTO octavo.signing_key (id, secret) VALUES ($1, $2)";
    transaction.execute(sql, &[&key.id, &key.secret]).await?;
    Ok(key.id)
}

async fn notify(transaction: &Transaction) -> Result<(), DatabaseError> {
    let sql = "SELECT pg_notify($1, '')";
    transaction.query(sql, &[&KEY_CHANNEL]).await?;
    Ok(())
}
