-- Indexes of requests and of scheduled notices that no statement of the product used, and every change kept. An
-- operator can apply them where a library's own searches need them; the advice names them.
DROP INDEX IF EXISTS {schema}.request_requesttype_idx;
DROP INDEX IF EXISTS {schema}.request_requestlevel_idx;
DROP INDEX IF EXISTS {schema}.request_item_itemeffectivelocationid_idx;
DROP INDEX IF EXISTS {schema}.request_item_itemeffectivelocationname_idx;
DROP INDEX IF EXISTS {schema}.request_item_retrievalservicepointid_idx;
DROP INDEX IF EXISTS {schema}.request_item_retrievalservicepointname_idx;
DROP INDEX IF EXISTS {schema}.request_item_itemeffectivelocationname_idx_gin;
DROP INDEX IF EXISTS {schema}.request_item_retrievalservicepointname_idx_gin;
DROP INDEX IF EXISTS {schema}.request_searchindex_callnumbercomponents_callnumber_idx_gin;
DROP INDEX IF EXISTS {schema}.request_fullcallnumberindex_idx_gin;
DROP INDEX IF EXISTS {schema}.scheduled_notice_nextruntime_idx;
DROP INDEX IF EXISTS {schema}.scheduled_notice_noticeconfig_sendinrealtime_idx;
DROP INDEX IF EXISTS {schema}.scheduled_notice_triggeringevent_idx;
