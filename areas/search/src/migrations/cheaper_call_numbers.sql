-- The same call numbers and keys as before. A function of SQL with array_to_string, which is only STABLE, is
-- not put where it is called but planned anew for each statement; and a query for the pieces of a call
-- number costs more than to look at them one by one.
CREATE OR REPLACE FUNCTION {schema}.search_call_number(prefix text, number text, suffix text)
  RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN btrim(number) <> '' THEN left(
    coalesce(nullif(btrim(prefix), '') || ' ', '') || btrim(number)
      || coalesce(' ' || nullif(btrim(suffix), ''), ''), 1000) END $$;

CREATE OR REPLACE FUNCTION {schema}.search_sortable(txt text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    rest text COLLATE "C" := txt;
    token text COLLATE "C";
    significant text;
    key text := '';
    last text := 'start';
  BEGIN
    LOOP
      token := substring(rest FROM '^(?:[0-9][0-9.]*|[A-Za-z]+|[^0-9A-Za-z]+)');
      EXIT WHEN token IS NULL;
      rest := substr(rest, length(token) + 1);
      IF token >= '0' AND token < ':' THEN
        significant := ltrim(token, '0');
        key := key || CASE WHEN last = 'word' THEN ' ' ELSE '' END
          || length(split_part(significant, '.', 1)) || significant;
        last := 'number';
      ELSIF token >= 'A' AND token < '[' OR token >= 'a' AND token < '{' THEN
        key := key || upper(token);
        last := 'word';
      ELSIF last IN ('word', 'number') THEN
        key := key || ' ';
        last := 'gap';
      END IF;
    END LOOP;
    RETURN key;
  END $$;
