-- The same rows as before, made with less work: the form of an id is seen without a long regular
-- expression, where all notes are public their words are counted out once, and lists are joined in
-- place: a function in VALUES is parsed and planned anew for each record.
CREATE OR REPLACE FUNCTION {schema}.search_id(text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN $1 COLLATE "C" LIKE '________-____-____-____-____________'
    AND $1 COLLATE "C" !~ '[^0-9A-Fa-f-]' AND length(replace($1, '-', '')) = 32 THEN $1::uuid END $$;

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
          AS word, unnest(tags) AS tag WHERE txt <> ''))
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
    OFFSET 0) AS words
  $$;
