title='GET inventory/items?query=barcode==…, 20 at once'
aim=0.40 aim_p95=10 connections=20
# Planning the view takes longer than running it: twenty clients plan twenty of them before they begin.
plans=generic settle=10
path='/inventory/items?query=barcode==%22${barcode}%22'
feeder="SELECT jsonb->>'barcode' AS barcode FROM SCHEMA.item WHERE jsonb ? 'barcode' ORDER BY md5(id::text) LIMIT 50000"
group=20 counted=20 limit=10
