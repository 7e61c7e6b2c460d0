-- Jobs of before go into the queue of all areas, in their order; those that were called off end there.
INSERT INTO {schema}.octavo_job (queue, id, key, progress, cancelled)
  SELECT 'authorities', job, '00000000-0000-0000-0000-000000000000',
    jsonb_build_object('reached', reached), coalesce(document.jsonb->>'jobStatus' = 'Pending cancel', false)
  FROM {schema}.authority_job_run
  LEFT JOIN {schema}.authority_reindex_job AS document ON document.id = job ORDER BY number;
DROP TABLE {schema}.authority_job_run;
-- Of two changes of an authority the later one has to be last.
INSERT INTO {schema}.octavo_job (queue, id, key, progress)
  SELECT 'authority-links', gen_random_uuid(), authority_id, jsonb_build_object('unlinks', unlinks,
    'user_id', user_id, 'reached', reached, 'until', until)
  FROM {schema}.authority_change ORDER BY number;
DROP TABLE {schema}.authority_change;
