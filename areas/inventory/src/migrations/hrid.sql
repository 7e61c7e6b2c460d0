-- Human-readable ids as the tenant's settings have them: prefix, and the next number of the record
-- type's sequence, filled up with zeroes unless the settings say otherwise.
CREATE FUNCTION {schema}.hrid_of(kind text, number bigint) RETURNS text
  LANGUAGE sql STABLE
  AS $$
    SELECT coalesce(
      (SELECT coalesce(jsonb->kind->>'prefix', '') ||
        CASE WHEN coalesce((jsonb->>'commonRetainLeadingZeroes')::boolean, true)
          THEN lpad(number::text, greatest(11, length(number::text)), '0')
          ELSE number::text END
       FROM {schema}.hrid_settings LIMIT 1),
      number::text)
  $$;
CREATE FUNCTION {schema}.next_instance_hrid() RETURNS text LANGUAGE sql VOLATILE
  AS $$ SELECT {schema}.hrid_of('instances', nextval('{schema}.instance_hrid_seq')) $$;
CREATE FUNCTION {schema}.next_holdings_hrid() RETURNS text LANGUAGE sql VOLATILE
  AS $$ SELECT {schema}.hrid_of('holdings', nextval('{schema}.holdings_record_hrid_seq')) $$;
CREATE FUNCTION {schema}.next_item_hrid() RETURNS text LANGUAGE sql VOLATILE
  AS $$ SELECT {schema}.hrid_of('items', nextval('{schema}.item_hrid_seq')) $$;
