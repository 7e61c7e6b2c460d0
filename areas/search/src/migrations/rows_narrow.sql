-- A search reads the rows of all that it finds, to count, sort and count facets: a row was 1 kB, and a hit
-- a page of its own. The words and dates, which mostly indexes and the order of relevance read, lie outside of
-- the row now, and what is filtered by and counted stands once for all instances that have the same of it.
CREATE TYPE {schema}.search_words AS (
  title tsvector,
  contributor tsvector,
  subject tsvector,
  keyword tsvector,
  terms tsvector,
  created text COLLATE "C",
  updated text COLLATE "C"
);
-- Each in PL/pgSQL and dear: PostgreSQL should rather go through an index than fetch words from where they
-- lie for each row of the table, and it would look into a function of SQL and see nothing dear.
CREATE FUNCTION {schema}.search_title_words(words {schema}.search_words) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 200 AS $$ BEGIN RETURN words.title; END $$;
CREATE FUNCTION {schema}.search_contributor_words(words {schema}.search_words) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 200 AS $$ BEGIN RETURN words.contributor; END $$;
CREATE FUNCTION {schema}.search_subject_words(words {schema}.search_words) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 200 AS $$ BEGIN RETURN words.subject; END $$;
CREATE FUNCTION {schema}.search_keyword_words(words {schema}.search_words) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 200 AS $$ BEGIN RETURN words.keyword; END $$;
CREATE FUNCTION {schema}.search_terms(words {schema}.search_words) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 200 AS $$ BEGIN RETURN words.terms; END $$;
CREATE FUNCTION {schema}.search_created(words {schema}.search_words) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 200 AS $$ BEGIN RETURN words.created; END $$;
CREATE FUNCTION {schema}.search_updated(words {schema}.search_words) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 200 AS $$ BEGIN RETURN words.updated; END $$;

-- A row may be there twice, for two who write the first records with it at once do not wait for each other;
-- none is taken away, for others may have seen it.
CREATE TABLE {schema}.search_facet (
  id uuid NOT NULL,
  source text,
  instance_type uuid,
  status uuid,
  mode uuid,
  formats uuid[] NOT NULL,
  contents uuid[] NOT NULL,
  codes uuid[] NOT NULL,
  languages text[] NOT NULL,
  tags text[] NOT NULL,
  staff boolean NOT NULL,
  discovery boolean NOT NULL
);
INSERT INTO {schema}.search_facet
  SELECT md5(alike::text)::uuid, alike.* FROM (SELECT DISTINCT source, instance_type, status, mode, formats,
    contents, codes, languages, tags, staff, discovery FROM {schema}.search_instance) AS alike;
CREATE INDEX search_facet_id ON {schema}.search_facet (id);
CREATE INDEX search_facet_source ON {schema}.search_facet (source);
CREATE INDEX search_facet_instance_type ON {schema}.search_facet (instance_type);
CREATE INDEX search_facet_status ON {schema}.search_facet (status);
CREATE INDEX search_facet_mode ON {schema}.search_facet (mode);
CREATE INDEX search_facet_formats ON {schema}.search_facet USING gin (formats) WHERE formats <> '{}';
CREATE INDEX search_facet_contents ON {schema}.search_facet USING gin (contents) WHERE contents <> '{}';
CREATE INDEX search_facet_codes ON {schema}.search_facet USING gin (codes) WHERE codes <> '{}';
CREATE INDEX search_facet_languages ON {schema}.search_facet USING gin (languages)
  WHERE languages <> '{}';
CREATE INDEX search_facet_tags ON {schema}.search_facet USING gin (tags) WHERE tags <> '{}';
CREATE INDEX search_facet_staff ON {schema}.search_facet (id) WHERE staff;
CREATE INDEX search_facet_discovery ON {schema}.search_facet (id) WHERE discovery;
ANALYZE {schema}.search_facet;

