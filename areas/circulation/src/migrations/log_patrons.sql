-- The barcodes of patrons that the circulation log has, each once, for searches for a part of one: trigrams
-- of every line would cost each act at the desk more than all other indexes of the log. Lines are never
-- changed, so what is here is in the log. Two that add one barcode at once may both add it, and nobody waits:
-- searches do not mind.
CREATE TABLE {schema}.circulation_log_patron (jsonb jsonb NOT NULL);
CREATE INDEX circulation_log_patron_whole_idx ON {schema}.circulation_log_patron
  ((left(lower(jsonb->>'userBarcode'), 600) COLLATE "C"));
CREATE INDEX circulation_log_patron_part_idx ON {schema}.circulation_log_patron
  USING gin ((lower(jsonb->>'userBarcode')) public.gin_trgm_ops);
CREATE FUNCTION {schema}.circulation_log_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO {schema}.circulation_log_patron
    SELECT DISTINCT jsonb_build_object('userBarcode', jsonb->'userBarcode') FROM added
    WHERE jsonb->>'userBarcode' IS NOT NULL AND NOT EXISTS (
      SELECT FROM {schema}.circulation_log_patron AS known
      WHERE left(lower(known.jsonb->>'userBarcode'), 600) COLLATE "C"
        = left(lower(added.jsonb->>'userBarcode'), 600) COLLATE "C");
  RETURN NULL;
END $$;
CREATE TRIGGER circulation_log_written AFTER INSERT ON {schema}.circulation_logs
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT
  EXECUTE FUNCTION {schema}.circulation_log_written();
INSERT INTO {schema}.circulation_log_patron
  SELECT jsonb_build_object('userBarcode', barcode) FROM (
    SELECT min(jsonb->>'userBarcode') AS barcode FROM {schema}.circulation_logs
    WHERE jsonb->>'userBarcode' IS NOT NULL
    GROUP BY left(lower(jsonb->>'userBarcode'), 600) COLLATE "C") AS lent;
DROP INDEX IF EXISTS {schema}.circulation_logs_userbarcode_idx_gin;
