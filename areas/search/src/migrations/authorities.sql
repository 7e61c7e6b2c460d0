-- What searches and browsing of authorities read: a row for each form of a heading, kept by triggers in
-- the transaction of the change. Records of before are taken up portion by portion.
CREATE TABLE {schema}.search_authority (
  id uuid NOT NULL,
  at integer NOT NULL,
  field text NOT NULL,
  heading_type text NOT NULL,
  ref text NOT NULL,
  is_title boolean NOT NULL,
  heading text NOT NULL,
  sort_key text COLLATE "C" NOT NULL,
  words tsvector NOT NULL,
  source_file uuid,
  natural_id text COLLATE "C",
  subject_headings text COLLATE "C",
  identifiers text[] NOT NULL,
  lccns text[] NOT NULL,
  canceled_lccns text[] NOT NULL,
  created text COLLATE "C",
  updated text COLLATE "C",
  PRIMARY KEY (id, at)
);
CREATE INDEX search_authority_words ON {schema}.search_authority USING gin (words);
CREATE INDEX search_authority_heading ON {schema}.search_authority (sort_key, id, at);
CREATE INDEX search_authority_type ON {schema}.search_authority (heading_type, sort_key, id, at);
CREATE INDEX search_authority_ref ON {schema}.search_authority (ref, sort_key, id, at);
CREATE INDEX search_authority_field ON {schema}.search_authority (field, sort_key);
CREATE INDEX search_authority_source_file ON {schema}.search_authority (source_file, sort_key);
CREATE INDEX search_authority_natural_id ON {schema}.search_authority (natural_id);
CREATE INDEX search_authority_subject_headings ON {schema}.search_authority (subject_headings, sort_key);
CREATE INDEX search_authority_created ON {schema}.search_authority (created);
CREATE INDEX search_authority_updated ON {schema}.search_authority (updated);
CREATE INDEX search_authority_title ON {schema}.search_authority (sort_key, id, at) WHERE is_title;
CREATE INDEX search_authority_identifiers ON {schema}.search_authority USING gin (identifiers)
  WHERE identifiers <> '{}';
CREATE INDEX search_authority_lccns ON {schema}.search_authority USING gin (lccns) WHERE lccns <> '{}';
CREATE INDEX search_authority_canceled_lccns ON {schema}.search_authority USING gin (canceled_lccns)
  WHERE canceled_lccns <> '{}';
-- Browsing goes along headings and references, not along what a record only points to.
CREATE INDEX search_authority_browse ON {schema}.search_authority (sort_key, id, at)
  WHERE ref <> 'Auth/Ref';
CREATE INDEX search_authority_browse_type ON {schema}.search_authority (heading_type, sort_key, id, at)
  WHERE ref <> 'Auth/Ref';

-- The properties that hold headings, with FOLIO's names of their types.
CREATE TABLE {schema}.search_heading_field (
  name text PRIMARY KEY,
  place integer NOT NULL,
  heading_type text NOT NULL,
  ref text NOT NULL,
  is_title boolean NOT NULL
);
INSERT INTO {schema}.search_heading_field
  SELECT CASE form.ref WHEN 'Authorized' THEN kind.name
      ELSE form.prefix || upper(left(kind.name, 1)) || substr(kind.name, 2) END,
    kind.place * 3 + form.place, kind.heading_type, form.ref, kind.name LIKE '%NameTitle'
  FROM (VALUES (1, 'personalName', 'Personal Name'), (2, 'personalNameTitle', 'Personal Name'),
      (3, 'corporateName', 'Corporate Name'), (4, 'corporateNameTitle', 'Corporate Name'),
      (5, 'meetingName', 'Conference Name'), (6, 'meetingNameTitle', 'Conference Name'),
      (7, 'geographicName', 'Geographic Name'), (8, 'uniformTitle', 'Uniform Title'),
      (9, 'namedEvent', 'Named Event'), (10, 'generalSubdivision', 'General Subdivision'),
      (11, 'topicalTerm', 'Topical'), (12, 'genreTerm', 'Genre'),
      (13, 'chronTerm', 'Chronological Term'),
      (14, 'mediumPerfTerm', 'Medium of Performance Term'),
      (15, 'geographicSubdivision', 'Geographic Subdivision'),
      (16, 'chronSubdivision', 'Chronological Subdivision'),
      (17, 'formSubdivision', 'Form Subdivision')) AS kind (place, name, heading_type),
    (VALUES (0, '', 'Authorized'), (1, 'sft', 'Reference'), (2, 'saft', 'Auth/Ref'))
      AS form (place, prefix, ref);

