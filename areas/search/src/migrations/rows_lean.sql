-- The rows of the step before, made with less work: a list that is empty is not taken apart, a record
-- is unpacked once, and nothing is put by for rows that never come again (`enable_memoize`). What is
-- new at once comes in the order of the indexes.
CREATE OR REPLACE FUNCTION {schema}.search_instance_row(record uuid, doc jsonb)
  RETURNS SETOF {schema}.search_instance LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT record, left(flat->>'source', 100), {schema}.search_id(flat->>'instanceTypeId'),
    {schema}.search_id(flat->>'statusId'), {schema}.search_id(flat->>'modeOfIssuanceId'),
    CASE WHEN part.formats = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.formats) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END,
    CASE WHEN part.contents = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.contents) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END,
    CASE WHEN part.codes = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.codes) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END,
    CASE WHEN part.languages = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text(part.languages) AS one WHERE one IS NOT NULL LIMIT 500) END,
    CASE WHEN part.tags = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text(part.tags) AS one WHERE one IS NOT NULL LIMIT 500) END,
    coalesce(flat->>'staffSuppress' = 'true', false),
    coalesce(flat->>'discoverySuppress' = 'true', false),
    left(flat->'metadata'->>'createdDate', 40), left(flat->'metadata'->>'updatedDate', 40),
    CASE WHEN flat->'dates'->>'date1' ~ '^[0-9u]{4}$'
      THEN replace(flat->'dates'->>'date1', 'u', '0')::integer END,
    {schema}.search_fold(coalesce(nullif(flat->>'indexTitle', ''), flat->>'title', ''), 100),
    CASE WHEN part.contributors <> '[]' THEN (SELECT {schema}.search_fold(one->>'name', 100)
      FROM jsonb_array_elements(part.contributors) WITH ORDINALITY AS _(one, at)
      ORDER BY coalesce(one->>'primary' = 'true', false) DESC, at LIMIT 1) END,
    words.title, words.contributor, words.subject,
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
          ('alternativetitle', CASE WHEN part.alternatives <> '[]'
            THEN public.octavo_join(part.alternatives, 'alternativeTitle') END),
          ('uniformtitle', CASE WHEN part.alternatives <> '[]' THEN
            (SELECT string_agg(one->>'alternativeTitle', ' ')
            FROM jsonb_array_elements(part.alternatives) AS one
            WHERE one->>'alternativeTitleTypeId' = '30512027-cdc9-4c79-af75-1565b3bd888d') END),
          ('indextitle', flat->>'indexTitle'),
          ('series', CASE WHEN part.series <> '[]' THEN public.octavo_join(part.series, 'value') END),
          ('publisher', CASE WHEN part.publication <> '[]'
            THEN public.octavo_join(part.publication, 'publisher') END),
          ('note', CASE WHEN part.notes <> '[]' THEN public.octavo_join(part.notes, 'note') END),
          ('publicnote', CASE WHEN part.notes <> '[]' THEN (SELECT string_agg(one->>'note', ' ')
            FROM jsonb_array_elements(part.notes) AS one
            WHERE one->>'staffOnly' IS DISTINCT FROM 'true') END),
          ('administrativenote', CASE WHEN part.administrative <> '[]'
            THEN public.octavo_join(part.administrative) END),
          ('electronicaccess', CASE WHEN part.access <> '[]' THEN (SELECT string_agg(
              concat_ws(' ', one->>'uri', one->>'linkText', one->>'publicNote'), ' ')
            FROM jsonb_array_elements(part.access) AS one) END)
        ) AS field(tag, txt), LATERAL (SELECT lexeme
          FROM unnest(tsvector_to_array(public.octavo_words(left(txt, 20000)))) AS lexeme LIMIT 400)
          AS word WHERE txt <> ''))
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
    {schema}.search_list(flat->'administrativeNotes') AS administrative,
    {schema}.search_list(flat->'electronicAccess') AS access
    OFFSET 0) AS part, LATERAL (SELECT
    public.octavo_words(left(concat_ws(' ', flat->>'title', flat->>'indexTitle',
      CASE WHEN part.alternatives <> '[]'
        THEN public.octavo_join(part.alternatives, 'alternativeTitle') END,
      CASE WHEN part.series <> '[]' THEN public.octavo_join(part.series, 'value') END),
      50000)) AS title,
    CASE WHEN part.contributors = '[]' THEN '' ELSE public.octavo_words(left(coalesce(
      public.octavo_join(part.contributors, 'name'), ''), 50000)) END AS contributor,
    CASE WHEN part.subjects = '[]' THEN '' ELSE public.octavo_words(left(coalesce(
      public.octavo_join(part.subjects, 'value'), ''), 50000)) END AS subject,
    CASE WHEN part.identifiers = '[]' THEN '' ELSE public.octavo_words(left(coalesce(
      public.octavo_join(part.identifiers, 'value'), ''), 20000)) END AS identifier
    -- Kept apart, so that no text is cut into words twice.
    OFFSET 0) AS words
  $$;

