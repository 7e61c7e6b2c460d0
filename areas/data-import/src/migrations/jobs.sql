-- Jobs: the document as it is told, and columns of what lists ask for.
CREATE SEQUENCE {schema}.import_job_hrid;
CREATE TABLE {schema}.import_job (
  id uuid PRIMARY KEY,
  document jsonb NOT NULL,
  profile jsonb,
  accepts_ids boolean NOT NULL DEFAULT false,
  is_deleted boolean NOT NULL DEFAULT false,
  succeeded bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  last_counter bigint,
  hrid bigint GENERATED ALWAYS AS ((document->>'hrId')::bigint) STORED,
  parent uuid GENERATED ALWAYS AS ((document->>'parentJobId')::uuid) STORED,
  kind text COLLATE "C" GENERATED ALWAYS AS (document->>'subordinationType') STORED,
  status text COLLATE "C" GENERATED ALWAYS AS (document->>'status') STORED,
  ui_status text COLLATE "C" GENERATED ALWAYS AS (document->>'uiStatus') STORED,
  file_name text COLLATE "C" GENERATED ALWAYS AS (document->>'fileName') STORED,
  started text COLLATE "C" GENERATED ALWAYS AS (document->>'startedDate') STORED,
  completed text COLLATE "C" GENERATED ALWAYS AS (document->>'completedDate') STORED,
  progress_total bigint GENERATED ALWAYS AS ((document->'progress'->>'total')::bigint) STORED,
  progress_current bigint GENERATED ALWAYS AS ((document->'progress'->>'current')::bigint) STORED,
  first_name text COLLATE "C" GENERATED ALWAYS AS (document->'runBy'->>'firstName') STORED,
  last_name text COLLATE "C" GENERATED ALWAYS AS (document->'runBy'->>'lastName') STORED,
  user_id uuid GENERATED ALWAYS AS ((document->>'userId')::uuid) STORED,
  profile_id uuid GENERATED ALWAYS AS ((document->'jobProfileInfo'->>'id')::uuid) STORED,
  profile_name text COLLATE "C" GENERATED ALWAYS AS (document->'jobProfileInfo'->>'name') STORED,
  hidden boolean GENERATED ALWAYS AS (coalesce((document->'jobProfileInfo'->>'hidden')::boolean, false)) STORED
);
CREATE INDEX import_job_hrid_idx ON {schema}.import_job (hrid);
CREATE INDEX import_job_parent_idx ON {schema}.import_job (parent);
CREATE INDEX import_job_status_idx ON {schema}.import_job (status, completed);
CREATE INDEX import_job_ui_status_idx ON {schema}.import_job (ui_status, completed);
CREATE INDEX import_job_completed_idx ON {schema}.import_job (completed);
CREATE INDEX import_job_started_idx ON {schema}.import_job (started);
CREATE INDEX import_job_file_name_idx ON {schema}.import_job (lower(file_name));
CREATE INDEX import_job_user_idx ON {schema}.import_job (user_id);
CREATE INDEX import_job_profile_idx ON {schema}.import_job (profile_id, completed);

-- One row for each job that is not finished. Whoever works on a job holds its row.
CREATE TABLE {schema}.import_run (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job uuid NOT NULL UNIQUE REFERENCES {schema}.import_job ON DELETE CASCADE,
  file uuid,
  format text,
  read_bytes bigint NOT NULL DEFAULT 0,
  read_records bigint NOT NULL DEFAULT 0
);

-- What clients sent and nobody has worked on yet; a chunk that is done keeps its id only, so that it
-- is not taken twice.
CREATE TABLE {schema}.import_chunk (
  id uuid PRIMARY KEY,
  job uuid NOT NULL REFERENCES {schema}.import_job ON DELETE CASCADE,
  number bigint GENERATED ALWAYS AS IDENTITY,
  format text NOT NULL,
  records jsonb
);
CREATE INDEX import_chunk_job_idx ON {schema}.import_chunk (job, number);
CREATE INDEX import_chunk_waiting_idx ON {schema}.import_chunk (job, number) WHERE records IS NOT NULL;

-- The records as they came.
CREATE TABLE {schema}.import_incoming (
  id uuid PRIMARY KEY,
  job uuid NOT NULL REFERENCES {schema}.import_job ON DELETE CASCADE,
  record_type text,
  position bigint,
  raw text NOT NULL,
  parsed jsonb
);
CREATE INDEX import_incoming_job_idx ON {schema}.import_incoming (job);

-- What became of them, one row for each thing that was done.
CREATE TABLE {schema}.import_journal (
  id uuid PRIMARY KEY,
  job uuid NOT NULL REFERENCES {schema}.import_job ON DELETE CASCADE,
  source uuid NOT NULL,
  position bigint NOT NULL,
  entity_type text COLLATE "C",
  entity_id text COLLATE "C",
  hrid text,
  action text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  error text COLLATE "C" NOT NULL DEFAULT '',
  at text COLLATE "C" NOT NULL,
  title text COLLATE "C",
  instance_id text,
  holdings_id text,
  location_id text
);
CREATE INDEX import_journal_job_idx ON {schema}.import_journal (job, position);
CREATE INDEX import_journal_source_idx ON {schema}.import_journal (job, source);
