-- The rows of a record: the same for what is new, what changes and what is taken up later. Each is
-- one SELECT, so that PostgreSQL puts it into the statement that asks for it.
CREATE FUNCTION {schema}.search_id(text) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN $1 ~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' THEN $1::uuid END $$;
CREATE FUNCTION {schema}.search_list(jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN jsonb_typeof($1) = 'array' THEN $1 ELSE '[]'::jsonb END $$;
CREATE FUNCTION {schema}.search_fold(text, integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT left(lower(public.f_unaccent(left($1, $2))), $2) $$;
CREATE FUNCTION {schema}.search_letters(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT regexp_replace({schema}.search_fold($1, 200), '[^[:alnum:]]', '', 'g') $$;
-- The digits of a number without what stands before them: `(OCoLC)ocm0001234` is `1234`.
CREATE FUNCTION {schema}.search_number(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT ltrim(regexp_replace(left($1, 100), '[^0-9]', '', 'g'), '0') $$;
-- A call number as one reads it; NULL when there is none.
CREATE FUNCTION {schema}.search_call_number(prefix text, number text, suffix text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN btrim(number) <> '' THEN left(array_to_string(ARRAY[
          nullif(btrim(prefix), ''), btrim(number), nullif(btrim(suffix), '')], ' '), 1000) END $$;

-- The forms by which an ISBN is found: as it is, and with 13 digits for 10 and 10 for 13.
CREATE FUNCTION {schema}.search_isbns(txt text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    number text := upper(translate(substring(left(txt, 100) FROM '^[0-9xX -]*'), ' -', ''));
    body text;
    weighed integer;
  BEGIN
    IF number ~ '^[0-9]{9}[0-9X]$' THEN
      body := '978' || left(number, 9);
      weighed := (SELECT sum(substr(body, at, 1)::integer * CASE at % 2 WHEN 1 THEN 1 ELSE 3 END)
        FROM generate_series(1, 12) AS at);
      RETURN ARRAY[number, body || ((10 - weighed % 10) % 10)];
    ELSIF number ~ '^978[0-9]{10}$' THEN
      body := substr(number, 4, 9);
      weighed := (SELECT sum(substr(body, at, 1)::integer * (11 - at))
        FROM generate_series(1, 9) AS at);
      weighed := (11 - weighed % 11) % 11;
      RETURN ARRAY[number, body || CASE weighed WHEN 10 THEN 'X' ELSE weighed::text END];
    ELSIF number = '' THEN
      RETURN '{}';
    END IF;
    RETURN ARRAY[number];
  END $$;

-- What is compared whole: a tag, a colon, the folded text.
CREATE FUNCTION {schema}.search_term(tag text, txt text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT tag || ':' || {schema}.search_fold(btrim(txt), 100) $$;
CREATE FUNCTION {schema}.search_query(tag text, txt text, starting boolean) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT ('''' || replace(replace({schema}.search_term(tag, txt), chr(92), chr(92) || chr(92)),
          '''', '''''') || '''' || CASE WHEN starting THEN ':*' ELSE '' END)::tsquery $$;
-- The words of a text, each behind the tag.
CREATE FUNCTION {schema}.search_words_query(tag text, txt text, starting boolean) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  BEGIN
    RETURN coalesce((SELECT string_agg({schema}.search_query(tag, lexeme, starting)::text, ' & ')
      FROM unnest(public.octavo_words(txt)))::tsquery, ''::tsquery);
  END $$;

CREATE FUNCTION {schema}.search_instance_row(record uuid, doc jsonb)
  RETURNS SETOF {schema}.search_instance LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT record, left(doc->>'source', 100), {schema}.search_id(doc->>'instanceTypeId'),
    {schema}.search_id(doc->>'statusId'), {schema}.search_id(doc->>'modeOfIssuanceId'),
    ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'instanceFormatIds')) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500),
    ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'natureOfContentTermIds')) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500),
    ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'statisticalCodeIds')) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500),
    ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'languages')) AS one
      WHERE one IS NOT NULL LIMIT 500),
    ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'tags'->'tagList')) AS one
      WHERE one IS NOT NULL LIMIT 500),
    coalesce(doc->>'staffSuppress' = 'true', false),
    coalesce(doc->>'discoverySuppress' = 'true', false),
    left(doc->'metadata'->>'createdDate', 40), left(doc->'metadata'->>'updatedDate', 40),
    CASE WHEN doc->'dates'->>'date1' ~ '^[0-9u]{4}$'
      THEN replace(doc->'dates'->>'date1', 'u', '0')::integer END,
    {schema}.search_fold(coalesce(nullif(doc->>'indexTitle', ''), doc->>'title', ''), 100),
    (SELECT {schema}.search_fold(one->>'name', 100)
      FROM jsonb_array_elements({schema}.search_list(doc->'contributors')) WITH ORDINALITY AS _(one, at)
      ORDER BY coalesce(one->>'primary' = 'true', false) DESC, at LIMIT 1),
    words.title, words.contributor, words.subject,
    setweight(words.title, 'A') || setweight(words.contributor, 'B')
      || setweight(words.identifier, 'C'),
    array_to_tsvector(ARRAY(
      (SELECT {schema}.search_term('identifier', one->>'value')
        FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS one
        WHERE one->>'value' IS NOT NULL LIMIT 500)
      UNION (SELECT 'isbn:' || form
        FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS one,
          unnest({schema}.search_isbns(one->>'value')) AS form
        WHERE one->>'identifierTypeId' IN ('8261054f-be78-422d-bd51-4ed9f33c3422',
          'fcca2643-406a-482a-b760-7a7f8aec640e') LIMIT 500)
      UNION (SELECT 'issn:' || {schema}.search_letters(one->>'value')
        FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS one
        WHERE one->>'value' IS NOT NULL AND one->>'identifierTypeId' IN (
          '913300b2-03ed-469a-8179-c1092c991227', '27fd35a6-b8f6-41f2-aa0e-9c663ceb250c',
          '5860f255-a27f-4916-a830-262aa900a6b9') LIMIT 100)
      UNION (SELECT 'oclc:' || {schema}.search_number(one->>'value')
        FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS one
        WHERE one->>'value' IS NOT NULL
          AND one->>'identifierTypeId' = '439bfbae-75bc-4f74-9fc7-b2a2d47ce3ef' LIMIT 100)
      UNION (SELECT 'lccn:' || {schema}.search_letters(one->>'value')
        FROM jsonb_array_elements({schema}.search_list(doc->'identifiers')) AS one
        WHERE one->>'value' IS NOT NULL AND one->>'identifierTypeId' IN (
          'c858e4f2-2b6b-4385-842b-60732ee14abb', 'c858e4f2-2b6b-4385-842b-60532ee34abb') LIMIT 100)
      UNION (SELECT form FROM jsonb_array_elements({schema}.search_list(doc->'classifications')) AS one,
          unnest(ARRAY[{schema}.search_term('classification', one->>'classificationNumber'),
            'classletters:' || {schema}.search_letters(one->>'classificationNumber')]) AS form
        WHERE form IS NOT NULL LIMIT 200)
      UNION (SELECT form FROM jsonb_array_elements({schema}.search_list(doc->'contributors')) AS one,
          unnest(ARRAY[{schema}.search_term('contributortype', one->>'contributorTypeId'),
            {schema}.search_term('contributornametype', one->>'contributorNameTypeId'),
            {schema}.search_term('contributorauthority', one->>'authorityId'),
            {schema}.search_term('authority', one->>'authorityId')]) AS form
        WHERE form IS NOT NULL LIMIT 500)
      UNION (SELECT {schema}.search_term('authority', one->>'authorityId')
        FROM jsonb_array_elements({schema}.search_list(doc->'subjects')
          || {schema}.search_list(doc->'alternativeTitles') || {schema}.search_list(doc->'series')) AS one
        WHERE one->>'authorityId' IS NOT NULL LIMIT 200)
      UNION (SELECT tag || ':' || left(lexeme, 100) FROM (VALUES
          ('alternativetitle', public.octavo_join(doc->'alternativeTitles', 'alternativeTitle')),
          ('uniformtitle', (SELECT string_agg(one->>'alternativeTitle', ' ')
            FROM jsonb_array_elements({schema}.search_list(doc->'alternativeTitles')) AS one
            WHERE one->>'alternativeTitleTypeId' = '30512027-cdc9-4c79-af75-1565b3bd888d')),
          ('indextitle', doc->>'indexTitle'),
          ('series', public.octavo_join(doc->'series', 'value')),
          ('publisher', public.octavo_join(doc->'publication', 'publisher')),
          ('note', public.octavo_join(doc->'notes', 'note')),
          ('publicnote', (SELECT string_agg(one->>'note', ' ')
            FROM jsonb_array_elements({schema}.search_list(doc->'notes')) AS one
            WHERE one->>'staffOnly' IS DISTINCT FROM 'true')),
          ('administrativenote', public.octavo_join(doc->'administrativeNotes')),
          ('electronicaccess', (SELECT string_agg(concat_ws(' ', one->>'uri', one->>'linkText',
              one->>'publicNote'), ' ')
            FROM jsonb_array_elements({schema}.search_list(doc->'electronicAccess')) AS one))
        ) AS field(tag, txt), LATERAL (SELECT lexeme
          FROM unnest(public.octavo_words(left(txt, 20000))) LIMIT 400) AS word)))
  FROM (SELECT
    public.octavo_words(left(array_to_string(ARRAY[doc->>'title', doc->>'indexTitle',
      public.octavo_join({schema}.search_list(doc->'alternativeTitles'), 'alternativeTitle'),
      public.octavo_join({schema}.search_list(doc->'series'), 'value')], ' '), 50000)) AS title,
    public.octavo_words(left(coalesce(public.octavo_join(
      {schema}.search_list(doc->'contributors'), 'name'), ''), 50000)) AS contributor,
    public.octavo_words(left(coalesce(public.octavo_join(
      {schema}.search_list(doc->'subjects'), 'value'), ''), 50000)) AS subject,
    public.octavo_words(left(coalesce(public.octavo_join(
      {schema}.search_list(doc->'identifiers'), 'value'), ''), 20000)) AS identifier
    -- Kept apart, so that no text is cut into words twice.
    OFFSET 0) AS words
  $$;

