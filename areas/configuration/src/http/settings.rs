//! `/settings/entries` and `/settings/upload`. A setting that the caller may not read is answered with
//! 404, one that the caller may not write with 403. A taken key is 403 too, so that it does not reveal a
//! hidden setting.

use axum::response::Response;
use http::{StatusCode, header};
use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::plan::Plan;
use octavo_records::store::{delete as delete_record, fetch_locked, replace as replace_record};
use octavo_records::{StoreError, Tenant};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{missing, plain, settings_paging, small_json};
use crate::app::rights::{Action, PREFIX, Rights, readable};
use crate::app::setting_form::{self, SettingKey};
use crate::app::upload::{self, Upload};
use crate::app::visible::restricted;

const TABLE: &str = "setting_entry";
const LIMIT_DEFAULT: i64 = 10;

/// Permissions decide which settings a caller reads and writes.
pub const HOOKS: Hooks = Hooks {
    paging: |call| settings_paging(call, LIMIT_DEFAULT),
    plan: Some(|call, _, plan| {
        let asked = std::mem::replace(plan, Plan::everything());
        *plan = visible(call, asked)?;
        Ok(())
    }),
    visible: Some(|call, stored| reaches(call, Action::Read, stored)),
    body: |call, _| small_json(call),
    before: |call, _, setting| {
        let (_, key) = checked(setting)?;
        allowed(call, &key)
    },
    wording,
    created: |_, _, _| empty(StatusCode::NO_CONTENT),
    ..Hooks::NONE
};

/// A new setting with an existing key is answered with 403.
fn wording(refused: Refused<'_>) -> ApiError {
    match refused.error {
        StoreError::Duplicate { ref field, .. } if field != "id" => forbidden(),
        error => plain(error),
    }
}

fn visible(call: &Call, plan: Plan) -> Result<Plan, ApiError> {
    let grants = call.identity.as_ref().map(|identity| &identity.grants);
    let Some(grants) = grants else {
        return Err(forbidden());
    };
    if grants.has_everything() {
        return Ok(plan);
    }
    let scopes = readable(grants.beginning_with(PREFIX).into_iter());
    restricted(plan, &scopes, call.user_id()).ok_or_else(forbidden)
}

/// A setting replaced: 204.
///
/// # Errors
/// 400 when it does not fit, 403 when the caller may not write the sent setting, 404 when there is no
/// setting that the caller may write, or another one has its key.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, key, setting) = sent(&call)?;
    if call.id()? != id {
        return Err(ApiError::bad_request("id mismatch"));
    }
    allowed(&call, &key)?;
    let collection = call.collection(TABLE);
    let mut setting = Value::Object(setting);
    collection
        .shape
        .check(&mut setting)
        .map_err(|wrong| plain(StoreError::Invalid(wrong)))?;
    let Value::Object(setting) = setting else {
        return Err(missing());
    };
    let held = HeldSetting::of(&call, id).await?;
    let stamp = call.stamp();
    let outcome = replace_record(
        &held.transaction,
        held.tenant,
        collection,
        id,
        &setting,
        &stamp,
    );
    match outcome.await {
        Ok(_) => held.commit().await,
        Err(StoreError::Duplicate { .. }) => Err(missing()),
        Err(error) => Err(plain(error)),
    }
}

/// A setting deleted: 204.
///
/// # Errors
/// 404 when there is none that the caller may write.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let held = HeldSetting::of(&call, id).await?;
    delete_record(&held.transaction, held.tenant, call.collection(TABLE), id)
        .await
        .map_err(plain)?;
    held.commit().await
}

/// A stored setting that the caller may write, locked until the transaction ends, so that a concurrent
/// change cannot move it out of the caller's rights after the check.
struct HeldSetting<'a> {
    transaction: octavo_postgres::Transaction,
    tenant: &'a Tenant,
}

impl<'a> HeldSetting<'a> {
    async fn of(call: &'a Call, id: Uuid) -> Result<HeldSetting<'a>, ApiError> {
        let database = &call.writer().database;
        let transaction = database.transaction().await?;
        let stored = fetch_locked(&transaction, &call.tenant, call.collection(TABLE), id)
            .await
            .map_err(plain)?
            .ok_or_else(missing)?;
        if !reaches(call, Action::Write, &stored) {
            return Err(missing());
        }
        Ok(HeldSetting {
            transaction,
            tenant: &call.tenant,
        })
    }

    async fn commit(self) -> Result<Response, ApiError> {
        self.transaction.commit().await?;
        Ok(empty(StatusCode::NO_CONTENT))
    }
}

/// Settings stored by scope, key and owner: 200 with how many were created and changed.
///
/// # Errors
/// 400 when the body is not a list of settings without ids, 403 when the caller may not write one of
/// them. Then none is stored.
pub async fn upload(call: Call) -> Result<Response, ApiError> {
    let announced = call.headers.get(header::CONTENT_TYPE);
    let is_json = announced.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if !is_json {
        return Err(ApiError::bad_request(
            "Content-Type must be application/json",
        ));
    }
    let upload =
        Upload::read(call.json()?).map_err(|wrong| ApiError::bad_request(wrong.message()))?;
    upload.keys().try_for_each(|key| allowed(&call, key))?;
    let done = upload::upload(call.writer(), &call.tenant, call.collection(TABLE), upload)
        .await
        .map_err(plain)?;
    Ok(pretty(
        StatusCode::OK,
        &json!({"inserted": done.inserted, "updated": done.updated}),
    ))
}

/// The setting in the body: id, key and document.
fn sent(call: &Call) -> Result<(Uuid, SettingKey, Map<String, Value>), ApiError> {
    let sent = small_json(call)?;
    let (id, key) = checked(&sent)?;
    match sent {
        Value::Object(setting) => Ok((id, key, setting)),
        _ => Err(missing()),
    }
}

/// The id and key of a setting.
fn checked(sent: &Value) -> Result<(Uuid, SettingKey), ApiError> {
    let wrong = |error: setting_form::NoSetting| ApiError::bad_request(error.message());
    let Value::Object(setting) = sent else {
        return Err(wrong(setting_form::NoSetting::NoObject));
    };
    let id = setting_form::id(setting)
        .and_then(|id| id.ok_or(setting_form::NoSetting::Missing("id")))
        .map_err(wrong)?;
    let key = setting_form::key(setting).map_err(wrong)?;
    Ok((id, key))
}

fn allowed(call: &Call, key: &SettingKey) -> Result<(), ApiError> {
    match rights(call, Action::Write, &key.scope).reach(key.owner, call.user_id()) {
        true => Ok(()),
        false => Err(forbidden()),
    }
}

/// Whether the caller may do something with a stored setting.
fn reaches(call: &Call, action: Action, stored: &Value) -> bool {
    let key = stored.as_object().map(setting_form::key);
    key.is_some_and(|key| {
        key.is_ok_and(|key| rights(call, action, &key.scope).reach(key.owner, call.user_id()))
    })
}

fn rights(call: &Call, action: Action, scope: &str) -> Rights {
    Rights::on(scope, action, |permission| call.has_permission(permission))
}

fn forbidden() -> ApiError {
    ApiError::text(StatusCode::FORBIDDEN, "Forbidden")
}
