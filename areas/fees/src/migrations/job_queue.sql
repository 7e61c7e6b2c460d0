-- Jobs that wait, and those that a process has left, go into the queue of all areas. They are begun anew: nothing
-- was kept of how far they were.
INSERT INTO {schema}.octavo_job (queue, id, progress)
  SELECT 'patron-counters', id, '{}' FROM {schema}.synchronization_jobs
  WHERE jsonb->>'status' IN ('open', 'in-progress')
  ORDER BY jsonb->'metadata'->>'createdDate';
