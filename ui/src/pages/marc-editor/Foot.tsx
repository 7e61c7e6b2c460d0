// The keys of the editor, and whether there is something to save.
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Key } from '#/ui/Key'
import { page } from '#/ui/Page'

interface Props {
  count: number
  isDirty: boolean
  onNew: () => void
}

export function Foot({ count, isDirty, onNew }: Props) {
  const t = useText()
  const { number } = useFormats()
  return (
    <div className={cx(page.foot, 'sm')}>
      <Button small icon="plus" keys="Mod+Enter" onPress={onNew}>
        {t('inventory.newField')}
      </Button>
      <span className="muted keys">
        <Key combo="Mod+Del" /> {t('inventory.deleteThis')} · <Key combo="Alt+↑↓" />{' '}
        {t('inventory.moveField')} · <Key combo="Mod+]" /> {t('inventory.nextSubfield')}
      </span>
      <span className="push muted">
        {t(isDirty ? 'inventory.notSavedYet' : 'inventory.unchanged')} ·{' '}
        {t('inventory.fieldCount', { count: number(count) })}
      </span>
    </div>
  )
}
