-- The same numbers as before, looked up in the words of the declared index: items keep what an index
-- reads in columns, and the text of the document would be looked for in every row of the table. The numbers of
-- a batch are looked up together.
CREATE OR REPLACE FUNCTION {schema}.{function}(wanted integer, given text[]) RETURNS text[]
  LANGUAGE plpgsql VOLATILE
  AS $$
  DECLARE
    prefix text;
    digits integer;
    candidate text;
    candidates text[];
    taken text[];
    avoided text[] := '{}';
    numbers text[] := '{}';
  BEGIN
    SELECT jsonb->'{kind}'->>'prefix',
        CASE WHEN (jsonb->>'commonRetainLeadingZeroes')::boolean IS NOT FALSE THEN 11 END
      INTO prefix, digits FROM {schema}.hrid_settings LIMIT 1;
    IF given <> '{}' THEN
      avoided := ARRAY(SELECT lower(public.f_unaccent(one)) FROM unnest(given) AS one);
    END IF;
    -- One number is what most callers want; the queries over sets below take four times as long for it.
    WHILE wanted = 1 AND numbers = '{}' LOOP
      candidate := nextval('{schema}.{table}_hrid_seq')::text;
      candidate := concat(prefix, lpad(candidate, greatest(digits, length(candidate)), '0'));
      CONTINUE WHEN lower(public.f_unaccent(candidate)) = ANY (avoided);
      PERFORM FROM {schema}.{table} WHERE {key} = lower(public.f_unaccent(candidate));
      CONTINUE WHEN FOUND;
      RETURN ARRAY[candidate];
    END LOOP;
    WHILE cardinality(numbers) < wanted LOOP
      candidates := ARRAY(SELECT concat(prefix, lpad(one, greatest(digits, length(one)), '0'))
        FROM (SELECT nextval('{schema}.{table}_hrid_seq')::text AS one
          FROM generate_series(1, wanted - cardinality(numbers)) OFFSET 0) AS _);
      taken := avoided || ARRAY(SELECT {key} FROM {schema}.{table} WHERE {key} = ANY (
        ARRAY(SELECT lower(public.f_unaccent(one)) FROM unnest(candidates) AS one)));
      IF taken <> '{}' THEN
        candidates := ARRAY(SELECT one FROM unnest(candidates) WITH ORDINALITY AS _ (one, at)
          WHERE lower(public.f_unaccent(one)) <> ALL (taken) ORDER BY at);
      END IF;
      numbers := numbers || candidates;
    END LOOP;
    RETURN numbers;
  END $$;
