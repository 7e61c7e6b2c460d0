-- What is asked of the changes of entries: those of one module, and those of a time.
CREATE INDEX audit_config_data_config_data_module_idx ON {schema}.audit_config_data ((left(lower(public.f_unaccent(jsonb->'config_data'->>'module')), 600) COLLATE "C"));
CREATE INDEX audit_config_data_createddate_idx_like ON {schema}.audit_config_data ((left(jsonb->>'createdDate', 600) COLLATE "C"));
