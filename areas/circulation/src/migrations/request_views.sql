-- The views of requests, in their order. PostgreSQL sets up all joins of a statement before its first row, and a
-- desk mostly asks for requests where there are none. Written by a test from the statement of store/view.rs.
CREATE FUNCTION {schema}.request_views(requests jsonb[]) RETURNS jsonb[] LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF cardinality(requests) = 0 THEN
    RETURN '{}';
  END IF;
  RETURN ARRAY(WITH page AS MATERIALIZED (SELECT (jsonb->>'id')::uuid AS id, jsonb, place
      FROM unnest(requests) WITH ORDINALITY AS found (jsonb, place))
    SELECT (page.jsonb - '{searchIndex,proxy,requester,deliveryAddress}'::text[])
  || jsonb_strip_nulls(jsonb_build_object(
  'item', CASE WHEN item.id IS NOT NULL THEN jsonb_build_object(
    'barcode', item.jsonb->'barcode',
    'location', CASE WHEN place.id IS NOT NULL THEN jsonb_build_object('name', place.jsonb->'name',
      'libraryName', library.jsonb->'name', 'code', place.jsonb->'code') END,
    'enumeration', item.jsonb->'enumeration',
    'volume', item.jsonb->'volume',
    'chronology', item.jsonb->'chronology',
    'displaySummary', item.jsonb->'displaySummary',
    'loanTypeId', loan_type.id,
    'loanTypeName', loan_type.jsonb->'name',
    'status', item.jsonb->'status'->'name',
    'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
    'callNumberComponents', jsonb_build_object(
      'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
      'prefix', item.jsonb->'effectiveCallNumberComponents'->'prefix',
      'suffix', item.jsonb->'effectiveCallNumberComponents'->'suffix'),
    'copyNumber', coalesce(item.jsonb->'copyNumber', holdings.jsonb->'copyNumber'),
    'itemEffectiveLocationId', page.jsonb->'item'->'itemEffectiveLocationId',
    'itemEffectiveLocationName', page.jsonb->'item'->'itemEffectiveLocationName',
    'retrievalServicePointId', page.jsonb->'item'->'retrievalServicePointId',
    'retrievalServicePointName', page.jsonb->'item'->'retrievalServicePointName') END,
  'instance', CASE WHEN title.id IS NOT NULL THEN jsonb_build_object(
    'title', title.jsonb->'title',
    'identifiers', (SELECT coalesce(jsonb_agg(jsonb_build_object(
        'identifierTypeId', one->'identifierTypeId', 'value', one->'value')), '[]')
      FROM jsonb_array_elements(title.jsonb->'identifiers') AS one),
    'contributorNames', (SELECT coalesce(jsonb_agg(jsonb_build_object('name', one->'name')), '[]')
      FROM jsonb_array_elements(title.jsonb->'contributors') AS one),
    'publication', (SELECT coalesce(jsonb_agg(jsonb_build_object(
        'publisher', one->'publisher', 'place', one->'place',
        'dateOfPublication', one->'dateOfPublication', 'role', one->'role')), '[]')
      FROM jsonb_array_elements(title.jsonb->'publication') AS one),
    'editions', coalesce(title.jsonb->'editions', '[]')) END,
  'loan', CASE WHEN lent.id IS NOT NULL THEN coalesce(page.jsonb->'loan', '{}')
    || jsonb_build_object('dueDate',
      to_jsonb(replace(lent.jsonb->>'dueDate', '+00:00', 'Z'))) END,
  'requester', CASE WHEN requester.id IS NOT NULL THEN jsonb_build_object(
    'lastName', requester.jsonb->'personal'->'lastName',
    'firstName', requester.jsonb->'personal'->'firstName',
    'middleName', requester.jsonb->'personal'->'middleName',
    'barcode', requester.jsonb->'barcode',
    'patronGroup', CASE WHEN patron_group.id IS NOT NULL THEN jsonb_build_object(
      'id', patron_group.id, 'group', patron_group.jsonb->'group',
      'desc', patron_group.jsonb->'desc') END,
    'patronGroupId', requester.jsonb->'patronGroup')
    WHEN page.jsonb->'requesterId' IS NOT NULL THEN page.jsonb->'requester' END,
  'deliveryAddress', (SELECT jsonb_build_object(
      'addressTypeId', one->'addressTypeId', 'addressLine1', one->'addressLine1',
      'addressLine2', one->'addressLine2', 'city', one->'city', 'region', one->'region',
      'postalCode', one->'postalCode', 'countryId', one->'countryId')
    FROM jsonb_array_elements(requester.jsonb->'personal'->'addresses') AS one
    WHERE one->'addressTypeId' = page.jsonb->'deliveryAddressTypeId' LIMIT 1),
  'proxy', CASE WHEN proxy.id IS NOT NULL THEN jsonb_build_object(
    'lastName', proxy.jsonb->'personal'->'lastName',
    'firstName', proxy.jsonb->'personal'->'firstName',
    'middleName', proxy.jsonb->'personal'->'middleName',
    'barcode', proxy.jsonb->'barcode',
    'patronGroup', CASE WHEN proxy_group.id IS NOT NULL THEN jsonb_build_object(
      'id', proxy_group.id, 'group', proxy_group.jsonb->'group',
      'desc', proxy_group.jsonb->'desc') END,
    'patronGroupId', proxy.jsonb->'patronGroup') END,
  'printDetails', page.jsonb->'printDetails' || CASE WHEN printer.id IS NULL THEN '{}'
    ELSE jsonb_build_object('lastPrintRequester', jsonb_build_object(
      'firstName', printer.jsonb->'personal'->'firstName',
      'lastName', printer.jsonb->'personal'->'lastName',
      'middleName', printer.jsonb->'personal'->'middleName')) END,
  'pickupServicePoint', CASE WHEN pickup.id IS NOT NULL THEN jsonb_build_object(
    'name', pickup.jsonb->'name', 'code', pickup.jsonb->'code',
    'discoveryDisplayName', pickup.jsonb->'discoveryDisplayName',
    'description', pickup.jsonb->'description',
    'shelvingLagTime', pickup.jsonb->'shelvingLagTime',
    'pickupLocation', pickup.jsonb->'pickupLocation') END)) AS jsonb FROM page LEFT JOIN {schema}.item AS item ON item.id = (page.jsonb->>'itemId')::uuid
         LEFT JOIN {schema}.holdings_record AS holdings ON holdings.id = (item.jsonb->>'holdingsRecordId')::uuid
         LEFT JOIN {schema}.instance AS instance ON instance.id = holdings.instanceid
         LEFT JOIN {schema}.location AS place ON place.id = (item.jsonb->>'effectiveLocationId')::uuid
         LEFT JOIN {schema}.loclibrary AS library ON library.id = (place.jsonb->>'libraryId')::uuid
         LEFT JOIN {schema}.loccampus AS campus ON campus.id = (place.jsonb->>'campusId')::uuid
         LEFT JOIN {schema}.locinstitution AS institution ON institution.id = (place.jsonb->>'institutionId')::uuid
         LEFT JOIN {schema}.material_type AS material ON material.id = (item.jsonb->>'materialTypeId')::uuid
         LEFT JOIN {schema}.loan_type AS loan_type ON loan_type.id = coalesce(item.jsonb->>'temporaryLoanTypeId', item.jsonb->>'permanentLoanTypeId')::uuid
         LEFT JOIN {schema}.service_point AS destination
           ON destination.id = (item.jsonb->>'inTransitDestinationServicePointId')::uuid
         LEFT JOIN {schema}.users AS requester ON requester.id = (page.jsonb->>'requesterId')::uuid
         LEFT JOIN {schema}.groups AS patron_group
           ON patron_group.id = (requester.jsonb->>'patronGroup')::uuid
         LEFT JOIN {schema}.users AS proxy ON proxy.id = (page.jsonb->>'proxyUserId')::uuid
         LEFT JOIN {schema}.groups AS proxy_group ON proxy_group.id = (proxy.jsonb->>'patronGroup')::uuid
         LEFT JOIN {schema}.service_point AS pickup ON pickup.id = (page.jsonb->>'pickupServicePointId')::uuid
         LEFT JOIN {schema}.instance AS title ON title.id = (page.jsonb->>'instanceId')::uuid
         LEFT JOIN {schema}.users AS printer ON printer.id = CASE
           WHEN page.jsonb->'printDetails'->>'requesterId' ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'
           THEN (page.jsonb->'printDetails'->>'requesterId')::uuid END
         LEFT JOIN LATERAL (SELECT id, jsonb FROM {schema}.loan WHERE (lower(jsonb->>'itemId')) COLLATE "C" = lower((page.jsonb->>'itemId')) AND lower(public.f_unaccent(jsonb->'status'->>'name')) = 'open') AS lent ON true ORDER BY page.place);
END $$;
