// The menu of an item in the list.
import type { Item } from '#/api/types'
import { useItemActs } from '#/inventory/useItemActs'
import { RowActs } from '#/ui/RowActs'

export function ItemMenu({ instanceId, item }: { instanceId: string; item: Item }) {
  const { acts, dialogs } = useItemActs(instanceId, item)
  return (
    <>
      <RowActs name={item.barcode ?? item.id} acts={acts} />
      {dialogs}
    </>
  )
}