CREATE OR REPLACE FUNCTION {schema}.search_holdings_row(record uuid, instance uuid, doc jsonb)
  RETURNS SETOF {schema}.search_holdings LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT record, instance, {schema}.search_id(doc->>'permanentLocationId'),
    {schema}.search_id(doc->>'holdingsTypeId'), {schema}.search_id(doc->>'sourceId'),
    coalesce(doc->>'discoverySuppress' = 'true', false),
    CASE WHEN part.tags = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text(part.tags) AS one WHERE one IS NOT NULL LIMIT 500) END,
    CASE WHEN part.codes = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.codes) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END,
    {schema}.search_fold(part.full_number, 200), {schema}.search_letters(part.full_number)
  FROM (SELECT {schema}.search_list(doc->'tags'->'tagList') AS tags,
    {schema}.search_list(doc->'statisticalCodeIds') AS codes,
    {schema}.search_call_number(doc->>'callNumberPrefix', doc->>'callNumber',
      doc->>'callNumberSuffix') AS full_number OFFSET 0) AS part
  $$;

CREATE OR REPLACE FUNCTION {schema}.search_item_row(
    record uuid, holdings uuid, instance uuid, doc jsonb)
  RETURNS SETOF {schema}.search_item LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT record, holdings, instance, {schema}.search_id(doc->>'effectiveLocationId'),
    {schema}.search_id(doc->>'materialTypeId'), left(doc->'status'->>'name', 100),
    coalesce(doc->>'discoverySuppress' = 'true', false),
    CASE WHEN part.tags = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text(part.tags) AS one WHERE one IS NOT NULL LIMIT 500) END,
    CASE WHEN part.codes = '[]' THEN '{}' ELSE ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text(part.codes) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500) END,
    {schema}.search_id(part.number->>'typeId'),
    {schema}.search_fold(part.full_number, 200), {schema}.search_letters(part.full_number)
  FROM (SELECT number, {schema}.search_list(doc->'tags'->'tagList') AS tags,
      {schema}.search_list(doc->'statisticalCodeIds') AS codes,
      {schema}.search_call_number(number->>'prefix', number->>'callNumber',
        number->>'suffix') AS full_number
    FROM (SELECT doc->'effectiveCallNumberComponents' AS number OFFSET 0) AS _ OFFSET 0) AS part
  $$;

CREATE OR REPLACE FUNCTION {schema}.search_call_numbers(record uuid, instance uuid, doc jsonb)
  RETURNS SETOF {schema}.browse_call_number LANGUAGE sql STABLE ROWS 2 AS $$
  SELECT option.kind, {schema}.search_shelf_key(option.shelving_algorithm, full_number),
    md5(array_to_string(ARRAY[full_number, number->>'callNumber', number->>'prefix',
      number->>'suffix', number->>'typeId'], '|', '-'))::uuid, record, instance, full_number,
    left(number->>'callNumber', 1000), left(number->>'prefix', 1000),
    left(number->>'suffix', 1000), number_type, {schema}.search_id(doc->>'effectiveLocationId')
  FROM (SELECT number, {schema}.search_id(number->>'typeId') AS number_type,
      {schema}.search_call_number(NULL, number->>'callNumber', number->>'suffix') AS full_number
    FROM (SELECT doc->'effectiveCallNumberComponents' AS number OFFSET 0) AS _ OFFSET 0) AS _
  JOIN {schema}.browse_config AS option ON option.type = 'instance-call-number'
    AND (option.type_ids = '{}' OR number_type = ANY (option.type_ids))
  WHERE full_number IS NOT NULL
  $$;

CREATE OR REPLACE FUNCTION {schema}.search_instances_added() RETURNS trigger
  LANGUAGE plpgsql SET enable_memoize = off AS $$
BEGIN
  INSERT INTO {schema}.search_instance
    SELECT made.* FROM added, LATERAL {schema}.search_instance_row(added.id, added.jsonb) AS made;
  INSERT INTO {schema}.browse_heading
    SELECT made.* FROM added, LATERAL {schema}.search_headings(added.id, added.jsonb) AS made
    ORDER BY made.kind, made.sort_key, made.heading ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION {schema}.search_holdings_added() RETURNS trigger
  LANGUAGE plpgsql SET enable_memoize = off AS $$
BEGIN
  INSERT INTO {schema}.search_holdings SELECT made.* FROM added,
    LATERAL {schema}.search_holdings_row(added.id, added.instanceid, added.jsonb) AS made;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION {schema}.search_items_added() RETURNS trigger
  LANGUAGE plpgsql SET enable_memoize = off AS $$
BEGIN
  INSERT INTO {schema}.search_item SELECT made.* FROM added
    JOIN {schema}.holdings_record AS holdings ON holdings.id = added.holdingsrecordid,
    LATERAL {schema}.search_item_row(added.id, added.holdingsrecordid, holdings.instanceid,
      added.jsonb) AS made;
  INSERT INTO {schema}.browse_call_number SELECT made.* FROM added
    JOIN {schema}.holdings_record AS holdings ON holdings.id = added.holdingsrecordid,
    LATERAL {schema}.search_call_numbers(added.id, holdings.instanceid, added.jsonb) AS made
    ORDER BY made.kind, made.sort_key, made.heading;
  RETURN NULL;
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
    DELETE FROM {schema}.search_instance WHERE id = NEW.id;
    INSERT INTO {schema}.search_instance
      SELECT made.* FROM {schema}.search_instance_row(NEW.id, NEW.jsonb) AS made;
  END IF;
  RETURN NULL;
END $$;
