//! Profile pictures: stored, read, removed, and unused ones deleted.

use octavo_boxed::boxed;
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use super::UserContext;
use crate::rules::picture::{self, FileRefusal, PictureSettings};
use crate::store::pictures;

/// Pictures that one statement of the clean-up examines.
const PORTION: i64 = 1_000;
/// A client stores a picture before it stores the user who refers to it: younger ones are not unused
/// yet.
const YOUNG_SECONDS: f64 = 3_600.0;

/// Why a picture is not stored or shown.
#[derive(Debug)]
pub enum PictureRefusal {
    /// Profile pictures are not enabled.
    Disabled,
    /// The library wants an object storage, which this server does not support.
    ObjectStorage,
    /// There is no encryption key.
    NoKey,
    /// The file is not taken.
    File(FileRefusal),
    /// There is no such picture.
    NotFound,
    /// It cannot be decrypted with the key.
    Unreadable,
    /// A database error.
    Store(StoreError),
}

impl From<StoreError> for PictureRefusal {
    fn from(error: StoreError) -> PictureRefusal {
        PictureRefusal::Store(error)
    }
}

/// The settings, if pictures are enabled.
async fn settings(context: &UserContext<'_>) -> Result<PictureSettings, PictureRefusal> {
    // Read from the primary: a client may use pictures right after it enabled them.
    let database = &context.store.database;
    let setting = pictures::setting(database, context.tenant).await?;
    let settings = PictureSettings::of(&setting.unwrap_or_default()["value"]);
    match settings.enabled {
        false => Err(PictureRefusal::Disabled),
        true => Ok(settings),
    }
}

fn key_for(settings: &PictureSettings) -> Result<&str, PictureRefusal> {
    match &settings.key {
        _ if settings.object_storage => Err(PictureRefusal::ObjectStorage),
        Some(key) if !key.is_empty() => Ok(key),
        _ => Err(PictureRefusal::NoKey),
    }
}

/// Stores a picture; returns its id.
#[boxed]
pub async fn add(context: &UserContext<'_>, file: &[u8]) -> Result<Uuid, PictureRefusal> {
    let id = Uuid::new_v4();
    let sealed = sealed(context, file, id).await?;
    let database = &context.store.database;
    pictures::add(database, context.tenant, id, &sealed).await?;
    Ok(id)
}

/// Replaces a picture.
#[boxed]
pub async fn replace(
    context: &UserContext<'_>,
    id: Option<Uuid>,
    file: &[u8],
) -> Result<Uuid, PictureRefusal> {
    let sealed_for = id.unwrap_or_default();
    let sealed = sealed(context, file, sealed_for).await?;
    let id = id.ok_or(PictureRefusal::NotFound)?;
    let database = &context.store.database;
    match pictures::replace(database, context.tenant, id, &sealed).await? {
        true => Ok(id),
        false => Err(PictureRefusal::NotFound),
    }
}

async fn sealed(
    context: &UserContext<'_>,
    file: &[u8],
    id: Uuid,
) -> Result<Vec<u8>, PictureRefusal> {
    picture::check_kind(file).map_err(PictureRefusal::File)?;
    let settings = settings(context).await?;
    picture::check_size(file, settings.megabytes_max).map_err(PictureRefusal::File)?;
    let key = key_for(&settings)?;
    picture::seal(file, key, id).ok_or(PictureRefusal::NoKey)
}

/// A picture as it was sent.
#[boxed]
pub async fn show(context: &UserContext<'_>, id: Option<Uuid>) -> Result<Vec<u8>, PictureRefusal> {
    let settings = settings(context).await?;
    let key = key_for(&settings)?;
    let id = id.ok_or(PictureRefusal::NotFound)?;
    let database = &context.store.database;
    let sealed = pictures::one(database, context.tenant, id).await?;
    let sealed = sealed.ok_or(PictureRefusal::NotFound)?;
    picture::open(&sealed, key, id).ok_or(PictureRefusal::Unreadable)
}

#[boxed]
pub async fn remove(context: &UserContext<'_>, id: Option<Uuid>) -> Result<(), PictureRefusal> {
    settings(context).await?;
    let id = id.ok_or(PictureRefusal::NotFound)?;
    let database = &context.store.database;
    match pictures::remove(database, context.tenant, id).await? {
        true => Ok(()),
        false => Err(PictureRefusal::NotFound),
    }
}

/// The setting as `/users/configurations/entry` shows it; `None` when there is none.
#[boxed]
pub async fn configuration(context: &UserContext<'_>) -> Result<Option<Value>, StoreError> {
    let database = &context.store.database;
    let setting = pictures::setting(database, context.tenant).await?;
    Ok(setting.map(|setting| {
        let mut shown = serde_json::Map::new();
        shown.insert("id".to_owned(), setting["id"].clone());
        shown.insert("configName".to_owned(), Value::from(pictures::SETTING));
        if let Value::Object(value) = &setting["value"] {
            shown.extend(value.clone());
        }
        if !setting["metadata"].is_null() {
            shown.insert("metadata".to_owned(), setting["metadata"].clone());
        }
        Value::Object(shown)
    }))
}

/// Removes pictures that no user has; returns how many. Where pictures are disabled nothing is removed.
#[boxed]
pub async fn clear_unused(context: &UserContext<'_>) -> Result<i64, StoreError> {
    match settings(context).await {
        Ok(_) => {}
        Err(PictureRefusal::Store(error)) => return Err(error),
        Err(_) => return Ok(0),
    }
    let (database, tenant) = (&context.store.database, context.tenant);
    let (mut behind, mut gone) = (Uuid::nil(), 0);
    while let Some((reached, some)) =
        pictures::remove_unused(database, tenant, behind, PORTION, YOUNG_SECONDS).await?
    {
        behind = reached;
        gone += some;
    }
    Ok(gone)
}
