// Somebody else changed the record meanwhile: the fields that differ, mine and theirs.
import { useText } from '#/i18n/text'
import { flat } from '#/settings/check'
import { outlineOf } from '#/settings/imports/outline'
import type { Field, Kind } from '#/settings/kinds'
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

const textOf = (value: unknown) =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
const shown = (field: Field, record: Values) => {
  const value = valueAt(record, field.name)
  return outlineOf(field, value) ?? textOf(value)
}

export function BothVersions({ kind, mine, theirs, onMine, onTheirs }: Props) {
  const t = useText()
  const fields = flat(kind.fields).filter((field) => shown(field, mine) !== shown(field, theirs))
  return (
    <Note kind="fee" alert>
      <p>
        <strong>{t('shell.failure.conflict')}</strong> {t('set.bothWhat')}
      </p>
      <div className={styles.both}>
        <span />
        <strong>{t('rules.mine')}</strong>
        <strong>{t('rules.theirs')}</strong>
        {fields.flatMap((field) => [
          <span key={`${field.name} label`} className="muted">
            {t(field.label)}
          </span>,
          <mark key={`${field.name} mine`}>{shown(field, mine)}</mark>,
          <mark key={`${field.name} theirs`}>{shown(field, theirs)}</mark>,
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
