// Somebody else changed the record meanwhile: both versions side by side, mine or theirs field by field. What only
// one of both changed is kept without asking. Nothing is saved before the person says so.
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import table from '#/ui/Table.module.css'
import styles from './Conflict.module.css'
import { type Difference, merged, withValue } from './differences'

interface Props<T> {
  base: T
  mine: T
  theirs: T
  /** When they saved it. */
  at?: string
  /** The name of a field in words, and its value as text. */
  label: (path: string) => string
  show: (value: unknown, path: string) => string
  onResolved: (record: T) => void
}

export function Conflict<T>({ base, mine, theirs, at, label, show, onResolved }: Props<T>) {
  const t = useText()
  const formats = useFormats()
  const { record, both } = merged(base, mine, theirs)
  const [taken, setTaken] = useState<Record<string, 'mine' | 'theirs'>>({})
  const save = () => {
    const chosen = both.reduce<T>(
      (result, { path, theirs: value }) =>
        taken[path] === 'theirs' ? withValue(result, path, value) : result,
      record,
    )
    onResolved(chosen)
  }
  return (
    <section className="stack wide" aria-label={t('forms.conflict')}>
      <Note kind="question" alert>
        <p>
          <strong>{t('forms.conflict')}</strong>{' '}
          {at ? t('forms.conflictAt', { time: formats.dayTime(at) }) : ''}{' '}
          {both.length ? t('forms.conflictChoose') : t('forms.conflictNone')}
        </p>
      </Note>
      {both.length ? (
        <div className={table.scroll}>
          <table className={table.tbl}>
            <thead>
              <tr>
                <th scope="col">{t('forms.field')}</th>
                <th scope="col">{t('forms.mine')}</th>
                <th scope="col">{t('forms.theirs')}</th>
              </tr>
            </thead>
            <tbody>
              {both.map((one) => (
                <tr key={one.path}>
                  <th scope="row">{label(one.path)}</th>
                  {(['mine', 'theirs'] as const).map((side) => (
                    <td key={side}>
                      <Version
                        one={one}
                        side={side}
                        text={show(one[side], one.path)}
                        name={`${label(one.path)}: ${t(`forms.${side}`)}`}
                        isOn={(taken[one.path] ?? 'mine') === side}
                        onTake={() => setTaken({ ...taken, [one.path]: side })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <div className="row wrap">
        <Button kind="primary" onPress={save}>
          {t('forms.saveChosen')}
        </Button>
        <Button onPress={() => onResolved(theirs)}>{t('forms.takeTheirs')}</Button>
      </div>
    </section>
  )
}

interface VersionProps {
  one: Difference
  side: 'mine' | 'theirs'
  text: string
  name: string
  isOn: boolean
  onTake: () => void
}

function Version({ one, side, text, name, isOn, onTake }: VersionProps) {
  return (
    <label className={styles.version}>
      <input
        type="radio"
        name={`conflict-${one.path}`}
        aria-label={name}
        checked={isOn}
        onChange={onTake}
        value={side}
      />
      <bdi className={isOn ? styles.taken : undefined}>{text}</bdi>
    </label>
  )
}
