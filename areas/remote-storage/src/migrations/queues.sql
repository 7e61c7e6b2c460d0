-- Which locations lie in which remote storage. A location that is mapped is a final one; the originals tell from
-- where items go to it. There is no reference to the configuration: it may come later and go earlier.
CREATE TABLE {schema}.location_mappings (
  final_location_id uuid PRIMARY KEY,
  remote_configuration_id uuid NOT NULL
);
CREATE INDEX location_mappings_configuration_idx ON {schema}.location_mappings (remote_configuration_id);
CREATE TABLE {schema}.original_locations (
  final_location_id uuid NOT NULL REFERENCES {schema}.location_mappings ON DELETE CASCADE ON UPDATE CASCADE,
  original_location_id uuid NOT NULL,
  PRIMARY KEY (final_location_id, original_location_id)
);
CREATE INDEX original_locations_original_idx ON {schema}.original_locations (original_location_id);

-- What a storage is to take in, and what it is to send. `row` has what was true of item and patron then; the
-- other columns are what rows are found by.
CREATE TABLE {schema}.accession_queue (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  remote_storage_id uuid NOT NULL,
  item_barcode text,
  created_date_time timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  accessioned_date_time timestamptz,
  row jsonb NOT NULL
);
CREATE TABLE {schema}.retrieval_queue (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  remote_storage_id uuid NOT NULL,
  hold_id text,
  item_barcode text,
  created_date_time timestamptz NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
  retrieved_date_time timestamptz,
  request_type text NOT NULL,
  row jsonb NOT NULL
);
-- What waits, in the order of a page: of one storage, and of all. What is done is found by storage and by date.
CREATE INDEX accession_queue_waiting_idx ON {schema}.accession_queue
  (remote_storage_id, created_date_time, id) WHERE accessioned_date_time IS NULL;
CREATE INDEX accession_queue_all_waiting_idx ON {schema}.accession_queue
  (created_date_time, id) WHERE accessioned_date_time IS NULL;
CREATE INDEX accession_queue_done_idx ON {schema}.accession_queue
  (remote_storage_id, created_date_time, id) WHERE accessioned_date_time IS NOT NULL;
CREATE INDEX accession_queue_created_idx ON {schema}.accession_queue (created_date_time, id);
CREATE INDEX accession_queue_storage_idx ON {schema}.accession_queue (remote_storage_id, created_date_time, id);
CREATE INDEX accession_queue_barcode_idx ON {schema}.accession_queue (item_barcode)
  WHERE accessioned_date_time IS NULL;
CREATE INDEX retrieval_queue_waiting_idx ON {schema}.retrieval_queue
  (remote_storage_id, created_date_time, id) WHERE retrieved_date_time IS NULL;
CREATE INDEX retrieval_queue_all_waiting_idx ON {schema}.retrieval_queue
  (created_date_time, id) WHERE retrieved_date_time IS NULL;
CREATE INDEX retrieval_queue_done_idx ON {schema}.retrieval_queue
  (remote_storage_id, created_date_time, id) WHERE retrieved_date_time IS NOT NULL;
CREATE INDEX retrieval_queue_created_idx ON {schema}.retrieval_queue (created_date_time, id);
CREATE INDEX retrieval_queue_storage_idx ON {schema}.retrieval_queue (remote_storage_id, created_date_time, id);
CREATE INDEX retrieval_queue_barcode_idx ON {schema}.retrieval_queue (item_barcode)
  WHERE retrieved_date_time IS NULL;
CREATE INDEX retrieval_queue_hold_idx ON {schema}.retrieval_queue (hold_id, remote_storage_id, created_date_time);

