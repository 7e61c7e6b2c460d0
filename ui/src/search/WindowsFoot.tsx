// The foot of a search whose rows come in windows: what the route does not list is said.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { ListFoot } from '#/ui/ListFoot'
import type { Windows } from '#/ui/useWindows'

interface Props {
  range: { first: number; last: number }
  windows: Windows<unknown>
}

export function WindowsFoot({ range, windows }: Props) {
  const t = useText()
  const { number } = useFormats()
  return (
    <ListFoot
      first={range.first}
      last={Math.min(range.last, windows.total - 1)}
      total={windows.found}
      error={windows.error}
      retry={windows.retry}
    >
      {windows.found > windows.total ? (
        <span className="muted">{t('inventory.listedMax', { count: number(windows.total) })}</span>
      ) : null}
    </ListFoot>
  )
}
