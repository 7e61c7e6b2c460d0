//! Uploads of exports to the server of their configuration, and the trial of its credentials.

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::fetch;
use octavo_records::{Context, OperationError, Refusal, StoreError};
use uuid::Uuid;

use crate::rules::document::Document;
use crate::rules::upload_target::{Target, login, target};
use crate::store::exports::{
    credentials_read, forget_server_key, keep_server_key, server_key, stay_idle,
};
use crate::transfer::{self, File, TRANSFER_MAX};

const CONFIGURATIONS: &str = "batch_voucher_export_configs";

/// What became of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uploaded {
    Yes,
    /// Something is missing; FOLIO's message.
    Incomplete(&'static str),
    /// The server could not be reached, or refused.
    Failed(String),
}

/// Uploads a file as a configuration says.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn upload(
    context: &Context<'_>,
    transaction: &Transaction,
    (id, configuration): (Uuid, &Document),
    file: File<'_>,
) -> Result<Uploaded, StoreError> {
    let tables = context.tables();
    let credentials = credentials_read(transaction, tables, id).await?;
    let wanted = login(credentials.as_ref()).and_then(|login| Ok((login, target(configuration)?)));
    let (login, target) = match wanted {
        Ok(wanted) => wanted,
        Err(message) => return Ok(Uploaded::Incomplete(message)),
    };
    let server = server_of(&target);
    let known = server_key(transaction, tables, id, &server).await?;
    // The export stays locked meanwhile, so that it is not uploaded twice at once.
    stay_idle(transaction, TRANSFER_MAX).await?;
    match transfer::send(&target, &login, known, file).await {
        Ok(seen) => {
            if let Some(seen) = seen {
                keep_server_key(transaction, tables, id, &server, &seen).await?;
            }
            Ok(Uploaded::Yes)
        }
        Err(error) => Ok(Uploaded::Failed(error.to_string())),
    }
}

/// Why credentials cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable(pub String);

impl Refusal for Unusable {}

/// Logs in as a configuration says; returns the server.
///
/// # Errors
/// When there is no such configuration, something of it is missing, or its server refuses.
#[boxed]
pub async fn try_credentials(
    context: &Context<'_>,
    id: Uuid,
) -> Result<String, OperationError<Unusable>> {
    let (database, tables) = (&context.store.database, context.tables());
    let collection = context.collection(CONFIGURATIONS);
    let found = fetch(database, context.tenant, collection, id).await?;
    let configuration = found.and_then(|found| found.as_object().cloned());
    let configuration = configuration.ok_or(StoreError::NotFound)?;
    let credentials = credentials_read(database, tables, id).await?;
    let unusable = |message: &str| Unusable(message.to_owned());
    let login = login(credentials.as_ref()).map_err(unusable)?;
    let target = target(&configuration).map_err(unusable)?;
    let server = server_of(&target);
    let known = server_key(database, tables, id, &server).await?;
    let tried = transfer::log_in(&target, &login, known).await;
    let seen = tried.map_err(|error| Unusable(error.to_string()))?;
    if let Some(seen) = seen {
        keep_server_key(database, tables, id, &server, &seen).await?;
    }
    Ok(server)
}

/// Asks for the key of a configuration's server anew: somebody has saved its credentials.
///
/// # Errors
/// When the database does not answer.
#[boxed]
pub async fn trust_anew(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
) -> Result<(), StoreError> {
    forget_server_key(transaction, context.tables(), id).await
}

/// A server whose key is kept.
fn server_of(target: &Target) -> String {
    format!("{}:{}", target.host, target.port)
}
