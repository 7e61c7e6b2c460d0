-- Which languages and features a tenant has chosen, and how far jobs for ids have come.
CREATE TABLE {schema}.search_language (
  code text PRIMARY KEY,
  analyzer text
);
INSERT INTO {schema}.search_language (code) VALUES ('eng');
CREATE TABLE {schema}.search_feature (
  feature text PRIMARY KEY,
  enabled boolean NOT NULL
);
ALTER TABLE {schema}.search_job ADD COLUMN status text NOT NULL DEFAULT 'COMPLETED';

-- Classification numbers by their types.
CREATE INDEX browse_heading_type ON {schema}.browse_heading (type, instance_id) WHERE kind = 3;

-- An ISBN whose check digit is wrong has no other form: it is found as it is written. In small
-- letters, as what is looked for is folded.
CREATE OR REPLACE FUNCTION {schema}.search_isbns(txt text) RETURNS text[]
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    number text := lower(translate(substring(left(txt, 100) FROM '^[0-9xX -]*'), ' -', ''));
    body text;
    ten integer;
    thirteen integer;
  BEGIN
    IF number = '' THEN
      RETURN '{}';
    ELSIF number ~ '^[0-9]{9}[0-9x]$' THEN
      body := left(number, 9);
    ELSIF number ~ '^978[0-9]{10}$' THEN
      body := substr(number, 4, 9);
    ELSE
      RETURN ARRAY[number];
    END IF;
    ten := (11 - (SELECT sum(substr(body, at, 1)::integer * (11 - at))
      FROM generate_series(1, 9) AS at) % 11) % 11;
    thirteen := (10 - (38 + (SELECT sum(substr(body, at, 1)::integer
      * CASE at % 2 WHEN 1 THEN 3 ELSE 1 END) FROM generate_series(1, 9) AS at)) % 10) % 10;
    IF number = body || (CASE ten WHEN 10 THEN 'x' ELSE ten::text END) THEN
      RETURN ARRAY[number, '978' || body || thirteen];
    ELSIF number = '978' || body || thirteen THEN
      RETURN ARRAY[number, body || CASE ten WHEN 10 THEN 'x' ELSE ten::text END];
    END IF;
    RETURN ARRAY[number];
  END $$;
