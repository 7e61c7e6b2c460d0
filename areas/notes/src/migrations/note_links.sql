-- Finds the notes of one record: jsonb->'links' @> '[{"type": "user", "id": "…"}]'. Every check-out
-- asks and few people write notes, so new links go into the index at once, not into its list of
-- pending ones, which each search would have to read.
CREATE INDEX note_links_idx ON {schema}.note USING gin ((jsonb->'links') jsonb_path_ops)
  WITH (fastupdate = off);