CREATE FUNCTION {schema}.search_headings(record uuid, doc jsonb)
  RETURNS SETOF {schema}.browse_heading LANGUAGE sql STABLE ROWS 5 AS $$
  (SELECT 1::smallint, {schema}.search_fold(value, 200),
      md5(array_to_string(ARRAY[value, authority, type, source], '|', '-'))::uuid, record, value,
      {schema}.search_id(type), {schema}.search_id(source), {schema}.search_id(authority), '{}'::uuid[]
    FROM (SELECT DISTINCT left(btrim(one->>'value'), 1000) AS value, one->>'typeId' AS type,
        one->>'sourceId' AS source, one->>'authorityId' AS authority
      FROM jsonb_array_elements({schema}.search_list(doc->'subjects')) AS one) AS subject
    WHERE value <> '' LIMIT 1000)
  UNION ALL
  (SELECT 2::smallint, {schema}.search_fold(value, 200),
      md5(array_to_string(ARRAY[value, authority, type], '|', '-'))::uuid, record, value,
      {schema}.search_id(type), NULL, {schema}.search_id(authority),
      coalesce(array_agg(DISTINCT relator) FILTER (WHERE relator IS NOT NULL), '{}')
    FROM (SELECT left(btrim(one->>'name'), 1000) AS value, one->>'contributorNameTypeId' AS type,
        one->>'authorityId' AS authority, {schema}.search_id(one->>'contributorTypeId') AS relator
      FROM jsonb_array_elements({schema}.search_list(doc->'contributors')) AS one) AS contributor
    WHERE value <> '' GROUP BY value, type, authority LIMIT 1000)
  UNION ALL
  (SELECT option.kind, {schema}.search_shelf_key(option.shelving_algorithm, value),
      md5(array_to_string(ARRAY[value, classification.type], '|', '-'))::uuid, record, value,
      {schema}.search_id(classification.type), NULL, NULL, '{}'
    FROM (SELECT DISTINCT left(btrim(one->>'classificationNumber'), 1000) AS value,
        one->>'classificationTypeId' AS type
      FROM jsonb_array_elements({schema}.search_list(doc->'classifications')) AS one) AS classification
    JOIN {schema}.browse_config AS option ON option.type = 'instance-classification'
      AND (option.type_ids = '{}' OR {schema}.search_id(classification.type) = ANY (option.type_ids))
    WHERE value <> '' LIMIT 1000)
  $$;

