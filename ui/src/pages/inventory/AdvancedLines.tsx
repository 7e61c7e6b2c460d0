// Up to six conditions, joined from the first to the last.
import { type FormEvent, useState } from 'react'
import { type TextId, useText } from '#/i18n/text'
import { JOINS, type Line, MATCHES, OPTIONS, type Segment } from '#/inventory/search'
import { Button } from '#/ui/Button'
import field from '#/ui/Field.module.css'
import styles from './inventory.module.css'

const LINES_MAX = 6
const empty: Line = { join: 'and', by: 'keyword', match: 'all', text: '' }

interface Props {
  segment: Segment
  lines: readonly Line[]
  onSearch: (lines: Line[]) => void
  onClose: () => void
}

export function AdvancedLines({ segment, lines: first, onSearch, onClose }: Props) {
  const t = useText()
  const [lines, setLines] = useState<Line[]>(() =>
    first.length ? [...first] : [empty, { ...empty, by: 'contributor' }],
  )
  const change = (at: number, next: Partial<Line>) =>
    setLines(lines.map((line, one) => (one === at ? { ...line, ...next } : line)))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(lines.filter((line) => line.text.trim()))
  }
  const choose = <T extends string>(
    label: string,
    value: T,
    values: readonly T[],
    textOf: (value: T) => TextId,
    set: (value: T) => void,
  ) => (
    <select
      className={field.input}
      aria-label={label}
      value={value}
      onChange={(event) => set(event.target.value as T)}
    >
      {values.map((one) => (
        <option key={one} value={one}>
          {t(textOf(one))}
        </option>
      ))}
    </select>
  )
  return (
    <form className={styles.lines} aria-label={t('inventory.advanced')} onSubmit={submit}>
      {lines.map((line, at) => {
        const number = { number: at + 1 }
        return (
          <div key={at} className={styles.line}>
            {at ? (
              choose(
                t('inventory.join', number),
                line.join,
                JOINS,
                (one) => `inventory.join.${one}` as TextId,
                (join) => change(at, { join }),
              )
            ) : (
              <span />
            )}
            <input
              className={field.input}
              dir="auto"
              aria-label={t('inventory.lineText', number)}
              value={line.text}
              onChange={(event) => change(at, { text: event.target.value })}
            />
            {choose(
              t('inventory.lineMatch', number),
              line.match,
              MATCHES,
              (one) => `inventory.match.${one}` as TextId,
              (match) => change(at, { match }),
            )}
            {choose(
              t('inventory.lineBy', number),
              line.by,
              OPTIONS[segment].map((one) => one.id),
              (one) => `inventory.by.${one}` as TextId,
              (by) => change(at, { by }),
            )}
          </div>
        )
      })}
      <div className="row wrap">
        <Button type="submit">{t('inventory.searchDo')}</Button>
        {lines.length < LINES_MAX ? (
          <Button kind="quiet" icon="plus" onPress={() => setLines([...lines, empty])}>
            {t('inventory.addLine')}
          </Button>
        ) : null}
        <Button kind="quiet" onPress={onClose}>
          {t('shell.close')}
        </Button>
      </div>
    </form>
  )
}
