-- Background work that is not finished. Whoever does a portion of a job holds its row.
CREATE TABLE {schema}.octavo_job (
  queue text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  -- The order within a queue.
  turn bigint GENERATED ALWAYS AS IDENTITY,
  -- Jobs of one key are done one after the other.
  key uuid,
  -- How far it is, in the words of its area.
  progress jsonb NOT NULL DEFAULT '{}',
  cancelled boolean NOT NULL DEFAULT false,
  added timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (queue, id)
);
CREATE INDEX octavo_job_turn_idx ON {schema}.octavo_job (queue, turn);
CREATE INDEX octavo_job_key_idx ON {schema}.octavo_job (queue, key, turn) WHERE key IS NOT NULL;
-- How often the next portion of a job was begun and not finished. Apart from the job's row, which is locked
-- meanwhile: an attempt is counted and committed before it begins.
CREATE TABLE {schema}.octavo_job_attempt (
  queue text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  attempts integer NOT NULL,
  -- Portions are so many times smaller than usual.
  divisor integer NOT NULL DEFAULT 1,
  -- Other jobs go first until then.
  not_before timestamptz,
  reason text,
  PRIMARY KEY (queue, id),
  FOREIGN KEY (queue, id) REFERENCES {schema}.octavo_job ON DELETE CASCADE
);
