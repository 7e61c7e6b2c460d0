title='Search : Orders (purchase-orders)'
aim=0.50 aim_p95=10 connections=20 tenant=millions
path='/orders-storage/purchase-orders?query=poNumber==${number}'
feeder="SELECT jsonb->>'poNumber' AS number FROM SCHEMA.purchase_order ORDER BY md5(id::text) LIMIT 50000"
group=20 counted=21 limit=10
