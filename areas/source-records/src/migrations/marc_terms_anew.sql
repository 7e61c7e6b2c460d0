-- More is kept of each record (longer beginnings, places of 008 as texts), apart from its row however little
-- that is: all of them wait to be done again.
INSERT INTO {schema}.marc_untermed (id) SELECT id FROM {schema}.source_record;
