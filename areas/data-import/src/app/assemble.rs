//! Files in parts, by links that need no token: FOLIO has them sent to an object storage, here they come
//! to this server. Each part is kept by itself until all are put together.

use octavo_platform::Upload;
use octavo_records::instant;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::upload::{FILE_BYTES_MAX, NotTaken, Portions, write_portions};
use super::{Context, Refusal};
use crate::store::files;
use crate::store::parts::{self, Part};

/// Uploads of a tenant that are under way at the same time.
const UPLOADS_MAX: i64 = 1_000;
/// Parts of one file, as in object storages.
pub(crate) const PARTS_MAX: i64 = 10_000;
/// How long a link holds, in seconds.
const LINK_SECONDS: i64 = 6 * 60 * 60;
/// Characters of a file's name in its key.
const NAME_CHARS_MAX: usize = 200;

/// Where a part is sent to.
#[derive(Debug)]
pub(crate) struct UploadPart {
    pub upload: Uuid,
    pub key: String,
    pub number: i32,
    pub secret: String,
}

/// Begins an upload; gives where its first part is sent to.
pub(crate) async fn begin(context: &Context<'_>, name: &str) -> Result<UploadPart, Refusal> {
    let name: String = name.chars().take(NAME_CHARS_MAX).collect();
    let tenant = context.tenant;
    let milliseconds = context.stamp.at.as_millisecond();
    let key = format!("{}{milliseconds}-{name}", folder(tenant.id()));
    let upload = Uuid::new_v4();
    let database = &context.store.database;
    if !parts::begin(database, tenant, upload, &key, UPLOADS_MAX).await? {
        return Err(Refusal::ManyUploads(UPLOADS_MAX));
    }
    place(context, upload, key, 1).await
}

/// Where another part is sent to.
pub(crate) async fn place(
    context: &Context<'_>,
    upload: Uuid,
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

/// Keys begin like this.
fn folder(tenant: &str) -> String {
    format!("data-import/{tenant}/")
}

/// Takes a part from whoever has the link; returns its tag. It replaces what came of it before. Nothing
/// is read unless the link holds.
pub(crate) async fn take(
    context: &Context<'_>,
    (upload, number): (Uuid, i32),
    secret: &str,
    coming: Upload,
) -> Result<String, NotTaken> {
    let (database, tenant) = (&context.store.database, context.tenant);
    let (file, at) = (Uuid::new_v4(), (upload, number));
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
    upload: Uuid,
    number: i32,
    file: Uuid,
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

/// Makes all parts of an upload the file of a definition. `tags` are those of the parts, in their order.
pub(crate) async fn assemble(
    context: &Context<'_>,
    (definition, file): (Uuid, Uuid),
    (upload, key): (Uuid, &str),
    tags: &[String],
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let tenant = context.tenant;
    let mut document = super::upload::held(context, &transaction, definition).await?;
    let one = super::upload::awaited(&mut document, file)?;
    let come = parts::hold(&transaction, tenant, upload, key).await?;
    let come = come.ok_or_else(|| Refusal::NoParts(key.to_owned()))?;
    refuse_others(&come, tags)?;
    // What an attempt before left under the file's own id.
    files::remove(&transaction, tenant, &[file]).await?;
    let (mut portions, mut bytes) = (0, 0);
    for part in &come {
        parts::append(&transaction, tenant, part.file, file, portions, bytes).await?;
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

/// The parts that came must be those that the client names: all, and none that another sent meanwhile.
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
            file: Uuid::nil(),
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
