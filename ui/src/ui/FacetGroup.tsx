// One facet: its name folds it; the commonest values, all on demand with a field to find one.
import { useId, useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import styles from './Facets.module.css'
import field from './Field.module.css'
import { Icon } from './Icon'
import { Skeleton } from './Skeleton'

export interface FacetValue {
  id: string
  text: string
  count: number
}

export interface Facet {
  id: string
  title: string
  open: boolean
  /** Undefined while they are counted. */
  values: readonly FacetValue[] | undefined
  chosen: readonly string[]
}

interface Props extends Facet {
  onOpen: (open: boolean) => void
  onChoose: (chosen: string[]) => void
}

const FEW = 5

export function FacetGroup({ title, open, values, chosen, onOpen, onChoose }: Props) {
  const t = useText()
  const formats = useFormats()
  const id = useId()
  const [all, setAll] = useState(false)
  const [text, setText] = useState('')
  const needle = text.trim().toLocaleLowerCase()
  const matching = (values ?? []).filter(
    (one) => !needle || one.text.toLocaleLowerCase().includes(needle),
  )
  // What is chosen stays in view, whatever its count.
  const shown = all
    ? matching
    : (values ?? []).filter((one, at) => at < FEW || chosen.includes(one.id))
  const toggle = (value: string) =>
    onChoose(chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value])
  return (
    <section className={styles.facet} aria-labelledby={id}>
      <button type="button" id={id} aria-expanded={open} onClick={() => onOpen(!open)}>
        {title}
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      </button>
      {open && !values ? <Skeleton share={15} /> : null}
      {open && values ? (
        <>
          {all ? (
            <input
              type="search"
              className={field.input ?? ''}
              aria-label={t('list.filterValues', { name: title })}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          ) : null}
          <ul aria-labelledby={id}>
            {shown.map((one) => (
              <li key={one.id}>
                <label>
                  <input
                    type="checkbox"
                    checked={chosen.includes(one.id)}
                    onChange={() => toggle(one.id)}
                  />
                  <bdi className={styles.words}>{one.text}</bdi>
                  <span className="n">{formats.number(one.count)}</span>
                </label>
              </li>
            ))}
          </ul>
          {values.length ? null : <p className="sm muted">{t('list.noValues')}</p>}
          {values.length > FEW ? (
            <button
              type="button"
              className={styles.all}
              aria-expanded={all}
              onClick={() => setAll(!all)}
            >
              {all ? t('list.fewer') : t('list.all', { count: formats.number(values.length) })}
            </button>
          ) : null}
        </>
      ) : null}
    </section>
  )
}
