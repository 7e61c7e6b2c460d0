title='Search : Order-Lines (order-lines)'
aim=0.50 aim_p95=10 connections=20 tenant=millions
path='/orders-storage/order-lines?query=poLineNumber==%22${number}%22'
feeder="SELECT jsonb->>'poLineNumber' AS number FROM SCHEMA.po_line ORDER BY md5(id::text) LIMIT 50000"
group=20 counted=21 limit=10
