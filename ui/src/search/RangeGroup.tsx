// A facet that is a range: from and to, years or days.
import { type FormEvent, useId } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import type { Facet } from '#/ui/FacetGroup'
import styles from '#/ui/Facets.module.css'
import field from '#/ui/Field.module.css'
import { Icon } from '#/ui/Icon'
import own from './search.module.css'

interface Props {
  facet: Facet
  of: 'date' | 'number'
  onOpen: (open: boolean) => void
  onChoose: (chosen: string[]) => void
}

export function RangeGroup({ facet, of, onOpen, onChoose }: Props) {
  const t = useText()
  const id = useId()
  const { title, open, chosen } = facet
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onChoose([String(form.get('from') ?? ''), String(form.get('to') ?? '')])
  }
  const input = (name: 'from' | 'to', at: number) => (
    <input
      className={field.input}
      name={name}
      type={of}
      aria-label={t(name === 'from' ? 'inventory.from' : 'inventory.to', { name: title })}
      defaultValue={chosen[at] ?? ''}
    />
  )
  return (
    <section className={styles.facet} aria-labelledby={id}>
      <button type="button" id={id} aria-expanded={open} onClick={() => onOpen(!open)}>
        {title}
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      </button>
      {open ? (
        <form className={own.range} key={chosen.join()} onSubmit={submit}>
          {input('from', 0)}
          {input('to', 1)}
          <Button small type="submit">
            {t('list.narrow')}
          </Button>
        </form>
      ) : null}
    </section>
  )
}
