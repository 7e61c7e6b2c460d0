//! One request as its handler receives it, with the results of the stages before.

pub mod remote;
pub(crate) mod system;

use std::net::IpAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use octavo_jobs::Work;
use octavo_records::{
    Collection, Context, Search, Stamp, Store, StoreError, Tables, Tenant, Totals, Violation,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::audit;
use crate::error::ApiError;
use crate::gateway::body;
use crate::identity::Identity;
use crate::platform::Platform;
use crate::registry::TenantView;
use crate::timing::Timing;
use crate::upload::Upload;

#[derive(Clone)]
pub struct Call {
    /// The platform that serves it.
    pub platform: Arc<Platform>,
    pub tenant: Tenant,
    /// The tenant with its enabled modules.
    pub view: Arc<TenantView>,
    /// The user; absent on public routes without a token.
    pub identity: Option<Identity>,
    /// The values of the pattern's segments, in order.
    pub path: Vec<(String, String)>,
    /// The query string as sent, without the question mark.
    pub query: String,
    /// The headers as sent.
    pub headers: HeaderMap,
    /// The client's address; none for calls of the platform itself.
    pub address: Option<IpAddr>,
    /// The whole body.
    pub body: Bytes,
    /// Collects the durations of the stages.
    pub timing: Timing,
    /// The store of the replica that serves this read.
    pub(crate) reader: Option<Store>,
    /// The body of a streaming route.
    pub(crate) incoming: Option<Upload>,
}

impl std::fmt::Debug for Call {
    /// Leaves out headers, query and body: they hold tokens and patron data.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("tenant", &self.tenant.id())
            .finish_non_exhaustive()
    }
}

impl Call {
    /// The record store. In a GET it may be that of a replica, which has everything that the caller
    /// may have seen, and refuses writes and transactions.
    #[must_use]
    pub fn store(&self) -> &Store {
        self.reader.as_ref().unwrap_or(&self.platform.store)
    }

    /// The record store on the writer, for what a replica cannot provide (the state of a sequence)
    /// or could abort (a streamed response).
    #[must_use]
    pub fn writer(&self) -> &Store {
        &self.platform.store
    }

    /// Has the tenant's jobs of a queue done in the background. To be called after the commit that added one.
    pub fn begin_work(&self, work: Arc<dyn Work>) {
        let workers = &self.platform.workers;
        workers.begin(self.writer(), &self.tenant, work);
    }

    /// The user's id, when there is a user.
    #[must_use]
    pub fn user_id(&self) -> Option<Uuid> {
        self.identity.as_ref().and_then(|identity| identity.user_id)
    }

    /// The user and the instant for `metadata`.
    #[must_use]
    pub fn stamp(&self) -> Stamp {
        Stamp::now(self.user_id())
    }

