// Lost items whose cost staff have to find out: FOLIO keeps a record for each until it is billed or let go.
import { get, post } from '#/api/client'
import { equals } from '#/api/cql'
import type { Named } from '#/lib/names'

export interface Cost {
  id: string
  lossType: string
  lossDate: string
  expirationDate?: string
  status: 'Open' | 'Billed' | 'Cancelled' | 'Expired'
  user: Named & { id: string; barcode?: string; patronGroup?: string }
  loan: { id: string }
  item: {
    id: string
    barcode?: string
    materialType?: string
    permanentLocation?: string
    effectiveCallNumberComponents?: { callNumber?: string }
  }
  instance: { id: string; title?: string; contributors?: { name: string }[] }
  feeFine: { owner: string; type: string; accountId?: string; billedAmount?: number }
  additionalInfoForStaff?: string
  additionalInfoForPatron?: string
}

export const STATUSES = ['open', 'billed', 'cancelled', 'expired'] as const
export type Status = (typeof STATUSES)[number]

const WIRE = { open: 'Open', billed: 'Billed', cancelled: 'Cancelled', expired: 'Expired' } as const

export const costsSource = (status: Status) => ({
  key: ['actual-costs', status] as const,
  load: async (offset: number, limit: number, signal: AbortSignal) => {
    const order = status === 'open' ? 'lossDate id' : 'lossDate/sort.descending id'
    const query = `${equals('status', WIRE[status])} sortby ${order}`
    const { actualCostRecords, totalRecords } = await get<{
      actualCostRecords: Cost[]
      totalRecords: number
    }>('/actual-cost-record-storage/actual-cost-records', { query, offset, limit }, signal)
    return { rows: actualCostRecords, total: totalRecords }
  },
})

interface Told {
  forStaff: string
  forPatron: string
}

const told = ({ forStaff, forPatron }: Told) => ({
  ...(forStaff ? { additionalInfoForStaff: forStaff } : {}),
  ...(forPatron ? { additionalInfoForPatron: forPatron } : {}),
})

export const bill = (cost: Cost, amount: string, servicePointId: string, info: Told) =>
  post('/actual-cost-fee-fine/bill', {
    actualCostRecordId: cost.id,
    amount: Number(amount),
    servicePointId,
    ...told(info),
  })

export const letGo = (cost: Cost, info: Told) =>
  post('/actual-cost-fee-fine/cancel', { actualCostRecordId: cost.id, ...told(info) })
