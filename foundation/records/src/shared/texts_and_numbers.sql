-- What is no number is NULL: a comparison with it matches nothing and fails nothing. Not STRICT, so
-- that PostgreSQL puts its body where it is called; with STRICT it would not, since CASE is not.
CREATE OR REPLACE FUNCTION public.octavo_number(jsonb) RETURNS numeric
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN jsonb_typeof($1) = 'number' THEN ($1)::numeric
          WHEN $1 #>> '{}' ~ '^-?[0-9]{1,100}([.][0-9]{1,100})?$' THEN ($1 #>> '{}')::numeric
        END $$;
-- The digits at the beginning lose their blanks and hyphens, so that an ISBN is one word however
-- it is written; what follows them, such as '(paperback)', stays.
CREATE OR REPLACE FUNCTION public.octavo_digits(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT rtrim(translate(substring($1 FROM '^[0-9 -]*'), ' -', '') || ' '
          || substring($1 FROM '^[0-9 -]*(.*)$')) $$;
CREATE OR REPLACE FUNCTION public.octavo_identifiers(identifiers jsonb, type text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT string_agg(public.octavo_digits(element ->> 'value'), ' ' ORDER BY at)
        FROM jsonb_array_elements(CASE WHEN jsonb_typeof(identifiers) = 'array'
          THEN identifiers ELSE '[]'::jsonb END) WITH ORDINALITY AS _(element, at)
        WHERE element ->> 'identifierTypeId' = type $$;
-- Words that begin with a text, which may hold any characters. Unaccented before it is quoted:
-- an apostrophe may come of it.
CREATE OR REPLACE FUNCTION public.octavo_starting(text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT to_tsquery('pg_catalog.simple', '''' || replace(replace(
          translate(public.f_unaccent($1), '&', ','),
          chr(92), chr(92) || chr(92)), '''', '''''') || ''':*') $$;
-- JSON as text without its escapes: what they stand for, quotation marks, backslashes and line ends,
-- divides words, and the letter of an escape must not be taken for one of the word behind it.
CREATE OR REPLACE FUNCTION public.octavo_unescaped(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT regexp_replace($1, '\\(u[0-9a-f]{4}|.)', ' ', 'g') $$;
-- The elements of an array as one text.
CREATE OR REPLACE FUNCTION public.octavo_join(elements jsonb) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  AS $$ SELECT string_agg(element #>> '{}', ' ' ORDER BY at)
        FROM jsonb_array_elements(CASE WHEN jsonb_typeof(elements) = 'array'
          THEN elements ELSE '[]'::jsonb END) WITH ORDINALITY AS _(element, at) $$;
