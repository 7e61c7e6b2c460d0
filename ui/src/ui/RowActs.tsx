// The menu of a row; Shift+F10 on the row opens it.
import { useText } from '#/i18n/text'
import { Button } from './Button'
import { type Act, Menu } from './Menu'

export function RowActs({ name, acts }: { name: string; acts: readonly (Act | 'line')[] }) {
  const t = useText()
  const label = t('list.actions', { name })
  return (
    <Menu
      label={label}
      acts={acts}
      trigger={<Button kind="quiet" small icon="ellipsis" aria-label={label} />}
    />
  )
}
