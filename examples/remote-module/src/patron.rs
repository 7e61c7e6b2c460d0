//! `GET /reading-lists/{id}/patron`: the patron of a list, requested from the module that provides
//! `users`. The call goes through the gateway with the token that the module received, which has
//! the permissions of the route's `modulePermissions`: the user need not have them.

use http::StatusCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::Module;
use crate::answer::{self, Refusal, Response};
use crate::caller::Caller;
use crate::lists;

/// The patron of a list.
pub async fn of_list(module: &Module, caller: &Caller, id: &str) -> Result<Response, Refusal> {
    let list = lists::find(module, caller, id)?;
    let user = match (list.patron_id, &list.patron_barcode) {
        (Some(id), _) => module.okapi.get(caller, &format!("/users/{id}")).await?,
        (None, Some(barcode)) => {
            let page = module.okapi.get(caller, &by_barcode(barcode)).await?;
            page.and_then(|mut page| page["users"].get_mut(0).map(Value::take))
        }
        (None, None) => None,
    };
    let user = user.ok_or_else(|| {
        Refusal::Text(
            StatusCode::NOT_FOUND,
            format!("The list {} has no patron", list.id),
        )
    })?;
    let patron = json!({
        "listId": list.id,
        "id": user["id"],
        "username": user["username"],
        "lastName": user["personal"]["lastName"],
    });
    Ok(answer::json(StatusCode::OK, &patron))
}

/// A CQL query for a barcode in which every character is literal.
fn by_barcode(barcode: &str) -> String {
    let mut cql = String::from("barcode==\"");
    for character in barcode.chars() {
        if matches!(character, '"' | '\\' | '*' | '?' | '^') {
            cql.push('\\');
        }
        cql.push(character);
    }
    cql.push('"');
    let cql = utf8_percent_encode(&cql, NON_ALPHANUMERIC);
    format!("/users?query={cql}&limit=1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barcode_is_no_query() {
        assert_eq!(
            by_barcode("1*\" or x"),
            "/users?query=barcode%3D%3D%221%5C%2A%5C%22%20or%20x%22&limit=1"
        );
    }
}
