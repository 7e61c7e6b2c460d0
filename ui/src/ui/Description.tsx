// Labels and values. What has no value is left out: no dashes.
import type { ReactNode } from 'react'
import card from './Card.module.css'

export type Line = readonly [label: string, value: ReactNode]

export function Description({ lines }: { lines: readonly Line[] }) {
  const shown = lines.filter(([, value]) => value !== undefined && value !== null && value !== '')
  return (
    <dl className={card.dl}>
      {shown.map(([label, value]) => (
        <div key={label} className={card.pair}>
          <dt>{label}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
