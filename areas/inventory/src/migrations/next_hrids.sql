-- Gives free human-readable ids, as many as are wanted, in the order of their numbers. Free is an id
-- that no record has and that is not among those given: clients may bring their own, and a library
-- that moves in brings those that the numbering has yet to come to. No free number is passed over.
CREATE FUNCTION {schema}.{function}(wanted integer, given text[]) RETURNS text[]
  LANGUAGE plpgsql VOLATILE
  AS $$
  DECLARE
    prefix text;
    digits integer;
    number bigint;
    candidate text;
    folded text;
    found text[] := '{}';
    avoided text[];
  BEGIN
    SELECT coalesce(jsonb->'{kind}'->>'prefix', ''),
        CASE WHEN coalesce((jsonb->>'commonRetainLeadingZeroes')::boolean, true) THEN 11 ELSE 0 END
      INTO prefix, digits FROM {schema}.hrid_settings LIMIT 1;
    prefix := coalesce(prefix, '');
    digits := coalesce(digits, 0);
    SELECT array_agg(lower(public.f_unaccent(one))) INTO avoided FROM unnest(given) AS one;
    WHILE cardinality(found) < wanted LOOP
      number := nextval('{schema}.{table}_hrid_seq');
      candidate := prefix || lpad(number::text, greatest(digits, length(number::text)), '0');
      folded := lower(public.f_unaccent(candidate));
      CONTINUE WHEN folded = ANY (avoided);
      CONTINUE WHEN EXISTS (SELECT FROM {schema}.{table}
        WHERE (lower(public.f_unaccent(jsonb->>'hrid'))) COLLATE "C" = folded);
      found := found || candidate;
    END LOOP;
    RETURN found;
  END $$;