CREATE FUNCTION {schema}.search_authority_rows(record uuid, doc jsonb)
  RETURNS SETOF {schema}.search_authority LANGUAGE sql STABLE ROWS 3 AS $$
  SELECT record, (row_number() OVER (ORDER BY one.place, value.at))::integer, one.name,
    one.heading_type, one.ref, one.is_title, left(value.heading, 2500),
    {schema}.search_fold(btrim(value.heading), 200), public.octavo_words(left(value.heading, 20000)),
    {schema}.search_id(doc->>'sourceFileId'), {schema}.search_fold(doc->>'naturalId', 250),
    {schema}.search_fold(doc->>'subjectHeadings', 10),
    ARRAY(SELECT {schema}.search_fold(btrim(part->>'value'), 250)
      FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS part
      WHERE part->>'value' IS NOT NULL LIMIT 500),
    ARRAY(SELECT {schema}.search_letters(part->>'value')
      FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS part
      WHERE part->>'identifierTypeId' = 'c858e4f2-2b6b-4385-842b-60732ee14abb' LIMIT 100),
    ARRAY(SELECT {schema}.search_letters(part->>'value')
      FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS part
      WHERE part->>'identifierTypeId' = 'c858e4f2-2b6b-4385-842b-60532ee34abb' LIMIT 100),
    left(doc->'metadata'->>'createdDate', 40), left(doc->'metadata'->>'updatedDate', 40)
  FROM {schema}.search_heading_field AS one
  CROSS JOIN LATERAL (SELECT heading, at FROM jsonb_array_elements_text(
    CASE jsonb_typeof(doc->one.name) WHEN 'array' THEN doc->one.name
      WHEN 'string' THEN jsonb_build_array(doc->one.name) ELSE '[]' END)
    WITH ORDINALITY AS _ (heading, at) LIMIT 2000) AS value
  WHERE doc ? one.name AND value.heading IS NOT NULL
$$;

CREATE FUNCTION {schema}.search_authorities_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.search_authority SELECT made.* FROM added,
    LATERAL {schema}.search_authority_rows(added.id, added.jsonb) AS made;
  RETURN NULL;
END $$;
CREATE TRIGGER search_added AFTER INSERT ON {schema}.authority
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_authorities_added();

CREATE FUNCTION {schema}.search_authority_put(record uuid, doc jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_authority WHERE id = record;
  INSERT INTO {schema}.search_authority
    SELECT made.* FROM {schema}.search_authority_rows(record, doc) AS made;
END $$;
CREATE FUNCTION {schema}.search_authority_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM {schema}.search_authority_put(NEW.id, NEW.jsonb);
  RETURN NULL;
END $$;
CREATE TRIGGER search_changed AFTER UPDATE ON {schema}.authority FOR EACH ROW
  EXECUTE FUNCTION {schema}.search_authority_changed();

CREATE FUNCTION {schema}.search_authorities_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_authority USING gone WHERE search_authority.id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER search_deleted AFTER DELETE ON {schema}.authority
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.search_authorities_deleted();

INSERT INTO {schema}.search_fill (kind, done)
  VALUES ('authority', NOT EXISTS (SELECT FROM {schema}.authority));
