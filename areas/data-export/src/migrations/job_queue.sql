-- Jobs of before go into the queue of all areas, in the order of their turns.
INSERT INTO {schema}.octavo_job (queue, id, progress)
  SELECT 'data-export', job, jsonb_build_object('request', request, 'state', state, 'reached', reached)
  FROM {schema}.data_export_run ORDER BY turn;
DROP TABLE {schema}.data_export_run;
