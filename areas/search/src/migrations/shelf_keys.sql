-- Shelf keys as the inventory's rules make them, for what is browsed; a test holds the two against
-- each other. Keys of other orders are the folded text.
CREATE FUNCTION {schema}.search_sortable(txt text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    token text;
    significant text;
    key text := '';
    last text := 'start';
  BEGIN
    FOR token IN SELECT matched[1] FROM regexp_matches(
        txt COLLATE "C", '([0-9][0-9.]*|[A-Za-z]+|[^0-9A-Za-z]+)', 'g') AS matched LOOP
      IF token COLLATE "C" ~ '^[0-9]' THEN
        significant := ltrim(token, '0');
        key := key || CASE WHEN last = 'word' THEN ' ' ELSE '' END
          || length(split_part(significant, '.', 1)) || significant;
        last := 'number';
      ELSIF token COLLATE "C" ~ '^[A-Za-z]' THEN
        key := key || upper(token);
        last := 'word';
      ELSIF last IN ('word', 'number') THEN
        key := key || ' ';
        last := 'gap';
      END IF;
    END LOOP;
    RETURN key;
  END $$;

CREATE FUNCTION {schema}.search_gap(key text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN key = '' OR key LIKE '% ' THEN key ELSE key || ' ' END $$;

CREATE FUNCTION {schema}.search_key_lc(call_number text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    txt text := regexp_replace(call_number, '^\s+|\s+$', '', 'g');
    letters text := substring(txt COLLATE "C" FROM '^[A-Za-z]*');
    rest text := txt;
    class text[];
    key text := upper(letters);
    suffix text;
    at integer;
    cutter text;
  BEGIN
    IF letters <> '' THEN
      rest := ltrim(substr(txt, length(letters) + 1), ' ');
      class := regexp_match(rest, '^([0-9]+)([.][0-9]+)?');
      IF class IS NOT NULL THEN
        key := {schema}.search_gap(key) || length(class[1]) || class[1] || coalesce(class[2], '');
        rest := substr(rest, length(class[1]) + length(coalesce(class[2], '')) + 1);
      END IF;
      rest := regexp_replace(rest, '^\s+|\s+$', '', 'g');
    END IF;
    at := regexp_instr(rest COLLATE "C",
      '^[.][A-Za-z]|[.][A-Za-z][0-9]| [.][A-Za-z]|[A-Za-z][0-9]');
    IF at = 0 THEN
      at := length(rest) + 1;
    END IF;
    suffix := regexp_replace(left(rest, at - 1), '^\s+|\s+$', '', 'g');
    IF suffix <> '' THEN
      IF key <> '' THEN
        key := key || ' ' || CASE WHEN suffix ~ '^[[:alpha:]]' THEN '_' ELSE '' END;
      END IF;
      key := key || {schema}.search_sortable(suffix);
    END IF;
    rest := upper(regexp_replace(substr(rest, at), '^\s+|\s+$', '', 'g'));
    LOOP
      at := regexp_instr(rest COLLATE "C", '[A-Z][0-9]');
      EXIT WHEN at = 0;
      cutter := substring(substr(rest, at) COLLATE "C" FROM '^[A-Z][0-9]+');
      key := {schema}.search_gap(key) || {schema}.search_sortable(left(rest, at - 1));
      key := {schema}.search_gap(key) || cutter;
      rest := substr(rest, at + length(cutter));
    END LOOP;
    IF rest <> '' THEN
      key := {schema}.search_gap(key) || {schema}.search_sortable(rest);
    END IF;
    RETURN key;
  END $$;

CREATE FUNCTION {schema}.search_key_dewey(call_number text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    class text[] := regexp_match(call_number, '^([0-9]+)([.][0-9]+)?');
    rest text;
    parts text[];
    key text;
    significant text;
  BEGIN
    IF class IS NULL THEN
      RETURN {schema}.search_sortable(call_number);
    END IF;
    significant := ltrim(class[1], '0');
    key := length(significant) || significant || coalesce(class[2], '');
    rest := substr(call_number, length(class[1]) + length(coalesce(class[2], '')) + 1);
    parts := regexp_match(rest COLLATE "C", '^ *[.]?([A-Z][0-9]{1,3}[A-Z]*) *(.*)$');
    IF parts IS NOT NULL THEN
      key := {schema}.search_gap(key) || parts[1];
      rest := parts[2];
    END IF;
    IF rest <> '' THEN
      key := {schema}.search_gap(key) || {schema}.search_sortable(rest);
    END IF;
    RETURN key;
  END $$;

CREATE FUNCTION {schema}.search_key_sudoc(call_number text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    txt text := regexp_replace(call_number, '^\s+|\s+$', '', 'g');
    stem text[] := regexp_match(txt COLLATE "C", '^([A-Za-z]+\s*)([0-9]+)'
      '([.](?:[A-Za-z]+[0-9]*|[0-9]+))(/(?:[A-Za-z]*[0-9]+(?:-[0-9]+)?|[A-Za-z]+))?');
    parts text[];
    part text;
    piece text;
    key text := '';
  BEGIN
    IF stem IS NULL THEN
      parts := ARRAY[txt];
    ELSE
      key := btrim(stem[1]);
      txt := substr(txt, length(array_to_string(stem, '')) + 1);
      parts := ARRAY[stem[2], stem[3], coalesce(stem[4], ''), txt];
    END IF;
    parts[cardinality(parts)] := regexp_replace(parts[cardinality(parts)], '^:', '');
    FOREACH part IN ARRAY parts LOOP
      CONTINUE WHEN part !~ '\S';
      part := regexp_replace(part, '^[./:-]', '');
      part := regexp_replace(part, '[./ -]+$', '');
      FOREACH piece IN ARRAY regexp_split_to_array(part, '[./ -]') LOOP
        IF key <> '' THEN
          key := key || ' ';
        END IF;
        piece := regexp_replace(piece, '^\s+|\s+$', '', 'g');
        CONTINUE WHEN piece = '';
        key := key || CASE WHEN piece ~ '^[[:alpha:]]' THEN ' !'
          WHEN length(piece) >= 3 THEN '!' ELSE '' END || {schema}.search_sortable(piece);
      END LOOP;
    END LOOP;
    RETURN key;
  END $$;

-- Keys are cut, so that they fit an index; call numbers that long are none.
CREATE FUNCTION {schema}.search_shelf_key(algorithm text, txt text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    call_number text := left(txt, 500);
  BEGIN
    RETURN left(btrim(CASE algorithm
      WHEN 'lc' THEN {schema}.search_key_lc(call_number)
      WHEN 'nlm' THEN {schema}.search_key_lc(call_number)
      WHEN 'dewey' THEN {schema}.search_key_dewey(call_number)
      WHEN 'sudoc' THEN {schema}.search_key_sudoc(call_number)
      ELSE lower(public.f_unaccent(call_number)) END), 200);
  END $$;
