# A page of the rows that wait for a remote storage: 100,000 of them, beside as many of another storage and
# 200,000 that are done. Sourced by perf/bench.sh.
retrieval_queue() {
  local waiting=100000
  retrievals_storage=$(sql -c "SELECT gen_random_uuid()")
  step "retrieval-queue: $waiting rows wait for $retrievals_storage"
  sql <<SQL
SET client_min_messages = warning;
SET statement_timeout = 0;
DELETE FROM tenant_bench.retrieval_queue WHERE row->>'requestNote' = 'bench';
INSERT INTO tenant_bench.retrieval_queue
    (remote_storage_id, hold_id, item_barcode, created_date_time, retrieved_date_time, request_type, row)
  SELECT CASE WHEN n % 2 = 0 THEN '$retrievals_storage'::uuid ELSE other.id END, gen_random_uuid()::text, 'bench-' || n,
    timestamptz '2026-01-01' + n * interval '1 second',
    CASE WHEN n > 2 * $waiting THEN timestamptz '2026-06-01' END, 'PYR',
    jsonb_build_object('instanceTitle', 'A title of the bench ' || n, 'instanceAuthor', 'An author', 'callNumber',
      'QA ' || n, 'patronBarcode', n::text, 'patronName', 'patron-' || n, 'pickupLocation', 'cd1', 'requestStatus',
      'Open - Not yet filled', 'requestNote', 'bench')
  FROM generate_series(1, 4 * $waiting) AS n, (SELECT gen_random_uuid() AS id) AS other;
VACUUM ANALYZE tenant_bench.retrieval_queue;
SQL
  measure retrieval-queue
  sql -c "SET statement_timeout = 0; DELETE FROM tenant_bench.retrieval_queue WHERE row->>'requestNote' = 'bench'"
}
retrieval_queue
