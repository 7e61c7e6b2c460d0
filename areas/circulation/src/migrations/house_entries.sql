-- Requests for titles are switched in the entries of scope "circulation": their changes count as
-- changes of the house. Entries of other scopes are written all day by front ends, and count for
-- nothing.
CREATE TRIGGER circulation_house_entry_made
  AFTER INSERT OR UPDATE ON {schema}.setting_entry
  FOR EACH ROW WHEN (NEW.jsonb->>'scope' = 'circulation')
  EXECUTE FUNCTION {schema}.circulation_house_changed();
CREATE TRIGGER circulation_house_entry_gone
  AFTER UPDATE OR DELETE ON {schema}.setting_entry
  FOR EACH ROW WHEN (OLD.jsonb->>'scope' = 'circulation')
  EXECUTE FUNCTION {schema}.circulation_house_changed();
CREATE TRIGGER circulation_house_changed
  AFTER TRUNCATE ON {schema}.setting_entry
  FOR EACH STATEMENT EXECUTE FUNCTION {schema}.circulation_house_changed();
