-- One pair as POST check-out-by-barcode and check-in-by-barcode send it: two statements in each of two
-- transactions. What the server makes of what it has read (documents, differences, lines of the log) is made
-- by one more statement in each, and one brings the row of the feed. Each client keeps to items of its own.
\set n random(0, :rows / 8 - 1) * 8 + :client_id + 1
SELECT v[1] AS barcode, v[3] AS instance_id, v[4] AS location, v[5] AS patron, v[6] AS patron_id,
  v[7] AS point, v[8] AS policy, v[9] AS operator, '' AS none, 'null' AS absent FROM bench.feed WHERE n = :n \gset
BEGIN;
SELECT *, tenant_bench.takes_log_records() AS takes_log_records FROM tenant_bench.desk_facts(:barcode, :patron, :none) \gset
SELECT made.item || '{"status": {"name": "Checked out", "date": "2026-11-22T10:00:00.000+00:00"}}'
    || jsonb_build_object('_version', (made.item->>'_version')::bigint + 1) AS item_doc,
  jsonb_build_object('status', made.item->'status', '_version', made.item->'_version', 'metadata', made.item->'metadata') AS item_was,
  '{}' AS came, jsonb_build_object('instanceId', :instance_id::text) AS told,
  jsonb_build_object('id', made.loan_id, 'userId', :patron_id::text, 'itemId', :item_id::text,
    'itemEffectiveLocationIdAtCheckOut', :location::text, 'status', '{"name": "Open"}'::jsonb,
    'loanDate', '2026-11-22T10:00:00.000+00:00', 'dueDate', '2026-12-22T23:59:59.000+00:00', 'action', 'checkedout',
    'itemStatus', 'Checked out', 'loanPolicyId', :policy::text, 'overdueFinePolicyId', :policy::text,
    'lostItemPolicyId', :policy::text, 'checkoutServicePointId', :point::text, 'isDcb', false,
    'patronGroupIdAtCheckout', :policy::text, 'metadata', made.stamp) AS loan_doc,
  jsonb_build_object('id', gen_random_uuid(), 'patronId', :patron_id::text, 'loanId', made.loan_id,
    'actionType', 'Check-out', 'metadata', made.stamp) AS session_doc,
  jsonb_build_object('userId', :patron_id::text, 'loanId', made.loan_id, 'itemId', :item_id::text,
    'dueDate', '2026-12-22T23:59:59.000+00:00') AS event_doc,
  ARRAY[jsonb_build_object('object', 'Loan', 'action', 'Checked out', 'userBarcode', :patron::text, 'items',
    jsonb_build_array(jsonb_build_object('itemBarcode', :barcode::text, 'itemId', :item_id::text, 'instanceId',
      :instance_id::text, 'loanId', made.loan_id)), 'servicePointId', :point::text, 'description',
      'Checked out to proxy: no.', 'linkToIds', jsonb_build_object('userId', :patron_id::text),
      'date', '2026-11-22T10:00:00.000+00:00')] AS lines, 'circulation.ITEM_CHECKED_OUT' AS topic
FROM (SELECT :item::jsonb AS item, gen_random_uuid() AS loan_id,
  '{"createdDate": "2026-11-22T10:00:00.000+00:00", "updatedDate": "2026-11-22T10:00:00.000+00:00"}'::jsonb AS stamp) AS made \gset
SELECT tenant_bench.desk_writes(:item_id, :item_doc, :item_was, :came, :told, :loan_doc, :absent, :came, :absent, :session_doc, :topic, :item_id, :event_doc, :lines, :operator);
COMMIT;
BEGIN;
SELECT *, tenant_bench.takes_log_records() AS takes_log_records FROM tenant_bench.desk_facts(:barcode, :none, :none) \gset
SELECT made.item || '{"status": {"name": "Available", "date": "2026-11-22T10:00:00.000+00:00"}}'
    || jsonb_build_object('_version', (made.item->>'_version')::bigint + 1, 'lastCheckIn', made.last) AS item_doc,
  jsonb_build_object('status', made.item->'status', '_version', made.item->'_version', 'metadata', made.item->'metadata') AS item_was,
  '{lastCheckIn}' AS came, jsonb_build_object('instanceId', :instance_id::text) AS told,
  made.loan || jsonb_build_object('status', '{"name": "Closed"}'::jsonb, 'action', 'checkedin',
    'returnDate', '2026-11-22T10:00:00.000+00:00', 'systemReturnDate', '2026-11-22T10:00:00.000+00:00',
    'checkinServicePointId', :point::text, 'itemStatus', 'Available') AS loan_doc,
  jsonb_build_object('status', made.loan->'status', 'action', made.loan->'action',
    'itemStatus', made.loan->'itemStatus', 'metadata', made.loan->'metadata') AS loan_was,
  '{returnDate,systemReturnDate,checkinServicePointId}' AS loan_came,
  jsonb_build_object('id', gen_random_uuid(), 'occurredDateTime', '2026-11-22T10:00:00.000+00:00', 'itemId', :item_id::text,
    'itemStatusPriorToCheckIn', 'Checked out', 'requestQueueSize', 0, 'itemLocationId', :location::text,
    'servicePointId', :point::text, 'performedByUserId', :operator::text, 'metadata', made.stamp) AS check_in_doc,
  jsonb_build_object('id', gen_random_uuid(), 'patronId', :patron_id::text, 'loanId', made.loan->'id',
    'actionType', 'Check-in', 'metadata', made.stamp) AS session_doc,
  jsonb_build_object('itemId', :item_id::text, 'servicePointId', :point::text, 'loanId', made.loan->'id') AS event_doc,
  ARRAY[jsonb_build_object('object', 'N/A', 'action', 'Checked in', 'items',
      jsonb_build_array(jsonb_build_object('itemBarcode', :barcode::text, 'itemId', :item_id::text, 'instanceId',
        :instance_id::text)), 'servicePointId', :point::text, 'description', 'Item status: Available.',
      'date', '2026-11-22T10:00:00.000+00:00'),
    jsonb_build_object('object', 'Loan', 'action', 'Closed loan', 'userBarcode', :patron::text, 'items',
      jsonb_build_array(jsonb_build_object('itemBarcode', :barcode::text, 'itemId', :item_id::text, 'instanceId',
        :instance_id::text, 'loanId', made.loan->'id')), 'servicePointId', :point::text, 'description',
      'Item status: Available.', 'linkToIds', jsonb_build_object('userId', :patron_id::text),
      'date', '2026-11-22T10:00:00.000+00:00')] AS lines, 'circulation.ITEM_CHECKED_IN' AS topic
FROM (SELECT :item::jsonb AS item, :loan::jsonb AS loan,
  jsonb_build_object('dateTime', '2026-11-22T10:00:00.000+00:00', 'servicePointId', :point::text, 'staffMemberId', :operator::text) AS last,
  '{"createdDate": "2026-11-22T10:00:00.000+00:00", "updatedDate": "2026-11-22T10:00:00.000+00:00"}'::jsonb AS stamp) AS made \gset
SELECT tenant_bench.desk_writes(:item_id, :item_doc, :item_was, :came, :told, :loan_doc, :loan_was, :loan_came, :check_in_doc, :session_doc, :topic, :item_id, :event_doc, :lines, :operator);
COMMIT;