    /// The context for an operation of this request. In a GET its store may be that of a replica,
    /// as for [`Call::store`].
    #[must_use]
    pub fn context(&self) -> Context<'_> {
        Context {
            store: self.store(),
            tenant: &self.tenant,
            stamp: self.stamp(),
        }
    }

    /// The context with the store on the writer.
    #[must_use]
    pub fn writer_context(&self) -> Context<'_> {
        Context {
            store: self.writer(),
            ..self.context()
        }
    }

    #[must_use]
    pub fn tables(&self) -> Tables<'_> {
        Tables {
            tenant: &self.tenant,
            catalog: &self.platform.store.catalog,
        }
    }

    /// The collection of a table.
    ///
    /// # Panics
    /// When no area declares the table, which is an error in the handler and not in a request.
    #[must_use]
    pub fn collection(&self, table: &str) -> &Arc<Collection> {
        self.platform.store.catalog.declared(table)
    }

    /// The value of a path segment by its name in the pattern.
    #[must_use]
    pub fn segment(&self, name: &str) -> &str {
        self.path
            .iter()
            .find(|(key, _)| key == name)
            .map_or("", |(_, value)| value.as_str())
    }

    /// The `{id}` of the path.
    ///
    /// # Errors
    /// 400 as FOLIO words it, when it is not a UUID.
    pub fn id(&self) -> Result<Uuid, ApiError> {
        let text = self.path.last().map_or("", |(_, value)| value.as_str());
        if text.len() == 36
            && let Ok(id) = Uuid::try_parse(text)
        {
            return Ok(id);
        }
        let shown: String = text.chars().take(100).collect();
        Err(ApiError::bad_request(format!(
            "'id' parameter is incorrect. parameter value {{{shown}}} is not valid: must be a UUID"
        )))
    }

    /// A parameter of the query string, decoded; an empty value counts as given.
    ///
    /// # Errors
    /// 400 when it is not valid percent-encoded UTF-8.
    pub fn parameter(&self, name: &str) -> Result<Option<String>, ApiError> {
        for pair in self.query.split('&') {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            if key == name {
                return decode(value)
                    .map(Some)
                    .ok_or_else(|| incorrect(name, value, NOT_TEXT));
            }
        }
        Ok(None)
    }

    /// All values of a parameter that may be given more than once, decoded.
    ///
    /// # Errors
    /// 400 when one is not valid percent-encoded UTF-8.
    pub fn parameters(&self, name: &str) -> Result<Vec<String>, ApiError> {
        let pairs = self
            .query
            .split('&')
            .filter_map(|pair| pair.split_once('='));
        pairs
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| decode(value).ok_or_else(|| incorrect(name, value, NOT_TEXT)))
            .collect()
    }

    /// `query`, `offset`, `limit` and `totalRecords` as FOLIO reads them.
    ///
    /// # Errors
    /// 400 naming the parameter and its value.
    pub fn paging(&self) -> Result<Paging, ApiError> {
        self.paging_with_default(10)
    }

    /// [`Call::paging`] for an interface whose default limit is not 10.
    ///
    /// # Errors
    /// 400 naming the parameter and its value.
    pub fn paging_with_default(&self, default_limit: i64) -> Result<Paging, ApiError> {
        Ok(Paging {
            query: self.parameter("query")?,
            offset: self.number("offset", 0, 0)?,
            limit: self.number("limit", default_limit, 0)?,
            totals: match self.only("totalRecords")?.as_deref() {
                None | Some("auto") => Totals::Auto,
                Some("exact") => Totals::Exact,
                Some("estimated") => Totals::Estimated,
                Some("none") => Totals::None,
                Some(other) => {
                    let expected = "must be exact, estimated, none or auto";
                    return Err(incorrect("totalRecords", other, expected));
                }
            },
        })
    }

    /// A parameter that is an integer of at least `least`, given once.
    ///
    /// # Errors
    /// 400 naming the parameter and its value.
    pub fn number(&self, name: &str, default: i64, least: i64) -> Result<i64, ApiError> {
        let Some(text) = self.only(name)? else {
            return Ok(default);
        };
        whole_number(&text)
            .filter(|number| *number >= least)
            .ok_or_else(|| {
                let expected = format!("must be a whole number from {least} to 2147483647");
                incorrect(name, &text, &expected)
            })
    }

    /// A parameter that may be given only once.
    fn only(&self, name: &str) -> Result<Option<String>, ApiError> {
        let mut values = self.parameters(name)?;
        match values.len() {
            0 => self.parameter(name),
            1 => Ok(values.pop()),
            _ => Err(incorrect(
                name,
                &values.join(", "),
                "must be given only once",
            )),
        }
    }

    /// The body as JSON, in which comments are allowed.
    ///
    /// # Errors
    /// 400 with the position, when it is not JSON; 422 when it holds a value that the database
    /// cannot store.
    pub fn json(&self) -> Result<Value, ApiError> {
        body::json_with_comments(&self.body)
    }

    /// The body as a record for FOLIO's storage modules, which check the content type and allow no
    /// comments.
    ///
    /// # Errors
    /// As [`Call::json`], and 400 when its content type is another.
    pub fn record(&self) -> Result<Value, ApiError> {
        body::announced_as_json(&self.headers)?;
        body::json(&self.body)
    }

    /// The body as a type of the area.
    ///
    /// # Errors
    /// 400 when it is not JSON or holds a value of another type, 422 when a property is missing or
    /// unknown.
    pub fn json_as<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        let value = self.json()?;
        serde_json::from_value(value).map_err(|error| misread(&error.to_string()))
    }

    /// The body in chunks; on a streaming route as they arrive.
    #[must_use]
    pub fn upload(&self) -> Upload {
        match &self.incoming {
            Some(upload) => upload.clone(),
            None => Upload::whole(self.body.clone()),
        }
    }

    /// Records an event of the caller in the tenant's audit log.
    pub fn audit(&self, kind: audit::AuditEvent, target: Option<String>, detail: Option<String>) {
        let event = audit::Event {
            kind,
            user_id: self.user_id(),
            address: self.address,
            route: None,
            target,
            detail,
        };
        self.note(event);
    }

    /// Records an event in the tenant's audit log.
    pub fn note(&self, event: audit::Event) {
        let database = &self.platform.store.database;
        self.platform.audit.note(database, &self.tenant, event);
    }

    /// Refuses callers whose tenant does not operate the installation.
    ///
    /// # Errors
    /// 403 naming the tenants that do.
    pub fn require_operator(&self) -> Result<(), ApiError> {
        if self.platform.tenants.is_operator(&self.tenant) {
            return Ok(());
        }
        Err(ApiError::text(
            StatusCode::FORBIDDEN,
            format!(
                "Tenant {} does not run this installation: users of the supertenant do, and of \
                 tenants that the server was started with as --operator",
                self.tenant.id()
            ),
        ))
    }

    /// Whether the user has a permission that the route desires.
    #[must_use]
    pub fn has_permission(&self, permission: &str) -> bool {
        self.identity
            .as_ref()
            .is_some_and(|identity| identity.grants.has(permission))
    }
}

