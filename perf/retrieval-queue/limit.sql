-- The statement behind GET /remote-storage/retrievals: a full page. The number of rows that wait is kept for 10 s.
-- Colons are escaped: pgbench takes them for variables. Written by a test of areas/remote-storage (limits.rs).
\set n random(1, :rows)
SELECT v[1]::uuid AS storage FROM bench.feed WHERE n = :n \gset
SELECT row || jsonb_strip_nulls(jsonb_build_object('id', id, 'itemBarcode', item_barcode, 'remoteStorageId', remote_storage_id, 'createdDateTime', to_char(created_date_time AT TIME ZONE 'UTC', U&'YYYY-MM-DD"T"HH24\003AMI\003ASS.MS"+00\003A00"'), 'holdId', hold_id, 'requestType', request_type, 'retrievedDateTime', to_char(retrieved_date_time AT TIME ZONE 'UTC', U&'YYYY-MM-DD"T"HH24\003AMI\003ASS.MS"+00\003A00"'))) AS document FROM tenant_bench.retrieval_queue WHERE true AND retrieved_date_time IS NULL AND remote_storage_id = :storage ORDER BY created_date_time, id LIMIT 100 OFFSET 0;