DROP FUNCTION {schema}.search_instance_row(uuid, jsonb);
ALTER TABLE {schema}.search_instance RENAME TO search_instance_wide;
-- PostgreSQL moves values out of rows above 2 kB only, then until the row has `toast_tuple_target`. The
-- filler makes each row so long, and is some 20 bytes when it is compressed.
CREATE TABLE {schema}.search_instance (
  id uuid NOT NULL,
  facets uuid NOT NULL,
  date1 integer,
  title_key text COLLATE "C" NOT NULL,
  contributor_key text COLLATE "C",
  words {schema}.search_words NOT NULL,
  filler text NOT NULL
) WITH (toast_tuple_target = 256);
ALTER TABLE {schema}.search_instance
  ALTER title_key SET STORAGE MAIN,
  ALTER contributor_key SET STORAGE MAIN,
  ALTER words SET STORAGE EXTERNAL,
  ALTER filler SET STORAGE MAIN;
CREATE FUNCTION {schema}.search_filler() RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT repeat(' ', 2000) $$;
INSERT INTO {schema}.search_instance
  SELECT id, md5(ROW(source, instance_type, status, mode, formats, contents, codes, languages, tags, staff,
      discovery)::text)::uuid,
    date1, title_key, contributor_key,
    ROW(title_words, contributor_words, subject_words, keyword_words, terms, created,
      updated)::{schema}.search_words,
    {schema}.search_filler()
  FROM {schema}.search_instance_wide;
DROP TABLE {schema}.search_instance_wide;
ALTER TABLE {schema}.search_instance ADD PRIMARY KEY (id);
CREATE INDEX search_instance_facets ON {schema}.search_instance (facets);
CREATE INDEX search_instance_title_key ON {schema}.search_instance (title_key, id);
CREATE INDEX search_instance_created ON {schema}.search_instance ({schema}.search_created(words));
CREATE INDEX search_instance_updated ON {schema}.search_instance ({schema}.search_updated(words));
CREATE INDEX search_instance_date1 ON {schema}.search_instance (date1);
CREATE INDEX search_instance_title_words ON {schema}.search_instance
  USING gin ({schema}.search_title_words(words));
CREATE INDEX search_instance_contributor_words ON {schema}.search_instance
  USING gin ({schema}.search_contributor_words(words));
CREATE INDEX search_instance_subject_words ON {schema}.search_instance
  USING gin ({schema}.search_subject_words(words));
CREATE INDEX search_instance_keyword_words ON {schema}.search_instance
  USING gin ({schema}.search_keyword_words(words));
CREATE INDEX search_instance_terms ON {schema}.search_instance
  USING gin ({schema}.search_terms(words));
ANALYZE {schema}.search_instance;

