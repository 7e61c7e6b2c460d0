-- Jobs of before go into the queue of all areas, in their order and one after the other; those that were called off
-- end there.
INSERT INTO {schema}.octavo_job (queue, id, key, progress, cancelled)
  SELECT 'inventory', job, '00000000-0000-0000-0000-000000000000',
    jsonb_build_object('kind', kind, 'reached', reached),
    coalesce(document.jsonb->>'jobStatus' IN ('Pending cancel', 'Cancellation pending'), false)
  FROM {schema}.inventory_job_run LEFT JOIN (
    SELECT id, jsonb FROM {schema}.reindex_job UNION ALL SELECT id, jsonb FROM {schema}.iteration_job
    UNION ALL SELECT id, jsonb FROM {schema}.async_migration_job) AS document ON document.id = job
  ORDER BY number;
DROP TABLE {schema}.inventory_job_run;