CREATE FUNCTION {schema}.search_holdings_row(record uuid, instance uuid, doc jsonb)
  RETURNS SETOF {schema}.search_holdings LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT record, instance, {schema}.search_id(doc->>'permanentLocationId'),
    {schema}.search_id(doc->>'holdingsTypeId'), {schema}.search_id(doc->>'sourceId'),
    coalesce(doc->>'discoverySuppress' = 'true', false),
    ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'tags'->'tagList')) AS one
      WHERE one IS NOT NULL LIMIT 500),
    ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'statisticalCodeIds')) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500),
    {schema}.search_fold(full_number, 200), {schema}.search_letters(full_number)
  FROM (SELECT {schema}.search_call_number(doc->>'callNumberPrefix', doc->>'callNumber',
    doc->>'callNumberSuffix') AS full_number) AS _
  $$;

CREATE FUNCTION {schema}.search_item_row(record uuid, holdings uuid, instance uuid, doc jsonb)
  RETURNS SETOF {schema}.search_item LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT record, holdings, instance, {schema}.search_id(doc->>'effectiveLocationId'),
    {schema}.search_id(doc->>'materialTypeId'), left(doc->'status'->>'name', 100),
    coalesce(doc->>'discoverySuppress' = 'true', false),
    ARRAY(SELECT DISTINCT left(one, 200)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'tags'->'tagList')) AS one
      WHERE one IS NOT NULL LIMIT 500),
    ARRAY(SELECT DISTINCT {schema}.search_id(one)
      FROM jsonb_array_elements_text({schema}.search_list(doc->'statisticalCodeIds')) AS one
      WHERE {schema}.search_id(one) IS NOT NULL LIMIT 500),
    {schema}.search_id(doc->'effectiveCallNumberComponents'->>'typeId'),
    {schema}.search_fold(full_number, 200), {schema}.search_letters(full_number)
  FROM (SELECT {schema}.search_call_number(doc->'effectiveCallNumberComponents'->>'prefix',
    doc->'effectiveCallNumberComponents'->>'callNumber',
    doc->'effectiveCallNumberComponents'->>'suffix') AS full_number) AS _
  $$;

