//! The tokens of staff slips about a request. Notices use the same, and pick slips those of a person.

use octavo_library::RequestId;
use octavo_postgres::Transaction;
use octavo_records::StoreError;
use serde_json::Value;

use super::Tables;

/// The slip of one request, read by the last statement of a transaction, with the COMMIT pipelined after it. It
/// needs neither item nor title, which the desk knows.
///
/// # Errors
/// When an earlier pipelined statement has failed.
pub async fn last(
    transaction: &Transaction,
    tables: Tables<'_>,
    id: RequestId,
) -> Result<Option<Value>, StoreError> {
    let sql = format!(
        "SELECT {}->'slip' AS slip FROM {} AS page
         LEFT JOIN {} AS requester ON requester.id = (page.jsonb->>'requesterId')::uuid
         LEFT JOIN {} AS patron_group ON patron_group.id = (requester.jsonb->>'patronGroup')::uuid
         LEFT JOIN {} AS pickup ON pickup.id = (page.jsonb->>'pickupServicePointId')::uuid{}
         WHERE page.id = $1",
        request(),
        tables.table("request"),
        tables.table("users"),
        tables.table("groups"),
        tables.table("service_point"),
        request_joins(tables),
    );
    let rows = transaction.query_and_commit(&sql, &[&id]).await?;
    Ok(rows.first().map(|row| row.get("slip")))
}

/// Joins that only a slip of a request needs.
pub(super) fn request_joins(tables: Tables<'_>) -> String {
    format!(
        " LEFT JOIN LATERAL (SELECT one AS jsonb
             FROM jsonb_array_elements(requester.jsonb->'personal'->'addresses') AS one
             WHERE one->>'addressTypeId' = page.jsonb->>'deliveryAddressTypeId' LIMIT 1)
             AS delivery ON true
         LEFT JOIN {types} AS delivery_type
           ON delivery_type.id = (page.jsonb->>'deliveryAddressTypeId')::uuid
         LEFT JOIN {reasons} AS reason
           ON reason.id = (page.jsonb->>'cancellationReasonId')::uuid{}",
        person_joins(tables, "requester"),
        types = tables.table("addresstype"),
        reasons = tables.table("cancellation_reason"),
    )
}

/// Joins of [`person`], but for the patron group: `main`, `main_type` and `departments`.
pub(super) fn person_joins(tables: Tables<'_>, person: &str) -> String {
    format!(
        " LEFT JOIN LATERAL (SELECT one AS jsonb
             FROM jsonb_array_elements({person}.jsonb->'personal'->'addresses') AS one
             WHERE (one->>'primaryAddress')::boolean LIMIT 1) AS main ON true
         LEFT JOIN {types} AS main_type ON main_type.id = (main.jsonb->>'addressTypeId')::uuid
         LEFT JOIN LATERAL (SELECT string_agg(department.jsonb->>'name', '; ' ORDER BY at) AS names
             FROM jsonb_array_elements_text({person}.jsonb->'departments')
               WITH ORDINALITY AS one(id, at)
             JOIN {departments} AS department ON department.id = one.id::uuid)
             AS departments ON true",
        types = tables.table("addresstype"),
        departments = tables.table("departments"),
    )
}

/// The tokens of a person: names and values of an object. The country is a code.
pub(super) fn person(person: &str) -> String {
    format!(
        "'firstName', {person}.jsonb->'personal'->'firstName',
    'preferredFirstName', coalesce({person}.jsonb->'personal'->'preferredFirstName',
      {person}.jsonb->'personal'->'firstName'),
    'lastName', {person}.jsonb->'personal'->'lastName',
    'middleName', {person}.jsonb->'personal'->'middleName',
    'barcode', {person}.jsonb->'barcode',
    'patronGroup', coalesce(patron_group.jsonb->'group', '\"\"'),
    'departments', coalesce(departments.names, ''),
    'primaryAddressLine1', main.jsonb->'addressLine1',
    'primaryAddressLine2', main.jsonb->'addressLine2',
    'primaryCity', main.jsonb->'city',
    'primaryStateProvRegion', main.jsonb->'region',
    'primaryZipPostalCode', main.jsonb->'postalCode',
    'primaryCountry', main.jsonb->'countryId',
    'primaryDeliveryAddressType', main_type.jsonb->'addressType'"
    )
}

/// The tokens of a request and its requester.
pub(super) fn request() -> String {
    format!(
        "jsonb_build_object('slip', jsonb_strip_nulls(jsonb_build_object(
  'requester', CASE WHEN requester.id IS NOT NULL THEN jsonb_build_object({},
    'addressLine1', delivery.jsonb->'addressLine1',
    'addressLine2', delivery.jsonb->'addressLine2',
    'city', delivery.jsonb->'city',
    'region', delivery.jsonb->'region',
    'postalCode', delivery.jsonb->'postalCode',
    'countryId', delivery.jsonb->'countryId',
    'addressType', CASE WHEN delivery.jsonb IS NOT NULL THEN delivery_type.jsonb->'addressType' END)
    END,
  'request', jsonb_build_object(
    'requestID', page.id,
    'servicePointPickup', pickup.jsonb->'name',
    'requestDate', to_jsonb(replace(page.jsonb->>'requestDate', '+00:00', 'Z')),
    'requestExpirationDate', to_jsonb(replace(page.jsonb->>'requestExpirationDate', '+00:00', 'Z')),
    'holdShelfExpirationDate', to_jsonb(replace(page.jsonb->>'holdShelfExpirationDate', '+00:00', 'Z')),
    'additionalInfo', page.jsonb->'cancellationAdditionalInformation',
    'reasonForCancellation', coalesce(reason.jsonb->'publicDescription', reason.jsonb->'name'),
    'deliveryAddressType', delivery_type.jsonb->'addressType',
    'patronComments', page.jsonb->'patronComments'))))",
        person("requester")
    )
}