/// The error for a body that is not of an area's type, in the form of a record's shape error.
fn misread(error: &str) -> ApiError {
    let named = |begin: &str| {
        let rest = error.strip_prefix(begin)?;
        rest.split('`').next()
    };
    if let Some(name) = named("missing field `") {
        return StoreError::Invalid(vec![Violation::missing(name)]).into();
    }
    // An id of another form is a string all the same, so it violates a rule and is not malformed.
    if error.contains("UUID parsing failed") {
        return ApiError::invalid(error, "", "");
    }
    match named("unknown field `") {
        Some(name) => ApiError::invalid(format!("Unrecognized field \"{name}\""), "", ""),
        None => ApiError::bad_request(format!("Cannot deserialize the body: {error}")),
    }
}

const NOT_TEXT: &str = "must be percent-encoded UTF-8 without the character U+0000";

/// 400 as FOLIO words it for a parameter; the value is cut at 100 characters.
#[must_use]
pub fn incorrect(name: &str, value: &str, why: &str) -> ApiError {
    let shown: String = value.chars().take(100).collect();
    ApiError::text(
        StatusCode::BAD_REQUEST,
        format!("'{name}' parameter is incorrect. parameter value {{{shown}}} is not valid: {why}"),
    )
}

/// An integer of ASCII digits only: no sign, no blanks, no digits of other scripts.
fn whole_number(text: &str) -> Option<i64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse::<i64>().ok())??;
    (number <= i64::from(i32::MAX)).then_some(number)
}

/// Decodes one value of a query string; `+` is a blank. `None` when a `%` is not followed by two
/// hexadecimal digits or the bytes are not UTF-8 (half of a surrogate pair is not).
fn decode(value: &str) -> Option<String> {
    if !value.contains(['%', '+']) {
        return Some(value.to_owned());
    }
    let is_hex = |digit: Option<char>| digit.is_some_and(|digit| digit.is_ascii_hexdigit());
    let escapes = value.split('%').skip(1);
    for escape in escapes {
        let mut digits = escape.chars();
        if !(is_hex(digits.next()) && is_hex(digits.next())) {
            return None;
        }
    }
    let spaced = value.replace('+', " ");
    percent_encoding::percent_decode_str(&spaced)
        .decode_utf8()
        .ok()
        // PostgreSQL can neither store NUL nor compare with it.
        .filter(|text| !text.contains('\0'))
        .map(|text| text.into_owned())
}

/// The parameters of a list request.
#[derive(Debug, Clone)]
pub struct Paging {
    /// CQL.
    pub query: Option<String>,
    /// Records to skip.
    pub offset: i64,
    /// Records to return at most.
    pub limit: i64,
    /// How to report the total.
    pub totals: Totals,
}

impl Paging {
    /// The parameters as the record store takes them.
    #[must_use]
    pub fn search(&self) -> Search<'_> {
        Search {
            query: self.query.as_deref(),
            offset: self.offset,
            limit: self.limit,
            totals: self.totals,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_what_browsers_and_jmeter_send() {
        for (sent, meant) in [
            ("barcode==%2212%22", "barcode==\"12\""),
            ("a+and+b", "a and b"),
            ("1%2B1", "1+1"),
            ("query=(userId==X)", "query=(userId==X)"),
        ] {
            assert_eq!(decode(sent).as_deref(), Some(meant));
        }
        for broken in [
            "a%00b",
            "%FF",
            "%",
            "100%",
            "%2",
            "%ZZ",
            "%ED%A0%80",
            "%C3",
            "%é",
        ] {
            assert_eq!(decode(broken), None, "{broken}");
        }
    }

    #[test]
    fn what_is_no_body_is_reported_as_records_are() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Sent {
            #[serde(rename = "name")]
            _name: String,
        }
        for (body, status, text) in [
            (
                r#"{"name": 7}"#,
                400,
                "Cannot deserialize the body: invalid type",
            ),
            (r#"{}"#, 422, "must not be null"),
            (
                r#"{"name": "a", "b": 1}"#,
                422,
                "Unrecognized field \\\"b\\\"",
            ),
        ] {
            let error = serde_json::from_str::<Sent>(body).expect_err("it is refused");
            let refused = misread(&error.to_string());
            assert_eq!(refused.status().as_u16(), status, "{body}");
            assert!(format!("{refused:?}").contains(text), "{body}: {refused:?}");
        }
    }

    #[test]
    fn whole_numbers_are_ascii_digits_within_bounds() {
        for (text, number) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("2147483647", Some(2_147_483_647)),
            ("2147483648", None),
            ("99999999999999999999999999", None),
            ("", None),
            ("-1", None),
            ("-0", None),
            ("+1", None),
            (" 1", None),
            ("1.0", None),
            ("1e3", None),
            ("٣", None),
            ("１", None),
            ("x", None),
        ] {
            assert_eq!(whole_number(text), number, "{text:?}");
        }
    }
}
