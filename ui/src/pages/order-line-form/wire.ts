// A line as the route takes it: only the parts that its format has, and locations and funds that name something.
import type { OrderLine } from '#/acquisitions/types'

export function wired(line: OrderLine): OrderLine {
  const { physical, eresource, locations, fundDistribution, ...rest } = line
  const isPhysical = line.orderFormat !== 'Electronic Resource'
  const isElectronic = /Electronic|P\/E/.test(line.orderFormat)
  return {
    ...rest,
    locations: (locations ?? [])
      .filter((one) => one.locationId || one.holdingId)
      .map((one) => ({
        ...one,
        quantity: (one.quantityPhysical ?? 0) + (one.quantityElectronic ?? 0),
      })),
    fundDistribution: (fundDistribution ?? []).filter((one) => one.fundId),
    ...(isPhysical && physical ? { physical: { volumes: [], ...physical } } : {}),
    ...(isElectronic ? { eresource: eresource ?? {} } : {}),
  }
}
