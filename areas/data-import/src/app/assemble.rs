//! Multipart uploads by links without a token: in FOLIO clients send them to an object storage, here to
//! this server. Each part is stored separately until all are assembled.

use octavo_library::{FileDefinitionId, MultipartUploadId, StoredFileId, UploadDefinitionId};
use octavo_platform::Upload;
use octavo_records::instant;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::upload::{FILE_BYTES_MAX, NotTaken, Portions, write_portions};
use super::{Context, Refusal};
use crate::store::files;
use crate::store::parts::{self, Part};

/// Maximal number of a tenant's running uploads.
const UPLOADS_MAX: i64 = 1_000;
/// Parts of one file, as in object storages.
pub(crate) const PARTS_MAX: i64 = 10_000;
/// The lifetime of a link, in seconds.
const LINK_SECONDS: i64 = 6 * 60 * 60;
/// Characters of a file's name in its key.
const NAME_CHARS_MAX: usize = 200;

/// The link for a part.
#[derive(Debug)]
pub(crate) struct UploadPart {
    pub upload: MultipartUploadId,
    pub key: String,
    pub number: i32,
    pub secret: String,
}

/// Begins an upload; returns the link for its first part.
pub(crate) async fn begin(context: &Context<'_>, name: &str) -> Result<UploadPart, Refusal> {
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let tenant = context.tenant;
    let milliseconds = context.stamp.at.as_millisecond();
    let key = format!("{}{milliseconds}-{name}", folder(tenant.id()));
    let upload = MultipartUploadId::from(Uuid::new_v4());
    let database = &context.store.database;
    if !parts::begin(database, tenant, upload, &key, UPLOADS_MAX).await? {
        return Err(Refusal::ManyUploads(UPLOADS_MAX));
    }
    place(context, upload, key, 1).await
}

/// The link for another part.
pub(crate) async fn place(
    context: &Context<'_>,
    upload: MultipartUploadId,
    key: String,
    number: i32,
) -> Result<UploadPart, Refusal> {
    let secret = format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple());
    let (database, tenant) = (&context.store.database, context.tenant);
    let named = (upload, key.as_str());
    if !parts::link(database, tenant, named, number, &secret, LINK_SECONDS).await? {
        return Err(Refusal::NoParts(key));
    }
    Ok(UploadPart {
        upload,
        key,
        number,
        secret,
    })
}

/// The prefix of keys.
fn folder(tenant: &str) -> String {
    format!("data-import/{tenant}/")
}

/// Receives a part by its link; returns its tag. It replaces an earlier upload of the part. Nothing is
/// read unless the link is valid.
pub(crate) async fn take(
    context: &Context<'_>,
    (upload, number): (MultipartUploadId, i32),
    secret: &str,
    coming: Upload,
) -> Result<String, NotTaken> {
    let (database, tenant) = (&context.store.database, context.tenant);
    let (file, at) = (StoredFileId::from(Uuid::new_v4()), (upload, number));
    if !parts::comes(database, tenant, at, secret, file).await? {
        return Err(Refusal::LinkOver.into());
    }
    let others = parts::bytes_of_others(database, tenant, at).await?;
    let room = FILE_BYTES_MAX.saturating_sub(others.unsigned_abs());
    let mut digest = Sha256::new();
    let taken = match write_portions(context, file, &coming, room, &mut |piece| {
        digest.update(piece);
    })
    .await
    {
        Ok(portions) => keep(context, upload, number, file, portions, digest).await,
        Err(reason) => Err(reason),
    };
    if taken.is_err() {
        files::remove(database, tenant, &[file]).await?;
    }
    taken
}

async fn keep(
    context: &Context<'_>,
    upload: MultipartUploadId,
    number: i32,
    file: StoredFileId,
    portions: Portions,
    digest: Sha256,
) -> Result<String, NotTaken> {
    let (database, tenant) = (&context.store.database, context.tenant);
    let tag = digest.finalize()[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let part = Part {
        number,
        file,
        bytes: portions.bytes,
        portions: portions.number,
        tag,
    };
    match parts::came(database, tenant, upload, &part).await? {
        None => Err(Refusal::LinkOver.into()),
        Some(before) => {
            files::remove(database, tenant, &Vec::from_iter(before)).await?;
            Ok(part.tag)
        }
    }
}

/// Assembles the parts of an upload into the file of a definition. `tags` are those of the parts, in
/// order.
pub(crate) async fn assemble(
    context: &Context<'_>,
    (definition, file): (UploadDefinitionId, FileDefinitionId),
    (upload, key): (MultipartUploadId, &str),
    tags: &[String],
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let tenant = context.tenant;
    let mut document = super::upload::held(context, &transaction, definition).await?;
    let one = super::upload::awaited(&mut document, file)?;
    let come = parts::hold(&transaction, tenant, upload, key).await?;
    let come = come.ok_or_else(|| Refusal::NoParts(key.to_owned()))?;
    refuse_others(&come, tags)?;
    // The assembled bytes are stored under the file's own id, so that a repeated attempt replaces
    // those of an earlier one.
    let stored = StoredFileId::from(file.uuid());
    files::remove(&transaction, tenant, &[stored]).await?;
    let (mut portions, mut bytes) = (0, 0);
    for part in &come {
        parts::append(&transaction, tenant, part.file, stored, portions, bytes).await?;
        portions += part.portions;
        bytes += part.bytes;
    }
    parts::end(&transaction, tenant, upload).await?;
    let now = instant::format(context.stamp.at);
    super::upload::mark_uploaded(one, bytes, &now);
    one["sourcePath"] = serde_json::json!(key);
    super::upload::keep_uploaded(context, transaction, definition, file, document).await?;
    Ok(())
}

/// The received parts must be exactly those that the client names, and not replaced meanwhile.
fn refuse_others(come: &[Part], tags: &[String]) -> Result<(), Refusal> {
    let tag = |text: &str| text.trim().trim_matches('"').to_owned();
    let named = tags.len() == come.len()
        && !come.is_empty()
        && (1..)
            .zip(come.iter().zip(tags))
            .all(|(number, (part, sent))| part.number == number && part.tag == tag(sent));
    if named {
        return Ok(());
    }
    Err(Refusal::OtherParts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_that_came_are_those_that_are_named() {
        let part = |number, tag: &str| Part {
            number,
            file: StoredFileId::default(),
            bytes: 1,
            portions: 1,
            tag: tag.to_owned(),
        };
        let come = [part(1, "a"), part(2, "b")];
        let fits = |come: &[Part], tags: &[&str]| {
            let tags: Vec<String> = tags.iter().map(|tag| (*tag).to_owned()).collect();
            refuse_others(come, &tags).is_ok()
        };
        assert!(fits(&come, &["\"a\"", "b"]));
        assert!(!fits(&come, &["a"]));
        assert!(!fits(&come, &["b", "a"]));
        assert!(!fits(&come, &["a", "b", "c"]));
        assert!(!fits(&[part(2, "a")], &["a"]), "the first has not come");
        assert!(!fits(&[], &[]));
    }
}
