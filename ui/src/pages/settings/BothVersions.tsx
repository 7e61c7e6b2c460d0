// Somebody else changed the record meanwhile: the fields that differ, mine and theirs.
import { useText } from '#/i18n/text'
import { flat } from '#/settings/check'
import type { Kind } from '#/settings/kinds'
import { type Values, valueAt } from '#/settings/paths'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import styles from './settings.module.css'

interface Props {
  kind: Kind
  mine: Values
  theirs: Values
  onMine: () => void
  onTheirs: () => void
}

const shown = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

export function BothVersions({ kind, mine, theirs, onMine, onTheirs }: Props) {
  const t = useText()
  const fields = flat(kind.fields).filter(
    ({ name }) => shown(valueAt(mine, name)) !== shown(valueAt(theirs, name)),
  )
  return (
    <Note kind="fee" alert>
      <p>
        <strong>{t('shell.failure.conflict')}</strong> {t('set.bothWhat')}
      </p>
      <div className={styles.both}>
        <span />
        <strong>{t('rules.mine')}</strong>
        <strong>{t('rules.theirs')}</strong>
        {fields.flatMap(({ name, label }) => [
          <span key={`${name} label`} className="muted">
            {t(label)}
          </span>,
          <mark key={`${name} mine`}>{shown(valueAt(mine, name))}</mark>,
          <mark key={`${name} theirs`}>{shown(valueAt(theirs, name))}</mark>,
        ])}
      </div>
      <div className="row wrap">
        <Button small onPress={onMine}>
          {t('rules.saveMine')}
        </Button>
        <Button small onPress={onTheirs}>
          {t('rules.takeTheirs')}
        </Button>
      </div>
    </Note>
  )
}
