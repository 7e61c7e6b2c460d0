// A short record for a book that is not in the catalogue: instance, holdings, item, as FOLIO's own form makes
// them. The instance is kept out of discovery: cataloguers complete it later.
import { queryOptions } from '@tanstack/react-query'
import { get, post } from '#/api/client'

interface Named {
  id: string
  name: string
}

const LIST = { query: 'cql.allRecords=1 sortby name', limit: 2000 }

/** What the form offers. */
export const fastAddQuery = queryOptions({
  queryKey: ['fast-add'],
  queryFn: async ({ signal }) => {
    const [types, locations, materials, loanTypes, sources] = await Promise.all([
      get<{ instanceTypes: Named[] }>('/instance-types', LIST, signal),
      get<{ locations: (Named & { isActive?: boolean })[] }>('/locations', LIST, signal),
      get<{ mtypes: Named[] }>('/material-types', LIST, signal),
      get<{ loantypes: Named[] }>('/loan-types', LIST, signal),
      get<{ holdingsRecordsSources: Named[] }>(
        '/holdings-sources',
        { query: 'name==FOLIO' },
        signal,
      ),
    ])
    return {
      instanceTypeId: (
        types.instanceTypes.find((one) => one.name === 'unspecified') ?? types.instanceTypes[0]
      )?.id,
      locations: locations.locations.filter((one) => one.isActive !== false),
      materials: materials.mtypes,
      loanTypes: loanTypes.loantypes,
      sourceId: sources.holdingsRecordsSources[0]?.id,
    }
  },
  staleTime: 10 * 60_000,
})

export interface FastItem {
  title: string
  barcode: string
  instanceTypeId: string | undefined
  sourceId: string | undefined
  locationId: string
  materialTypeId: string
  loanTypeId: string
}

export async function addFast(item: FastItem): Promise<void> {
  const instance = await post<{ id: string } | undefined>('/instance-storage/instances', {
    source: 'FOLIO',
    title: item.title,
    instanceTypeId: item.instanceTypeId,
    discoverySuppress: true,
  })
  const holdings = await post<{ id: string }>('/holdings-storage/holdings', {
    instanceId: instance?.id,
    permanentLocationId: item.locationId,
    sourceId: item.sourceId,
    discoverySuppress: true,
  })
  await post('/inventory/items', {
    holdingsRecordId: holdings.id,
    barcode: item.barcode,
    status: { name: 'Available' },
    materialType: { id: item.materialTypeId },
    permanentLoanType: { id: item.loanTypeId },
  })
}
