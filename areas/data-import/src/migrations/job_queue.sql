-- Jobs of before go into the queue of all areas, in their order and with the attempts at them.
INSERT INTO {schema}.octavo_job (queue, id, progress)
  SELECT 'data-import', job, jsonb_strip_nulls(jsonb_build_object('file', file, 'format', format,
    'read_bytes', read_bytes, 'read_records', read_records))
  FROM {schema}.import_run ORDER BY number;
INSERT INTO {schema}.octavo_job_attempt (queue, id, attempts, divisor, not_before, reason)
  SELECT 'data-import', job, attempts, coalesce(CASE WHEN file IS NULL THEN 1000 ELSE 100 END / records, 1), waits_until, reason
  FROM {schema}.import_attempt JOIN {schema}.import_run USING (job);
DROP TABLE {schema}.import_attempt, {schema}.import_run;
