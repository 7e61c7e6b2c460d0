//! Composite users: one statement of ours, also when a remote module stores the users.

use octavo_boxed::boxed;
use octavo_platform::Call;
use octavo_records::{Search, Store};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Failure, users};
use crate::rules::parts::Parts;
use crate::store::composite::{self, ForeignUser, Form};

/// Which user is meant.
#[derive(Debug, Clone, Copy)]
pub enum Who<'a> {
    Id(Uuid),
    Name(&'a str),
}

/// A user with the requested parts.
///
/// # Errors
/// When the remote module does not answer.
#[boxed]
pub async fn one(
    call: &Call,
    store: &Store,
    who: Who<'_>,
    parts: Parts,
    form: Form,
) -> Result<Option<Value>, Failure> {
    let (database, tables) = (&store.database, call.tables());
    let Some(module) = users::keeper(call) else {
        return Ok(match who {
            Who::Id(id) => composite::by_id(database, tables, parts, form, id).await?,
            Who::Name(name) => composite::by_username(database, tables, parts, form, name).await?,
        });
    };
    let found = match who {
        Who::Id(id) => users::remote_by_id(call, &module, id).await?,
        Who::Name(name) => {
            let query = users::query(&["username"], name);
            let (found, _) = users::remote_page(call, &module, Some(&query), 0, 1).await?;
            found.into_iter().next()
        }
    };
    let given: Vec<ForeignUser> = found.into_iter().filter_map(given).collect();
    let mut shown = composite::of_given(database, tables, parts, form, &given).await?;
    Ok(shown.pop())
}

/// A page of users stored by a remote module, as a list.
///
/// # Errors
/// When the remote module does not answer.
#[boxed]
pub async fn remote_page(
    call: &Call,
    module: &octavo_platform::RemoteInterface,
    search: Search<'_>,
    parts: Parts,
) -> Result<Value, Failure> {
    let (query, offset, limit) = (search.query, search.offset, search.limit);
    let (found, total) = users::remote_page(call, module, query, offset, limit).await?;
    let store = call.store();
    let given: Vec<ForeignUser> = found.into_iter().filter_map(given).collect();
    let shown = match given.is_empty() {
        true => Vec::new(),
        false => {
            let tables = call.tables();
            composite::of_given(&store.database, tables, parts, Form::Listed, &given).await?
        }
    };
    Ok(json!({"compositeUsers": shown, "totalRecords": total}))
}

fn given(document: Value) -> Option<ForeignUser> {
    let id = |name: &str| Uuid::try_parse(document[name].as_str()?).ok();
    Some(ForeignUser {
        id: id("id")?,
        patron_group: id("patronGroup"),
        document,
    })
}