CREATE FUNCTION {schema}.search_instance_made(record uuid, doc jsonb)
  RETURNS TABLE (id uuid, facets uuid, date1 integer, title_key text, contributor_key text,
    words {schema}.search_words, source text, instance_type uuid, status uuid, mode uuid, formats uuid[],
    contents uuid[], codes uuid[], languages text[], tags text[], staff boolean, discovery boolean)
  LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT record, md5(facet::text)::uuid,
    CASE WHEN flat->'dates'->>'date1' ~ '^[0-9u]{4}$'
      THEN replace(flat->'dates'->>'date1', 'u', '0')::integer END,
    {schema}.search_fold(coalesce(nullif(flat->>'indexTitle', ''), flat->>'title', ''), 100),
    CASE WHEN part.contributors <> '[]' THEN (SELECT {schema}.search_fold(one->>'name', 100)
      FROM jsonb_array_elements(part.contributors) WITH ORDINALITY AS _(one, at)
      ORDER BY coalesce(one->>'primary' = 'true', false) DESC, at LIMIT 1) END,
    ROW(words.title, words.contributor, words.subject,
      setweight(words.title, 'A') || setweight(words.contributor, 'B')
        || setweight(words.identifier, 'C'),
    array_to_tsvector(
      CASE WHEN part.identifiers = '[]' THEN '{}' ELSE ARRAY(SELECT form
        FROM jsonb_array_elements(part.identifiers) AS one,
          unnest(array_append(CASE
            WHEN one->>'identifierTypeId' IN ('8261054f-be78-422d-bd51-4ed9f33c3422',
                'fcca2643-406a-482a-b760-7a7f8aec640e')
              THEN ARRAY(SELECT 'isbn:' || isbn
                FROM unnest({schema}.search_isbns(one->>'value')) AS isbn)
            WHEN one->>'identifierTypeId' IN ('913300b2-03ed-469a-8179-c1092c991227',
                '27fd35a6-b8f6-41f2-aa0e-9c663ceb250c', '5860f255-a27f-4916-a830-262aa900a6b9')
              THEN ARRAY['issn:' || {schema}.search_letters(one->>'value')]
            WHEN one->>'identifierTypeId' = '439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef'
              THEN ARRAY['oclc:' || {schema}.search_number(one->>'value')]
            WHEN one->>'identifierTypeId' IN ('c858e4f2-2b6b-4385-842b-60732ee14abb',
                'c858e4f2-2b6b-4385-842b-60532ee34abb')
              THEN ARRAY['lccn:' || {schema}.search_letters(one->>'value')] END,
            {schema}.search_term('identifier', one->>'value'))) AS form
        WHERE one->>'value' IS NOT NULL LIMIT 1000) END
      || CASE WHEN part.classifications = '[]' THEN '{}' ELSE ARRAY(SELECT form
        FROM jsonb_array_elements(part.classifications) AS one,
          unnest(ARRAY[{schema}.search_term('classification', one->>'classificationNumber'),
            'classletters:' || {schema}.search_letters(one->>'classificationNumber')]) AS form
        WHERE form IS NOT NULL LIMIT 200) END
      || CASE WHEN part.contributors = '[]' THEN '{}' ELSE ARRAY(SELECT form
        FROM jsonb_array_elements(part.contributors) AS one,
          unnest(ARRAY[{schema}.search_term('contributortype', one->>'contributorTypeId'),
            {schema}.search_term('contributornametype', one->>'contributorNameTypeId'),
            {schema}.search_term('contributorauthority', one->>'authorityId'),
            {schema}.search_term('authority', one->>'authorityId')]) AS form
        WHERE form IS NOT NULL LIMIT 500) END
      || CASE WHEN part.headed = '[]' THEN '{}' ELSE ARRAY(
        SELECT {schema}.search_term('authority', one->>'authorityId')
        FROM jsonb_array_elements(part.headed) AS one
        WHERE one->>'authorityId' IS NOT NULL LIMIT 200) END
      || ARRAY(SELECT tag || ':' || left(lexeme, 100) FROM (VALUES
          ('{alternativetitle}', CASE WHEN part.alternatives <> '[]'
            THEN
              (SELECT string_agg(one->>'alternativeTitle', ' ')
                FROM jsonb_array_elements(part.alternatives) AS one) END),
          ('{uniformtitle}', CASE WHEN part.alternatives <> '[]' THEN
            (SELECT string_agg(one->>'alternativeTitle', ' ')
            FROM jsonb_array_elements(part.alternatives) AS one
            WHERE one->>'alternativeTitleTypeId' = '30512027-cdc9-4c79-af75-1565b3bd888d') END),
          ('{indextitle}', flat->>'indexTitle'),
          ('{series}', CASE WHEN part.series <> '[]' THEN
            (SELECT string_agg(one->>'value', ' ')
              FROM jsonb_array_elements(part.series) AS one) END),
          ('{publisher}', CASE WHEN part.publication <> '[]'
            THEN
              (SELECT string_agg(one->>'publisher', ' ')
                FROM jsonb_array_elements(part.publication) AS one) END),
          (CASE WHEN part.staff_notes THEN '{note}'::text[] ELSE '{note,publicnote}' END,
            CASE WHEN part.notes <> '[]' THEN
              (SELECT string_agg(one->>'note', ' ')
                FROM jsonb_array_elements(part.notes) AS one) END),
          ('{publicnote}', CASE WHEN part.staff_notes THEN (SELECT string_agg(one->>'note', ' ')
            FROM jsonb_array_elements(part.notes) AS one
            WHERE one->>'staffOnly' IS DISTINCT FROM 'true') END),
          ('{administrativenote}', CASE WHEN part.administrative <> '[]'
            THEN
              (SELECT string_agg(one, ' ')
                FROM jsonb_array_elements_text(part.administrative) AS one) END),
          ('{electronicaccess}', CASE WHEN part.access <> '[]' THEN (SELECT string_agg(
              concat_ws(' ', one->>'uri', one->>'linkText', one->>'publicNote'), ' ')
            FROM jsonb_array_elements(part.access) AS one) END)
        ) AS field(tags, txt), LATERAL (SELECT lexeme
          FROM unnest(tsvector_to_array(public.octavo_words(left(txt, 20000)))) AS lexeme LIMIT 400)
          AS word, unnest(tags) AS tag WHERE txt <> '')),
      left(flat->'metadata'->>'createdDate', 40),
      left(flat->'metadata'->>'updatedDate', 40))::{schema}.search_words,
    facet.*
  -- Unpacked once, for PostgreSQL unpacks a long record anew for each of its properties.
  FROM (SELECT doc || '{}'::jsonb AS flat OFFSET 0) AS _, LATERAL (SELECT
    {schema}.search_list(flat->'instanceFormatIds') AS formats,
    {schema}.search_list(flat->'natureOfContentTermIds') AS contents,
    {schema}.search_list(flat->'statisticalCodeIds') AS codes,
    {schema}.search_list(flat->'languages') AS languages,
    {schema}.search_list(flat->'tags'->'tagList') AS tags,
    {schema}.search_list(flat->'contributors') AS contributors,
    {schema}.search_list(flat->'identifiers') AS identifiers,
    {schema}.search_list(flat->'classifications') AS classifications,
    {schema}.search_list(flat->'subjects') AS subjects,
    {schema}.search_list(flat->'alternativeTitles') AS alternatives,
    {schema}.search_list(flat->'series') AS series,
    {schema}.search_list(flat->'subjects') || {schema}.search_list(flat->'alternativeTitles')
      || {schema}.search_list(flat->'series') AS headed,
    {schema}.search_list(flat->'publication') AS publication,
    {schema}.search_list(flat->'notes') AS notes,
    coalesce(flat->'notes' @? '$[*].staffOnly ? (@ == true || @ == "true")', false) AS staff_notes,
    {schema}.search_list(flat->'administrativeNotes') AS administrative,
    {schema}.search_list(flat->'electronicAccess') AS access
    OFFSET 0) AS part, LATERAL (SELECT
    public.octavo_words(left(concat_ws(' ', flat->>'title', flat->>'indexTitle',
      CASE WHEN part.alternatives <> '[]'
        THEN
          (SELECT string_agg(one->>'alternativeTitle', ' ')
            FROM jsonb_array_elements(part.alternatives) AS one) END,
      CASE WHEN part.series <> '[]' THEN
        (SELECT string_agg(one->>'value', ' ')
          FROM jsonb_array_elements(part.series) AS one) END),
      50000)) AS title,
    CASE WHEN part.contributors = '[]' THEN '' ELSE public.octavo_words(left(coalesce(
        (SELECT string_agg(one->>'name', ' ')
          FROM jsonb_array_elements(part.contributors) AS one), ''), 50000)) END AS contributor,
    CASE WHEN part.subjects = '[]' THEN '' ELSE public.octavo_words(left(coalesce(
        (SELECT string_agg(one->>'value', ' ')
          FROM jsonb_array_elements(part.subjects) AS one), ''), 50000)) END AS subject,
    CASE WHEN part.identifiers = '[]' THEN '' ELSE public.octavo_words(left(coalesce(
        (SELECT string_agg(one->>'value', ' ')
          FROM jsonb_array_elements(part.identifiers) AS one), ''), 20000)) END AS identifier
    -- Kept apart, so that no text is cut into words twice.
    OFFSET 0) AS words, LATERAL (SELECT left(flat->>'source', 100) AS source,
    {schema}.search_id(flat->>'instanceTypeId') AS instance_type,
    {schema}.search_id(flat->>'statusId') AS status,
    {schema}.search_id(flat->>'modeOfIssuanceId') AS mode,
    CASE WHEN part.formats = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.formats) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END AS formats,
    CASE WHEN part.contents = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.contents) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END AS contents,
    CASE WHEN part.codes = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.codes) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END AS codes,
    CASE WHEN part.languages = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text(part.languages) AS one WHERE one IS NOT NULL LIMIT 500) END AS languages,
    CASE WHEN part.tags = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text(part.tags) AS one WHERE one IS NOT NULL LIMIT 500) END AS tags,
    coalesce(flat->>'staffSuppress' = 'true', false) AS staff,
    coalesce(flat->>'discoverySuppress' = 'true', false) AS discovery
    OFFSET 0) AS facet
  $$;

