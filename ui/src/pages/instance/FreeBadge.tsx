// How many items are free; where none is, the state of the first.
import type { Item } from '#/api/types'
import { useText } from '#/i18n/text'
import { signOf, useStatusWord } from '#/inventory/status'
import { useFormats } from '#/lib/format'
import { Badge } from '#/ui/Badge'

export function FreeBadge({ items }: { items: readonly Item[] }) {
  const t = useText()
  const word = useStatusWord()
  const { number } = useFormats()
  const [first] = items
  if (!first) return null
  const free = items.filter((item) => item.status.name === 'Available').length
  if (free) {
    const values = { free: number(free), count: number(items.length) }
    return (
      <Badge kind="ok" icon="check">
        {t('inventory.freeOf', values)}
      </Badge>
    )
  }
  const { kind, icon } = signOf(first.status.name)
  return (
    <Badge kind={kind} icon={icon}>
      {word(first.status.name)}
    </Badge>
  )
}
