-- Indexes that no statement of the product used. An operator can apply them where a library's own searches need
-- them; the advice names them.
DROP INDEX IF EXISTS {schema}.email_statistics_shouldretry_idx;
DROP INDEX IF EXISTS {schema}.email_statistics_metadata_createddate_idx;
DROP INDEX IF EXISTS {schema}.email_statistics_notificationid_idx;
