-- A line of the log for each record of a job, with what pages are filtered and ordered by. Pages walk
-- along an index of it, and never through the job's journal.
CREATE TABLE {schema}.import_line (
  job uuid NOT NULL REFERENCES {schema}.import_job ON DELETE CASCADE,
  position bigint NOT NULL,
  source uuid NOT NULL,
  -- What the record has entries of, and entries with errors, as bits: 1 anything at all, 2 MARC
  -- records, 4 instances, 8 holdings, 16 items, 32 authorities, 64 lines of orders, 128 invoices.
  entities smallint NOT NULL,
  failed smallint NOT NULL,
  -- The beginnings of texts that lines are ordered by.
  title text COLLATE "C",
  error text COLLATE "C",
  -- What became of each: C created, D discarded, U updated.
  marc "char",
  instance "char",
  holdings "char",
  item "char",
  authority "char",
  po_line "char",
  invoice "char",
  -- With what is filtered by, so that a page far behind is reached within the index.
  PRIMARY KEY (job, position, source) INCLUDE (entities)
);
CREATE INDEX import_line_title_idx ON {schema}.import_line (job, title, position);
CREATE INDEX import_line_marc_idx ON {schema}.import_line (job, marc, position);
CREATE INDEX import_line_instance_idx ON {schema}.import_line (job, instance, position);
CREATE INDEX import_line_failed_idx ON {schema}.import_line (job, position, source) WHERE failed <> 0;

-- How many lines a job has, and the numbers of its summary. They change with each portion.
CREATE TABLE {schema}.import_count (
  job uuid NOT NULL REFERENCES {schema}.import_job ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY (job, name)
);

-- Whether a job has counted an instance as updated.
CREATE INDEX import_journal_updated_idx ON {schema}.import_journal (job, entity_id)
  WHERE entity_type = 'INSTANCE' AND action = 'UPDATE' AND status = 'COMPLETED';

-- Jobs that are removed some days after they were complete. Those that never were are from now on.
CREATE INDEX import_job_deleted_idx ON {schema}.import_job (completed) WHERE is_deleted;
UPDATE {schema}.import_job SET document = document || jsonb_build_object('completedDate',
  to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'))
  WHERE is_deleted AND completed IS NULL;
