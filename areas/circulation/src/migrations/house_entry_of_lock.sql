-- The lock around check-outs is switched in the entries of scope "mod-circulation": they are of the
-- house, too.
DROP TRIGGER circulation_house_entry_made ON {schema}.setting_entry;
DROP TRIGGER circulation_house_entry_gone ON {schema}.setting_entry;
CREATE TRIGGER circulation_house_entry_made
  AFTER INSERT OR UPDATE ON {schema}.setting_entry
  FOR EACH ROW WHEN (NEW.jsonb->>'scope' IN ('circulation', 'mod-circulation'))
  EXECUTE FUNCTION {schema}.circulation_house_changed();
CREATE TRIGGER circulation_house_entry_gone
  AFTER UPDATE OR DELETE ON {schema}.setting_entry
  FOR EACH ROW WHEN (OLD.jsonb->>'scope' IN ('circulation', 'mod-circulation'))
  EXECUTE FUNCTION {schema}.circulation_house_changed();
