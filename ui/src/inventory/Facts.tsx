// Labels and values of a record; what is empty is left out.
import type { ReactNode } from 'react'
import card from '#/ui/Card.module.css'
import { cx } from '#/ui/cx'

export type Fact = readonly [label: string, value: ReactNode]

const isEmpty = (value: ReactNode) =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

export const hasFacts = (facts: readonly Fact[]) => facts.some(([, value]) => !isEmpty(value))

export function Facts({ facts, small }: { facts: readonly Fact[]; small?: boolean }) {
  const shown = facts.filter(([, value]) => !isEmpty(value))
  if (!shown.length) return null
  return (
    <dl className={cx(card.dl, small && 'sm')}>
      {shown.map(([label, value]) => (
        <div key={label} className={card.pair}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Values one below the other. */
export function Lines({ values }: { values: readonly (string | undefined)[] | undefined }) {
  const found = (values ?? []).filter(Boolean)
  if (!found.length) return null
  return (
    <>
      {found.map((value, at) => (
        // A line keeps its own direction, and begins where the page begins.
        <span key={`${at}${value}`} className="line">
          <bdi>{value}</bdi>
        </span>
      ))}
    </>
  )
}

/** The same where nothing is said when there is nothing. */
export const lines = (values: readonly (string | undefined)[] | undefined) =>
  values?.some(Boolean) ? <Lines values={values} /> : undefined
