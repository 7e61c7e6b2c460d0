-- The letters that natural ids of a file begin with: each belongs to one file. Kept by the trigger, also
-- for files that come with the release.
CREATE TABLE {schema}.authority_source_file_code (
  code text COLLATE "C" PRIMARY KEY,
  source_file_id uuid NOT NULL REFERENCES {schema}.authority_source_file (id) ON DELETE CASCADE
);
CREATE INDEX authority_source_file_code_file ON {schema}.authority_source_file_code (source_file_id);
CREATE FUNCTION {schema}.authority_source_file_codes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {schema}.authority_source_file_code WHERE source_file_id = NEW.id;
  INSERT INTO {schema}.authority_source_file_code (code, source_file_id)
    SELECT DISTINCT one, NEW.id
    FROM jsonb_array_elements_text(coalesce(NEW.jsonb->'codes', '[]')) AS one;
  RETURN NULL;
END $$;
CREATE TRIGGER codes AFTER INSERT OR UPDATE ON {schema}.authority_source_file FOR EACH ROW
  EXECUTE FUNCTION {schema}.authority_source_file_codes();
INSERT INTO {schema}.authority_source_file_code (code, source_file_id)
  SELECT DISTINCT ON (one) one, id FROM {schema}.authority_source_file,
    jsonb_array_elements_text(coalesce(jsonb->'codes', '[]')) AS one ORDER BY one, id;

-- The next number of a local file.
CREATE TABLE {schema}.authority_source_file_number (
  source_file_id uuid PRIMARY KEY REFERENCES {schema}.authority_source_file (id) ON DELETE CASCADE,
  next bigint NOT NULL
);
