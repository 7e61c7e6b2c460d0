title='GET items?query=barcode==…'
aim=0.50
path='/item-storage/items?query=barcode==%22${barcode}%22'
feeder="SELECT jsonb->>'barcode' AS barcode FROM SCHEMA.item WHERE jsonb ? 'barcode' ORDER BY md5(id::text) LIMIT 50000"
group=20 counted=21 limit=10
scales=1
