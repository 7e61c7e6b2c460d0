-- A tenant has one mail server.
CREATE UNIQUE INDEX one_row_only_uidx ON {schema}.smtp_configuration ((true));
