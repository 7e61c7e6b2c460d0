title='Sorting : Order-Lines'
aim=0.50 aim_p95=10 connections=20 tenant=millions plans=force_custom_plan
path='/orders-storage/order-lines?query=workflowStatus==Open%20AND%20orderFormat==%22Physical%20Resource%22%20sortBy%20metadata.createdDate%2Fsort.ascending'
feeder="SELECT n AS number FROM generate_series(1, 20) AS n"
group=20 counted=20 limit=10
