// The menu of a row; Shift+F10 on the row opens it.
import { useText } from '#/i18n/text'
import { LateMenu } from './LateMenu'
import type { Act } from './Menu'

export function RowActs({ name, acts }: { name: string; acts: readonly (Act | 'line')[] }) {
  const t = useText()
  return <LateMenu label={t('list.actions', { name })} acts={acts} />
}
