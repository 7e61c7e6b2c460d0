//! `/reading-lists`: FOLIO's five routes of a record type. The gateway has checked the permissions.
//! The module itself limits users to their own lists, unless the gateway reports that they have the
//! desired permission for the lists of others.

use http::{Request, StatusCode, Uri};
use hyper::body::Incoming;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::Module;
use crate::answer::{self, Refusal, Response};
use crate::caller::Caller;
use crate::descriptor::SEE_ALL;
use crate::shelves::{ReadingList, put};

/// The default number of lists in a page.
const LIMIT: usize = 10;

pub fn page(module: &Module, caller: &Caller, uri: &Uri) -> Result<Response, Refusal> {
    let query = uri.query().unwrap_or_default();
    if parameter(query, "query").is_some() {
        return Err(Refusal::bad_request(
            "reading lists cannot be searched; leave the parameter query out",
        ));
    }
    let (offset, limit) = (number(query, "offset", 0)?, number(query, "limit", LIMIT)?);
    let page = module.shelves.of(&caller.tenant, |shelf| {
        let seen = || shelf.values().filter(|list| may_see(caller, list));
        let lists: Vec<&ReadingList> = seen().skip(offset).take(limit).collect();
        Ok(json!({"readingLists": lists, "totalRecords": seen().count()}))
    })?;
    Ok(answer::json(StatusCode::OK, &page))
}

/// Creates a list, which the caller owns.
pub async fn create(
    module: &Module,
    caller: &Caller,
    request: Request<Incoming>,
) -> Result<Response, Refusal> {
    let mut list: ReadingList = answer::body(request).await?;
    list.check()?;
    list.owner_id = caller.user_id.clone();
    let (shown, id) = (document(&list), list.id);
    module
        .shelves
        .of(&caller.tenant, |shelf| put(shelf, list))?;
    Ok(answer::created(&shown, &format!("/reading-lists/{id}")))
}

pub fn read(module: &Module, caller: &Caller, id: &str) -> Result<Response, Refusal> {
    let list = find(module, caller, id)?;
    Ok(answer::json(StatusCode::OK, &document(&list)))
}

/// Replaces a list; the owner stays.
pub async fn replace(
    module: &Module,
    caller: &Caller,
    id: &str,
    request: Request<Incoming>,
) -> Result<Response, Refusal> {
    let mut list: ReadingList = answer::body(request).await?;
    list.check()?;
    list.id = uuid(id)?;
    module.shelves.of(&caller.tenant, |shelf| {
        let stored = shelf.get_mut(&list.id);
        let stored = stored.filter(|stored| may_see(caller, stored));
        let stored = stored.ok_or_else(Refusal::not_found)?;
        list.owner_id = stored.owner_id.take();
        *stored = list;
        Ok(())
    })?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

pub fn delete(module: &Module, caller: &Caller, id: &str) -> Result<Response, Refusal> {
    let id = uuid(id)?;
    module.shelves.of(&caller.tenant, |shelf| {
        let known = shelf.get(&id).is_some_and(|list| may_see(caller, list));
        if !known {
            return Err(Refusal::not_found());
        }
        shelf.remove(&id);
        Ok(())
    })?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}

/// A list that the caller may see.
///
/// # Errors
/// 400 when the id is not a UUID, 404 when there is no such list.
pub fn find(module: &Module, caller: &Caller, id: &str) -> Result<ReadingList, Refusal> {
    let id = uuid(id)?;
    module.shelves.of(&caller.tenant, |shelf| {
        let list = shelf.get(&id).filter(|list| may_see(caller, list));
        list.cloned().ok_or_else(Refusal::not_found)
    })
}

/// Whether the caller owns the list, nobody owns it, or the caller may see all.
fn may_see(caller: &Caller, list: &ReadingList) -> bool {
    list.owner_id.is_none() || list.owner_id == caller.user_id || caller.has(SEE_ALL)
}

fn document(list: &ReadingList) -> Value {
    json!(list)
}

fn uuid(text: &str) -> Result<Uuid, Refusal> {
    Uuid::try_parse(text).map_err(|_| {
        let shown: String = text.chars().take(100).collect();
        Refusal::bad_request(format!("{shown} is not a UUID"))
    })
}

/// The raw value of a query parameter.
pub fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .filter(|(key, _)| *key == name)
        .map(|(_, value)| value)
        .next()
}

/// A numeric query parameter.
///
/// # Errors
/// 400 naming the parameter and its value.
pub fn number<N: std::str::FromStr>(query: &str, name: &str, default: N) -> Result<N, Refusal> {
    let Some(text) = parameter(query, name) else {
        return Ok(default);
    };
    text.parse().map_err(|_| {
        let shown: String = text.chars().take(100).collect();
        Refusal::bad_request(format!(
            "{name} must be a whole number, and is not: {shown}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_or_refused() {
        assert_eq!(number("limit=7&offset=x", "limit", 10usize), Ok(7));
        assert_eq!(number("", "limit", 10usize), Ok(10));
        assert!(number("limit=-1", "limit", 10usize).is_err());
        assert!(number("limit=", "limit", 10usize).is_err());
    }

    #[test]
    fn users_see_their_own_lists_and_with_the_permission_all() {
        let caller = |user: Option<&str>, permissions: &[&str]| Caller {
            tenant: "diku".to_owned(),
            token: None,
            url: None,
            user_id: user.map(str::to_owned),
            request_id: None,
            permissions: permissions.iter().map(|&one| one.to_owned()).collect(),
        };
        let owned = |owner: Option<&str>| ReadingList {
            id: Uuid::nil(),
            name: "x".to_owned(),
            patron_id: None,
            patron_barcode: None,
            item_ids: Vec::new(),
            done: false,
            owner_id: owner.map(str::to_owned),
        };
        assert!(may_see(&caller(Some("ada"), &[]), &owned(Some("ada"))));
        assert!(!may_see(&caller(Some("ada"), &[]), &owned(Some("bob"))));
        assert!(!may_see(&caller(None, &[]), &owned(Some("bob"))));
        assert!(may_see(&caller(None, &[]), &owned(None)));
        assert!(may_see(
            &caller(Some("ada"), &[SEE_ALL]),
            &owned(Some("bob"))
        ));
    }
}
