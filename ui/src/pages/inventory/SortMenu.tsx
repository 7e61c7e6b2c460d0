// The order of the list; also by what has no column.
import { type TextId, useText } from '#/i18n/text'
import type { Order } from '#/inventory/search'
import { Button } from '#/ui/Button'
import { Menu } from '#/ui/Menu'

const CHOICES = [
  'title',
  '-title',
  'contributors',
  '-normalizedDate1',
  'normalizedDate1',
  '-metadata.updatedDate',
  'relevance',
] as const

export function SortMenu({ order, onSort }: { order: Order; onSort: (sort: string) => void }) {
  const t = useText()
  const now = `${order.descending ? '-' : ''}${order.by}`
  const textOf = (id: string) => t(`inventory.sort.${id.replaceAll('.', '_')}` as TextId)
  return (
    <Menu
      label={t('inventory.sort')}
      trigger={
        <Button
          small
          kind="quiet"
          icon="arrow-up-down"
          aria-label={`${t('inventory.sort')}: ${textOf(now)}`}
        >
          {textOf(now)}
        </Button>
      }
      acts={CHOICES.map((id) => ({
        id,
        text: textOf(id),
        icon: id === now ? 'check' : undefined,
        run: () => onSort(id),
      }))}
    />
  )
}
