-- Counts the changes of the lists that mapping rules look things up in. What processes keep of them is
-- known to be current by one small value.
CREATE TABLE {schema}.mapping_references_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL DEFAULT 0
);
INSERT INTO {schema}.mapping_references_version DEFAULT VALUES;
CREATE FUNCTION {schema}.mapping_references_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE {schema}.mapping_references_version SET version = version + 1;
  RETURN NULL;
END $$;
DO $$
DECLARE
  list text;
BEGIN
  FOREACH list IN ARRAY ARRAY['identifier_type', 'contributor_type', 'contributor_name_type',
    'alternative_title_type', 'classification_type', 'electronic_access_relationship',
    'instance_format', 'instance_type', 'instance_note_type', 'mode_of_issuance', 'instance_status',
    'nature_of_content_term', 'statistical_code', 'statistical_code_type', 'subject_type',
    'subject_source', 'instance_date_type', 'instance_relationship_type', 'holdings_type',
    'holdings_note_type', 'holdings_records_source', 'call_number_type', 'ill_policy', 'location',
    'material_type', 'loan_type', 'item_note_type', 'item_damaged_status', 'authority_note_type',
    'authority_source_file', 'authority_identifier_type']
  LOOP
    IF to_regclass(format('{schema}.%I', list)) IS NOT NULL THEN
      EXECUTE format('CREATE TRIGGER mapping_references_changed
        AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {schema}.%I
        FOR EACH STATEMENT EXECUTE FUNCTION {schema}.mapping_references_changed()', list);
    END IF;
  END LOOP;
END $$;