-- The first value of an instance's identifiers of a type.
CREATE FUNCTION {schema}.remote_identifier(title jsonb, type text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT one->>'value' FROM jsonb_array_elements(
      CASE WHEN jsonb_typeof(title->'identifiers') = 'array' THEN title->'identifiers' ELSE '[]' END)
      WITH ORDINALITY AS _(one, at)
    JOIN {schema}.identifier_type AS kind ON kind.id::text = one->>'identifierTypeId'
  WHERE kind.jsonb->>'name' = type ORDER BY at LIMIT 1
$$;
-- The contributors who are named as authors, or all where none is.
CREATE FUNCTION {schema}.remote_authors(title jsonb) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(string_agg(one->>'name', '; ' ORDER BY at) FILTER (WHERE kind.id IS NOT NULL),
      string_agg(one->>'name', '; ' ORDER BY at))
  FROM jsonb_array_elements(
      CASE WHEN jsonb_typeof(title->'contributors') = 'array' THEN title->'contributors' ELSE '[]' END)
      WITH ORDINALITY AS _(one, at)
    LEFT JOIN {schema}.contributor_type AS kind
      ON kind.id::text = one->>'contributorTypeId' AND kind.jsonb->>'name' = 'Author'
$$;

-- What a storage is told of an item that it takes in.
CREATE FUNCTION {schema}.remote_accession_row(item jsonb, title jsonb, place uuid) RETURNS jsonb
LANGUAGE sql STABLE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'itemBarcode', item->'barcode',
    'callNumber', item->'effectiveCallNumberComponents'->'callNumber',
    'instanceTitle', title->'title',
    'instanceAuthor', {schema}.remote_authors(title),
    'instanceContributors', (SELECT string_agg(one->>'name', '; ' ORDER BY at)
      FROM jsonb_array_elements(CASE WHEN jsonb_typeof(title->'contributors') = 'array'
        THEN title->'contributors' ELSE '[]' END) WITH ORDINALITY AS _(one, at)),
    'publisher', title->'publication'->0->'publisher',
    'publishYear', title->'publication'->0->'dateOfPublication',
    'publishPlace', title->'publication'->0->'place',
    'volume', item->'volume',
    'enumeration', item->'enumeration',
    'chronology', item->'chronology',
    'isbn', {schema}.remote_identifier(title, 'ISBN'),
    'issn', {schema}.remote_identifier(title, 'ISSN'),
    'oclc', {schema}.remote_identifier(title, 'OCLC'),
    'physicalDescription', (SELECT string_agg(one, '; ' ORDER BY at)
      FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof(title->'physicalDescriptions') = 'array'
        THEN title->'physicalDescriptions' ELSE '[]' END) WITH ORDINALITY AS _(one, at)),
    'copyNumber', item->'copyNumber',
    'permanentLocationId', place,
    'notes', (SELECT coalesce(jsonb_agg(jsonb_build_object('noteType', kind.jsonb->'name',
        'note', one->'note', 'staffOnly', coalesce(one->'staffOnly', 'false')) ORDER BY at), '[]')
      FROM jsonb_array_elements(CASE WHEN jsonb_typeof(item->'notes') = 'array'
        THEN item->'notes' ELSE '[]' END) WITH ORDINALITY AS _(one, at)
      LEFT JOIN {schema}.item_note_type AS kind ON kind.id::text = one->>'itemNoteTypeId')))
$$;

-- Lines a request for an item up for a storage, or where none is given for that of the item's location; gives
-- whether there is one.
CREATE FUNCTION {schema}.remote_retrieval_add(request jsonb, wanted uuid, storage uuid, kind text)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.retrieval_queue (remote_storage_id, hold_id, item_barcode, request_type, row)
    SELECT coalesce(storage, place.remote_configuration_id), request->>'id', item.jsonb->>'barcode', kind,
      jsonb_strip_nulls(jsonb_build_object(
        'instanceTitle', title.jsonb->'title',
        'instanceAuthor', {schema}.remote_authors(title.jsonb),
        'callNumber', item.jsonb->'effectiveCallNumberComponents'->'callNumber',
        'patronBarcode', patron.jsonb->'barcode',
        'patronName', patron.jsonb->'username',
        'pickupLocation', point.jsonb->'code',
        'requestStatus', request->'status',
        'requestNote', request->'patronComments'))
    FROM {schema}.item AS item
      LEFT JOIN {schema}.location_mappings AS place ON place.final_location_id = item.effectivelocationid
      JOIN {schema}.holdings_record AS shelf ON shelf.id = item.holdingsrecordid
      JOIN {schema}.instance AS title ON title.id = shelf.instanceid
      LEFT JOIN {schema}.users AS patron ON patron.id = (request->>'requesterId')::uuid
      LEFT JOIN {schema}.service_point AS point ON point.id = (request->>'pickupServicePointId')::uuid
    WHERE item.id = wanted AND coalesce(storage, place.remote_configuration_id) IS NOT NULL;
  RETURN FOUND;
END $$;

