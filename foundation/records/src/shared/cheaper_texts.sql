-- What these functions give stays the same. A function of SQL that PostgreSQL cannot put where it is
-- called is parsed, planned and started for each statement that changes a row with such an index: a
-- tenth of a millisecond each.
--
-- The extension's function is only STABLE. Declared anew as IMMUTABLE it is one C call. Declaring it takes a
-- superuser's rights: an embedded cluster has it from its superuser, any other where it was made by hand.
DO $$
BEGIN
  IF to_regprocedure('public.octavo_unaccent(regdictionary, text)') IS NOT NULL THEN
    EXECUTE $sql$
      CREATE OR REPLACE FUNCTION public.f_unaccent(text) RETURNS text
        LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
        AS $body$ SELECT public.octavo_unaccent('public.unaccent', $1) $body$ $sql$;
  END IF;
END $$;

-- Few elements are joined without starting a query; many by one, for the text is copied with each.
CREATE OR REPLACE FUNCTION public.octavo_join(elements jsonb, property text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
  DECLARE
    joined text;
    one text;
  BEGIN
    IF elements = '[]' OR jsonb_typeof(elements) <> 'array' THEN
      RETURN NULL;
    ELSIF jsonb_array_length(elements) > 50 THEN
      RETURN (SELECT string_agg(element ->> property, ' ' ORDER BY at)
        FROM jsonb_array_elements(elements) WITH ORDINALITY AS _(element, at));
    END IF;
    FOR at IN 0 .. jsonb_array_length(elements) - 1 LOOP
      one := elements -> at ->> property;
      joined := coalesce(joined || ' ' || one, joined, one);
    END LOOP;
    RETURN joined;
  END $$;
CREATE OR REPLACE FUNCTION public.octavo_join(elements jsonb) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
  DECLARE
    joined text;
    one text;
  BEGIN
    IF elements = '[]' OR jsonb_typeof(elements) <> 'array' THEN
      RETURN NULL;
    ELSIF jsonb_array_length(elements) > 50 THEN
      RETURN (SELECT string_agg(element #>> '{}', ' ' ORDER BY at)
        FROM jsonb_array_elements(elements) WITH ORDINALITY AS _(element, at));
    END IF;
    FOR at IN 0 .. jsonb_array_length(elements) - 1 LOOP
      one := elements ->> at;
      joined := coalesce(joined || ' ' || one, joined, one);
    END LOOP;
    RETURN joined;
  END $$;
CREATE OR REPLACE FUNCTION public.octavo_identifiers(identifiers jsonb, type text) RETURNS text
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
  DECLARE
    joined text;
    one text;
  BEGIN
    IF identifiers = '[]' OR jsonb_typeof(identifiers) <> 'array' THEN
      RETURN NULL;
    ELSIF jsonb_array_length(identifiers) > 50 THEN
      RETURN (SELECT string_agg(public.octavo_digits(element ->> 'value'), ' ' ORDER BY at)
        FROM jsonb_array_elements(identifiers) WITH ORDINALITY AS _(element, at)
        WHERE element ->> 'identifierTypeId' = type);
    END IF;
    FOR at IN 0 .. jsonb_array_length(identifiers) - 1 LOOP
      IF identifiers -> at ->> 'identifierTypeId' = type THEN
        one := public.octavo_digits(identifiers -> at ->> 'value');
        joined := coalesce(joined || ' ' || one, joined, one);
      END IF;
    END LOOP;
    RETURN joined;
  END $$;
