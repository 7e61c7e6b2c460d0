title='GET formattedRecords/{instanceId}, 20 connections'
aim=0.50 aim_p95=10 connections=20 tenant=marc
path='/source-storage/formattedRecords/${id}?identifier=INSTANCE'
feeder="SELECT jsonb->'externalIdsHolder'->>'instanceId' AS id FROM SCHEMA.source_record ORDER BY md5(id::text) LIMIT 50000"
group=20 counted=21