-- Items that are new at a location of a storage. One statement for all items of a batch or a load.
CREATE FUNCTION {schema}.remote_items_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Most libraries have no remote storage.
  IF EXISTS (SELECT FROM {schema}.location_mappings) THEN
    INSERT INTO {schema}.accession_queue (remote_storage_id, item_barcode, row)
      SELECT place.remote_configuration_id, added.jsonb->>'barcode',
        {schema}.remote_accession_row(added.jsonb, title.jsonb, added.effectivelocationid)
      FROM added
        JOIN {schema}.location_mappings AS place ON place.final_location_id = added.effectivelocationid
        JOIN {schema}.holdings_record AS shelf ON shelf.id = added.holdingsrecordid
        JOIN {schema}.instance AS title ON title.id = shelf.instanceid;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER remote_added AFTER INSERT ON {schema}.item
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION {schema}.remote_items_added();

-- Items that come to one, however: by their own location, by that of their holdings, or by a move.
CREATE FUNCTION {schema}.remote_item_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.effectivelocationid IS DISTINCT FROM OLD.effectivelocationid THEN
    INSERT INTO {schema}.accession_queue (remote_storage_id, item_barcode, row)
      SELECT place.remote_configuration_id, NEW.jsonb->>'barcode',
        {schema}.remote_accession_row(NEW.jsonb, title.jsonb, NEW.effectivelocationid)
      FROM {schema}.location_mappings AS place, {schema}.holdings_record AS shelf
        JOIN {schema}.instance AS title ON title.id = shelf.instanceid
      WHERE place.final_location_id = NEW.effectivelocationid AND shelf.id = NEW.holdingsrecordid;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER remote_moved AFTER UPDATE ON {schema}.item
  FOR EACH ROW EXECUTE FUNCTION {schema}.remote_item_moved();

-- A request that is, or becomes, a page of an item in a storage. A hold or a recall waits for the item to come
-- back, so the storage has nothing to send.
CREATE FUNCTION {schema}.remote_request_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.jsonb->>'requestType' = 'Page'
    AND (TG_OP = 'INSERT' OR OLD.jsonb->>'requestType' IS DISTINCT FROM 'Page')
    AND NEW.jsonb->>'itemId' IS NOT NULL THEN
    PERFORM {schema}.remote_retrieval_add(NEW.jsonb, (NEW.jsonb->>'itemId')::uuid, NULL, 'PYR');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER remote_written AFTER INSERT OR UPDATE ON {schema}.request
  FOR EACH ROW EXECUTE FUNCTION {schema}.remote_request_written();

-- The hold or recall that is first in the queue of an item, by the index of open requests.
CREATE FUNCTION {schema}.remote_first_waiting(wanted uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb FROM {schema}.request
  WHERE left(lower(((jsonb->>'itemId') || ' ' || lpad(coalesce(jsonb->>'position', '0'), 9, '0'))), 600)
      COLLATE "C" = (wanted::text || ' 000000001') COLLATE "C"
    AND jsonb->>'status' IN ('Open - Not yet filled', 'Open - Awaiting pickup', 'Open - In transit',
      'Open - Awaiting delivery')
    AND jsonb->>'requestType' IN ('Hold', 'Recall')
  LIMIT 1
$$;

-- An item that staff take in, though its storage expects it: the storage is told that it stays out.
CREATE FUNCTION {schema}.remote_checked_in() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  taken uuid := (NEW.jsonb->>'itemId')::uuid;
  waiting jsonb;
BEGIN
  -- Most libraries have no remote storage, and every check-in comes here.
  IF NOT EXISTS (SELECT FROM {schema}.location_mappings) THEN
    RETURN NULL;
  END IF;
  IF EXISTS (SELECT FROM {schema}.location_mappings AS place
      JOIN {schema}.item AS item ON item.effectivelocationid = place.final_location_id
      JOIN {schema}.remote_storage_configurations AS storage ON storage.id = place.remote_configuration_id
      WHERE item.id = taken AND storage.jsonb->>'providerName' = 'CAIA_SOFT'
        AND storage.jsonb->>'returningWorkflowDetails' = 'Scanned to folio') THEN
    waiting := {schema}.remote_first_waiting(taken);
    IF waiting IS NOT NULL THEN
      PERFORM {schema}.remote_retrieval_add(waiting, taken, NULL, 'REF');
    END IF;
  END IF;
  RETURN NULL;
END $$;
-- At the end of the transaction: the request that gets the item is told as it is then.
CREATE CONSTRAINT TRIGGER remote_checked_in AFTER INSERT ON {schema}.check_in
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {schema}.remote_checked_in();
