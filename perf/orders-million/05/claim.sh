title='Filtering : Orders (purchase-orders)'
aim=0.50 aim_p95=10 connections=20 tenant=millions
path='/orders-storage/purchase-orders?query=workflowStatus==Open'
feeder="SELECT n AS number FROM generate_series(1, 20) AS n"
group=20 counted=20 limit=10
