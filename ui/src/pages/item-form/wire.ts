// The item as the form has it (ids, as the storage keeps it), and as `/inventory/items` takes it.
import type { StoredItem } from '#/inventory/types'

export type FormItem = StoredItem & { statusName?: string }

const asRecord = (id: string | undefined) => (id ? { id } : undefined)

export function toInventory(item: FormItem): object {
  const {
    statusName,
    materialTypeId,
    permanentLoanTypeId,
    temporaryLoanTypeId,
    permanentLocationId,
    temporaryLocationId,
    effectiveLocationId,
    effectiveCallNumberComponents,
    ...rest
  } = item
  return {
    ...rest,
    status: statusName ? { name: statusName } : rest.status,
    materialType: asRecord(materialTypeId),
    permanentLoanType: asRecord(permanentLoanTypeId),
    temporaryLoanType: asRecord(temporaryLoanTypeId),
    permanentLocation: asRecord(permanentLocationId),
    temporaryLocation: asRecord(temporaryLocationId),
  }
}

/** What a new item takes over from another: not its numbers, not its state. */
export function copyOf(item: StoredItem): Partial<FormItem> {
  const { id, hrid, _version, metadata, barcode, status, lastCheckIn, ...rest } = item
  delete rest.inTransitDestinationServicePointId
  delete rest.effectiveLocationId
  delete rest.effectiveCallNumberComponents
  return rest
}
