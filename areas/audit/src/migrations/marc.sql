-- What happened to MARC records of instances and authorities. Their contents are those of the generations that are
-- kept anyway: a new record is referred to, and its content is copied when the record is changed or goes. What
-- differs is computed when somebody asks.
CREATE TABLE {schema}.audit_marc (
  event_id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL,
  entity_id uuid NOT NULL,
  event_date timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  place bigint GENERATED ALWAYS AS IDENTITY,
  action text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL,
  record_id uuid NOT NULL,
  was jsonb,
  became jsonb,
  PRIMARY KEY (entity_id, event_date, event_id)
);
CREATE INDEX audit_marc_date_idx ON {schema}.audit_marc USING brin (event_date);

-- Whether changes of records of a kind are kept.
CREATE FUNCTION {schema}.audit_keeps_marc(kind text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM {schema}.audit_setting WHERE value = 'true' AND id = CASE kind
    WHEN 'MARC_BIB' THEN 'audit.inventory.enabled' WHEN 'MARC_AUTHORITY' THEN 'audit.authority.enabled' END)
$$;

-- Who changed a record, as its metadata say.
CREATE FUNCTION {schema}.audit_marc_user(record jsonb, property text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(record #>> ARRAY['metadata', property], '00000000-0000-0000-0000-000000000000')::uuid
$$;

CREATE FUNCTION {schema}.audit_marc_added() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_bib boolean := {schema}.audit_keeps_marc('MARC_BIB');
  of_authority boolean := {schema}.audit_keeps_marc('MARC_AUTHORITY');
BEGIN
  -- Only later generations look for an earlier one: the index for that is not there during a first load.
  INSERT INTO {schema}.audit_marc (event_id, kind, entity_id, action, user_id, record_id, was, became)
    SELECT id, kind, entity, CASE WHEN was IS NULL THEN 'CREATED' ELSE 'UPDATED' END,
      {schema}.audit_marc_user(jsonb, CASE WHEN was IS NULL THEN 'createdByUserId' ELSE 'updatedByUserId' END),
      id, was, CASE WHEN was IS NOT NULL THEN content END
    FROM (SELECT it.id, it.jsonb, it.jsonb->>'recordType' AS kind, (it.jsonb->>'matchedId')::uuid AS entity,
        it.jsonb #> '{parsedRecord,content}' AS content,
        CASE WHEN (it.jsonb->>'generation')::bigint > 0 THEN (
          SELECT one.jsonb #> '{parsedRecord,content}' FROM {schema}.source_record AS one
          WHERE lower(one.jsonb->>'matchedId') COLLATE "C" = lower(it.jsonb->>'matchedId') COLLATE "C"
            AND (one.jsonb->>'generation')::bigint < (it.jsonb->>'generation')::bigint
          ORDER BY (one.jsonb->>'generation')::bigint DESC LIMIT 1) END AS was
      FROM written AS it
      WHERE it.jsonb->>'recordType' = 'MARC_BIB' AND of_bib
        OR it.jsonb->>'recordType' = 'MARC_AUTHORITY' AND of_authority
      OFFSET 0) AS record
    WHERE content IS NOT NULL AND was IS DISTINCT FROM content;
  RETURN NULL;
END $$;
-- Records that are loaded by COPY have no events either.
CREATE TRIGGER audit_added AFTER INSERT ON {schema}.source_record
  REFERENCING NEW TABLE AS written FOR EACH STATEMENT
  WHEN (coalesce(current_setting('octavo.loads', true), '') <> 'on')
  EXECUTE FUNCTION {schema}.audit_marc_added();

CREATE FUNCTION {schema}.audit_marc_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT it.id, (it.jsonb->>'matchedId')::uuid AS entity, it.jsonb->>'recordType' AS kind,
      {schema}.audit_marc_user(it.jsonb, 'updatedByUserId') AS editor,
      prior.jsonb #> '{parsedRecord,content}' AS was, it.jsonb #> '{parsedRecord,content}' AS became
    FROM written AS it JOIN replaced AS prior ON prior.id = it.id
    WHERE prior.jsonb #> '{parsedRecord,content}' IS DISTINCT FROM it.jsonb #> '{parsedRecord,content}' LOOP
    UPDATE {schema}.audit_marc SET became = one.was
      WHERE entity_id = one.entity AND record_id = one.id AND became IS NULL;
    IF one.was IS NOT NULL AND one.became IS NOT NULL AND {schema}.audit_keeps_marc(one.kind) THEN
      INSERT INTO {schema}.audit_marc (event_id, kind, entity_id, action, user_id, record_id, was, became)
        VALUES (gen_random_uuid(), one.kind, one.entity, 'UPDATED', one.editor, one.id, one.was, one.became);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER audit_changed AFTER UPDATE ON {schema}.source_record
  REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.audit_marc_changed();

-- Of the generations of a record only the one that counted is told of.
CREATE FUNCTION {schema}.audit_marc_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE {schema}.audit_marc AS entry SET became = gone.jsonb #> '{parsedRecord,content}'
    FROM gone WHERE entry.entity_id = (gone.jsonb->>'matchedId')::uuid AND entry.record_id = gone.id
      AND entry.became IS NULL AND entry.action <> 'DELETED';
  INSERT INTO {schema}.audit_marc (event_id, kind, entity_id, action, user_id, record_id, was)
    SELECT gen_random_uuid(), gone.jsonb->>'recordType', (gone.jsonb->>'matchedId')::uuid, 'DELETED',
      {schema}.audit_marc_user(gone.jsonb, 'updatedByUserId'), gone.id, gone.jsonb #> '{parsedRecord,content}'
    FROM gone WHERE gone.jsonb->>'state' IN ('ACTUAL', 'DELETED')
      AND gone.jsonb #> '{parsedRecord,content}' IS NOT NULL AND {schema}.audit_keeps_marc(gone.jsonb->>'recordType');
  RETURN NULL;
END $$;
CREATE TRIGGER audit_deleted AFTER DELETE ON {schema}.source_record
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION {schema}.audit_marc_deleted();