-- What is browsed is number and suffix; the prefix is shown beside it.
CREATE FUNCTION {schema}.search_call_numbers(record uuid, instance uuid, doc jsonb)
  RETURNS SETOF {schema}.browse_call_number LANGUAGE sql STABLE ROWS 2 AS $$
  SELECT option.kind, {schema}.search_shelf_key(option.shelving_algorithm, full_number),
    md5(array_to_string(ARRAY[full_number, parts->>'callNumber', parts->>'prefix', parts->>'suffix',
      parts->>'typeId'], '|', '-'))::uuid, record, instance, full_number,
    left(parts->>'callNumber', 1000), left(parts->>'prefix', 1000), left(parts->>'suffix', 1000),
    {schema}.search_id(parts->>'typeId'), {schema}.search_id(doc->>'effectiveLocationId')
  FROM (SELECT doc->'effectiveCallNumberComponents' AS parts, {schema}.search_call_number(NULL,
      doc->'effectiveCallNumberComponents'->>'callNumber',
      doc->'effectiveCallNumberComponents'->>'suffix') AS full_number) AS _
  JOIN {schema}.browse_config AS option ON option.type = 'instance-call-number'
    AND (option.type_ids = '{}' OR {schema}.search_id(parts->>'typeId') = ANY (option.type_ids))
  WHERE full_number IS NOT NULL
  $$;
