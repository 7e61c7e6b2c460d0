title='POST items'
aim=0.50
path='/item-storage/items'
body='{"barcode": "post-${uuid()}", "holdingsRecordId": "${holdings}", "status": {"name": "Available"}, "materialTypeId": "1a54b431-2e4f-452d-9cae-9cee66c9a892", "permanentLoanTypeId": "2b94c631-fca9-4892-a730-03ee529ffe27", "copyNumber": "1", "formerIds": [], "discoverySuppress": false, "tags": {"tagList": []}}'
feeder="SELECT jsonb->>'holdingsRecordId' AS holdings,
  (jsonb - 'hrid' || '{\"id\": \"@\", \"barcode\": \"limit-@\", \"status\": {\"name\": \"Available\", \"date\": \"2026-01-01T00:00:00.000+00:00\"}}')::text AS document
  FROM SCHEMA.item WHERE jsonb ? 'barcode' ORDER BY md5(id::text) LIMIT 20000"
group=1 counted=1