CREATE OR REPLACE FUNCTION {schema}.search_instances_added() RETURNS trigger
  LANGUAGE plpgsql SET enable_memoize = off AS $$
BEGIN
  WITH made AS MATERIALIZED (SELECT made.*
      FROM added, LATERAL {schema}.search_instance_made(added.id, added.jsonb) AS made),
    facet AS (INSERT INTO {schema}.search_facet SELECT DISTINCT ON (facets) facets, source,
        instance_type, status, mode, formats, contents, codes, languages, tags, staff, discovery
      FROM made
      WHERE NOT EXISTS (SELECT FROM {schema}.search_facet AS known WHERE known.id = made.facets))
  INSERT INTO {schema}.search_instance
    SELECT id, facets, date1, title_key, contributor_key, words, {schema}.search_filler() FROM made;
  INSERT INTO {schema}.browse_heading
    SELECT made.* FROM added, LATERAL {schema}.search_headings(added.id, added.jsonb) AS made
    ORDER BY made.kind, made.sort_key, made.heading ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE FUNCTION {schema}.search_instance_write(record uuid, doc jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.search_instance WHERE id = record;
  WITH made AS MATERIALIZED (SELECT made.* FROM {schema}.search_instance_made(record, doc) AS made),
    facet AS (INSERT INTO {schema}.search_facet SELECT facets, source, instance_type, status, mode,
        formats, contents, codes, languages, tags, staff, discovery
      FROM made
      WHERE NOT EXISTS (SELECT FROM {schema}.search_facet AS known WHERE known.id = made.facets))
  INSERT INTO {schema}.search_instance
    SELECT id, facets, date1, title_key, contributor_key, words, {schema}.search_filler() FROM made;
END $$;
CREATE OR REPLACE FUNCTION {schema}.search_instance_put(record uuid, doc jsonb) RETURNS void
  LANGUAGE plpgsql AS $$
BEGIN
  PERFORM {schema}.search_instance_write(record, doc);
  DELETE FROM {schema}.browse_heading WHERE instance_id = record;
  INSERT INTO {schema}.browse_heading
    SELECT made.* FROM {schema}.search_headings(record, doc) AS made ON CONFLICT DO NOTHING;
END $$;
-- The headings of a record that keeps them stay as they are.
CREATE OR REPLACE FUNCTION {schema}.search_instance_changed() RETURNS trigger
  LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.jsonb->'subjects') IS DISTINCT FROM (NEW.jsonb->'subjects')
    OR (OLD.jsonb->'contributors') IS DISTINCT FROM (NEW.jsonb->'contributors')
    OR (OLD.jsonb->'classifications') IS DISTINCT FROM (NEW.jsonb->'classifications') THEN
    PERFORM {schema}.search_instance_put(NEW.id, NEW.jsonb);
  ELSE
    PERFORM {schema}.search_instance_write(NEW.id, NEW.jsonb);
  END IF;
  RETURN NULL;
END $$;
