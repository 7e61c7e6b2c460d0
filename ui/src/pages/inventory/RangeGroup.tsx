// A facet that is a range: from and to, years or days.
import { type FormEvent, useId } from 'react'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import styles from '#/ui/Facets.module.css'
import field from '#/ui/Field.module.css'
import { Icon } from '#/ui/Icon'
import own from './inventory.module.css'
import type { InventoryFacet } from './useFacets'

interface Props {
  facet: InventoryFacet
  onOpen: (open: boolean) => void
  onChoose: (chosen: string[]) => void
}

export function RangeGroup({ facet, onOpen, onChoose }: Props) {
  const t = useText()
  const id = useId()
  const { title, open, chosen, kind } = facet
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onChoose([String(form.get('from') ?? ''), String(form.get('to') ?? '')])
  }
  const input = (name: 'from' | 'to', at: number) => (
    <input
      className={field.input}
      name={name}
      type={kind.words === 'date' ? 'date' : 'number'}
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
