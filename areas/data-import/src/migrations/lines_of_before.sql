-- The lines and counts of jobs that are there.
INSERT INTO {schema}.import_line (job, position, source, entities, failed, title, error, marc, instance,
  holdings, item, authority, po_line, invoice)
SELECT job, min(position), source, bit_or(bits), coalesce(bit_or(bits) FILTER (WHERE error <> ''), 0),
  left(min(title), 300), left(min(error) FILTER (WHERE error <> ''), 300),
  min(state) FILTER (WHERE bits = 3)::"char", min(state) FILTER (WHERE bits = 5)::"char",
  min(state) FILTER (WHERE bits = 9)::"char", min(state) FILTER (WHERE bits = 17)::"char",
  min(state) FILTER (WHERE bits = 33)::"char", min(state) FILTER (WHERE bits = 65)::"char",
  min(state) FILTER (WHERE bits = 129)::"char"
FROM (SELECT job, source, position, title, error,
    (CASE WHEN entity_type IS NULL THEN 0
      WHEN entity_type IN ('MARC_BIBLIOGRAPHIC', 'MARC_HOLDINGS', 'MARC_AUTHORITY') THEN 3
      WHEN entity_type = 'INSTANCE' THEN 5 WHEN entity_type = 'HOLDINGS' THEN 9
      WHEN entity_type = 'ITEM' THEN 17 WHEN entity_type = 'AUTHORITY' THEN 33
      WHEN entity_type = 'PO_LINE' THEN 65 WHEN entity_type = 'INVOICE' THEN 129
      ELSE 1 END)::smallint AS bits,
    CASE WHEN error <> '' OR action = 'NON_MATCH' THEN 'D' WHEN action = 'CREATE' THEN 'C'
      WHEN action IN ('UPDATE', 'MODIFY') THEN 'U' END COLLATE "C" AS state
  FROM {schema}.import_journal) AS entry
GROUP BY job, source
ORDER BY job, min(position);

INSERT INTO {schema}.import_count (job, name, number)
SELECT job, 'records', count(*) FROM {schema}.import_line GROUP BY job;

INSERT INTO {schema}.import_count (job, name, number)
SELECT job, which || '.' || name, count(*)
FROM (SELECT job, which, bits FROM {schema}.import_line,
    LATERAL (VALUES ('lines', entities), ('failed', failed)) AS _(which, bits)) AS line
JOIN (VALUES ('ALL', 1), ('MARC', 2), ('INSTANCE', 4), ('HOLDINGS', 8), ('ITEM', 16),
  ('AUTHORITY', 32), ('ORDER', 64), ('INVOICE', 128)) AS entity(name, bit) ON line.bits & entity.bit <> 0
GROUP BY job, which, name;

-- An entity counts once for a record with what mattered most; a match only where nothing was done.
INSERT INTO {schema}.import_count (job, name, number)
WITH counting AS MATERIALIZED (
  SELECT job, source, entity_id, action, status, best,
    CASE WHEN entity_type IN ('MARC_BIBLIOGRAPHIC', 'MARC_HOLDINGS', 'MARC_AUTHORITY')
      THEN 'sourceRecordSummary' WHEN entity_type = 'INSTANCE' THEN 'instanceSummary'
      WHEN entity_type = 'HOLDINGS' THEN 'holdingSummary' WHEN entity_type = 'ITEM' THEN 'itemSummary'
      WHEN entity_type = 'AUTHORITY' THEN 'authoritySummary' END AS summary
  FROM (SELECT job, source, entity_type, entity_id, action, status,
      row_number() OVER (PARTITION BY job, source, entity_id, entity_type, status ORDER BY weight)
        AS place,
      min(weight) OVER (PARTITION BY job, source, entity_type) AS best,
      bool_or(action NOT IN ('MATCH', 'PARSE')) OVER (PARTITION BY job, source) AS acted
    FROM (SELECT *, CASE action WHEN 'CREATE' THEN 1 WHEN 'UPDATE' THEN 2 WHEN 'NON_MATCH' THEN 3
        WHEN 'MATCH' THEN 4 ELSE 99 END AS weight FROM {schema}.import_journal) AS weighed) AS ranked
  WHERE place = 1 AND (action <> 'MATCH' OR NOT acted)
)
SELECT job, 'errors', count(DISTINCT source) FROM counting WHERE status = 'ERROR' GROUP BY job
UNION ALL
SELECT job, summary || CASE action WHEN 'CREATE' THEN '.totalCreatedEntities'
    ELSE '.totalUpdatedEntities' END,
  CASE summary WHEN 'sourceRecordSummary' THEN count(DISTINCT source)
    WHEN 'instanceSummary' THEN count(DISTINCT entity_id) ELSE count(*) END
FROM counting
WHERE summary IS NOT NULL AND action IN ('CREATE', 'UPDATE') AND status = 'COMPLETED'
  AND (summary <> 'instanceSummary' OR entity_id IS NOT NULL)
GROUP BY job, summary, action
UNION ALL
SELECT job, summary || '.totalDiscardedEntities', count(*) FROM counting
WHERE summary IS NOT NULL AND (status = 'ERROR' OR (action = 'NON_MATCH' AND best = 3)
  OR (action = 'MATCH' AND best = 4))
GROUP BY job, summary
UNION ALL
SELECT job, summary || '.totalErrors', count(*) FROM counting
WHERE summary IS NOT NULL AND status = 'ERROR' GROUP BY job, summary;
