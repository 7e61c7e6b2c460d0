//! Downloads: the files of jobs, and single records.

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use octavo_platform::{ApiError, Call, incorrect};
use uuid::Uuid;

use super::id_of;
use crate::app::export::{Deleted, ExportOptions, Exporter};
use crate::app::stream::bytes_of;
use crate::marc::{Form, Format, Shaping, footer, header as head_of};
use crate::rules::{Profile, Takes, instance_rules};
use crate::store::files;
use crate::store::records::ExportedKind;

/// A file, by its link without a token.
///
/// # Errors
/// 404 when the link is expired or unknown.
pub async fn file(call: Call) -> Result<Response, ApiError> {
    let gone = || ApiError::text(StatusCode::NOT_FOUND, "This link holds no longer");
    let id = id_of(&call, "fileId").map_err(|_| gone())?;
    let secret = call.parameter("secret")?.unwrap_or_default();
    let store = call.writer();
    let found = files::linked(&store.database, &call.tenant, id, &secret).await?;
    let found = found.ok_or_else(gone)?;
    let (name, length) = (found.name.clone(), found.bytes);
    let body = Body::from_stream(bytes_of(store.database.clone(), call.tenant.clone(), found));
    let mut response = attachment(body, &name);
    response
        .headers_mut()
        .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    Ok(response)
}

/// A body to be saved under a name.
fn attachment(body: Body, name: &str) -> Response {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static("application/octet-stream");
    headers.insert(header::CONTENT_TYPE, kind);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    let safe: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || " ._-()".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{safe}\""));
    if let Ok(disposition) = disposition {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    response
}

/// One record, by its id: `idType`, `format` (`iso2709`, `xml`, `json`), `suppress999ff`.
///
/// # Errors
/// 404 when there is none, 400 for invalid parameters.
pub async fn record(call: Call) -> Result<Response, ApiError> {
    let id: Uuid = id_of(&call, "recordId")?;
    let parameter =
        |name: &str| -> Result<String, ApiError> { Ok(call.parameter(name)?.unwrap_or_default()) };
    let id_type = parameter("idType")?;
    let kind = match id_type.as_str() {
        "" | "INSTANCE" => ExportedKind::Instance,
        "AUTHORITY" => ExportedKind::Authority,
        other => return Err(incorrect("idType", other, "must be INSTANCE or AUTHORITY")),
    };
    let notation = parameter("format")?;
    let (format, suffix) = match notation.as_str() {
        "" | "iso2709" => (Format::Iso2709, "mrc"),
        "xml" => (Format::Xml, "xml"),
        "json" => (Format::Json, "json"),
        other => return Err(incorrect("format", other, "must be iso2709, xml or json")),
    };
    let utf = parameter("utf")?;
    if utf == "false" {
        let why = "records leave in UTF-8 only";
        return Err(incorrect("utf", "false", why));
    }
    let wanted = ExportOptions {
        kind,
        form: Form::Catalogue,
        format,
        profile: Profile {
            takes: Takes {
                marc: true,
                instance: true,
                ..Takes::default()
            },
            shaping: Shaping {
                without_own: parameter("suppress999ff")? == "true",
                ..Shaping::default()
            },
            beside: Vec::new(),
            whole: instance_rules().to_vec(),
        },
        deleted: Deleted::Either,
    };
    let exporter = Exporter::open(&call.writer().database, &call.tenant, wanted).await?;
    let made = exporter.one(id).await?;
    if made.exported == 0 {
        let sentence = match made.failures.first().map(|one| &one.reason) {
            None | Some(crate::app::Reason::Missing) => {
                format!("Couldn't find instance in db for ID: {id}")
            }
            Some(reason) => reason.to_string(),
        };
        return Err(ApiError::text(StatusCode::NOT_FOUND, sentence));
    }
    let bytes = [head_of(format), &made.bytes, footer(format)].concat();
    Ok(attachment(Body::from(bytes), &format!("{id}.{suffix}")))
}
