//! `octavo key`: the keys that tokens are signed with, rotated without logging anyone out.

use std::process::ExitCode;

use clap::Subcommand;

use super::tenant::command_options;
use crate::database::Host;
use crate::database_args::DatabaseArgs;
use crate::key;

/// Rotate and list the keys that tokens are signed with.
///
/// The keys are in the database; with one of them, a person can act as any user. The newest key signs.
/// Older ones verify the tokens that they signed, so that a rotation logs nobody out: rotate every few
/// months, and when somebody leaves who could read the database or a backup of it. Running servers use
/// the new key at once.
///
/// All expiring tokens are invalid after the lifetime of the longest refresh token (7 days, or as set
/// in TOKEN_EXPIRATION_SECONDS). Servers with --no-legacy-tokens remove a key that long after it was
/// replaced. Tokens of /authn/login do not expire: where these are allowed, a key verifies until it is
/// removed.
///
/// After a key was disclosed:
///
///   octavo key rotate
///   octavo key list
///   octavo key remove ID   (everyone whose token it signed has to log in again)
///
/// In a copy of an installation, before it is used (otherwise each accepts the other's tokens):
///
///   octavo key rotate --remove-others
#[derive(Debug, Subcommand)]
#[command(verbatim_doc_comment)]
pub enum KeyCommand {
    /// Create a key that signs from now on. Nobody is logged out.
    Rotate {
        /// Remove all other keys: everyone has to log in again. For a copy of an installation
        #[arg(long)]
        remove_others: bool,
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// List the keys: when each was created, and whether it signs.
    List {
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
    /// Remove a replaced key. Everyone whose token it signed has to log in again.
    Remove {
        /// The key, as `octavo key list` names it
        id: String,
        /// Which database to use
        #[command(flatten)]
        database: DatabaseArgs,
    },
}

/// Runs the command.
///
/// # Errors
/// A message with the remedy.
pub async fn run(command: KeyCommand) -> anyhow::Result<ExitCode> {
    match command {
        KeyCommand::Rotate {
            remove_others,
            database,
        } => {
            let host = Host::open(&database, command_options()).await?;
            let keys = &host.platform.store.database;
            let id = key::rotate(keys).await?;
            if remove_others {
                for other in key::list(keys).await?.iter().filter(|key| key.id != id) {
                    key::remove(keys, &other.id).await?;
                }
                println!("key {id} alone signs and verifies from now on; everyone logs in again");
            } else {
                println!("key {id} signs from now on; older ones verify what they signed");
            }
            host.close().await;
        }
        KeyCommand::List { database } => {
            let host = Host::open(&database, command_options()).await?;
            let keys = key::list(&host.platform.store.database).await?;
            println!("{:<18}{:<22}use", "id", "created");
            for key in keys {
                let role = match key.replaced_at {
                    None => "signs and verifies".to_owned(),
                    Some(at) => format!("verifies; replaced {}", at.strftime("%Y-%m-%d %H:%M:%S")),
                };
                let made = key.made_at.strftime("%Y-%m-%d %H:%M:%S").to_string();
                println!("{:<18}{made:<22}{role}", key.id);
            }
            host.close().await;
        }
        KeyCommand::Remove { id, database } => {
            let host = Host::open(&database, command_options()).await?;
            key::remove(&host.platform.store.database, &id).await?;
            println!("key {id} is removed; its tokens are worth nothing from now on");
            host.close().await;
        }
    }
    Ok(ExitCode::SUCCESS)
}
