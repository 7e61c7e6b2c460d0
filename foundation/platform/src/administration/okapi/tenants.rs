//! `/_/proxy/tenants`: the tenants of the installation.

use axum::response::Response;
use http::StatusCode;
use rand::Rng;
use rand::distr::Uniform;
use serde::{Deserialize, Serialize};

use super::scope::{created, document, missing, operator, shown};
use crate::call::Call;
use crate::error::ApiError;
use crate::respond::empty;
use crate::tenants::{NewTenant, SUPERTENANT, TenantRefusal};

/// A tenant in Okapi's form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Described {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

/// The longest name or description, in characters.
const TEXT_CHARS_MAX: usize = 10_000;

/// Creates a tenant. As in Okapi, no module is enabled for it; the tables of native modules exist
/// at once.
pub(super) async fn create(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let mut described: Described = document(&call)?;
    limit(&described)?;
    let id = described
        .id
        .clone()
        .filter(|id| !id.is_empty())
        .unwrap_or_else(random_id);
    described.id = Some(id.clone());
    let new = NewTenant {
        name: Some(described.name.clone().unwrap_or_default()),
        description: described.description.clone(),
        reference: false,
        native_modules: false,
    };
    call.platform
        .tenants
        .create(&id, &new)
        .await
        .map_err(refused)?;
    created(&described, &format!("/_/proxy/tenants/{id}"))
}

fn limit(described: &Described) -> Result<(), ApiError> {
    let texts = [
        ("name", &described.name),
        ("description", &described.description),
    ];
    for (name, text) in texts {
        if text
            .as_ref()
            .is_some_and(|text| text.chars().count() > TEXT_CHARS_MAX)
        {
            return Err(ApiError::bad_request(format!(
                "{name} has at most {TEXT_CHARS_MAX} characters"
            )));
        }
    }
    Ok(())
}

/// Okapi generates an id when none is given.
fn random_id() -> String {
    let digits = "0123456789abcdef".as_bytes();
    let Ok(numbers) = Uniform::new(0, digits.len()) else {
        return "t".to_owned();
    };
    let rest = rand::rng().sample_iter(numbers).take(30);
    std::iter::once('t')
        .chain(rest.map(|at| char::from(digits[at])))
        .collect()
}

pub(super) async fn list(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let all = call.platform.tenants.list().await.map_err(refused)?;
    let mut shown_tenants: Vec<Described> = all
        .into_iter()
        .map(|one| Described {
            id: Some(one.id),
            name: Some(one.name),
            description: one.description,
        })
        .collect();
    // In Okapi the supertenant always exists.
    if !shown_tenants
        .iter()
        .any(|one| one.id.as_deref() == Some(SUPERTENANT))
    {
        shown_tenants.push(supertenant());
    }
    shown(StatusCode::OK, &shown_tenants)
}

fn supertenant() -> Described {
    Described {
        id: Some(SUPERTENANT.to_owned()),
        name: Some(SUPERTENANT.to_owned()),
        description: None,
    }
}

/// Reads a tenant: any for operators, their own for others.
pub(super) async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.segment("tenantId");
    if id != call.tenant.id() {
        operator(&call)?;
    }
    match call.platform.tenants.describe(id).await {
        Ok(one) => shown(
            StatusCode::OK,
            &Described {
                id: Some(one.id),
                name: Some(one.name),
                description: one.description,
            },
        ),
        Err(TenantRefusal::Unknown(_)) if id == SUPERTENANT => {
            shown(StatusCode::OK, &supertenant())
        }
        Err(refusal) => Err(refused(refusal)),
    }
}

/// Changes the name and description of a tenant.
pub(super) async fn update(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let described: Described = document(&call)?;
    limit(&described)?;
    let id = call.segment("tenantId");
    let given = described.id.as_deref().unwrap_or_default();
    if given != id {
        let given: String = given.chars().take(64).collect();
        return Err(ApiError::bad_request(format!(
            "The tenant id must not be changed, old='{id}', new='{given}'"
        )));
    }
    let name = described.name.clone().unwrap_or_default();
    let tenants = &call.platform.tenants;
    let description = described.description.as_deref();
    let changed = tenants.update_description(id, Some(&name), description);
    changed.await.map_err(refused)?;
    call.platform.settle().await;
    shown(StatusCode::OK, &described)
}

/// Deletes a tenant with all its data.
pub(super) async fn delete(call: Call) -> Result<Response, ApiError> {
    operator(&call)?;
    let id = call.segment("tenantId");
    if id == SUPERTENANT {
        return Err(ApiError::bad_request(format!(
            "Can not delete the superTenant {id}"
        )));
    }
    call.platform.tenants.purge(id).await.map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn refused(refusal: TenantRefusal) -> ApiError {
    match refusal {
        TenantRefusal::Unknown(id) => missing(&id),
        TenantRefusal::Store(error) => error.into(),
        other => ApiError::bad_request(other.to_string()),
    }
}
