-- Finds the notes of one record: jsonb->'links' @> '[{"type": "user", "id": "…"}]'.
CREATE INDEX note_links_idx ON {schema}.note USING gin ((jsonb->'links') jsonb_path_ops);
