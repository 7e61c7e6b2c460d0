// Figures of a report: what, how much, and perhaps a remark.
import type { ReactNode } from 'react'
import card from './Card.module.css'

export interface Figure {
  label: string
  value: ReactNode
  remark?: ReactNode
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={card.figs}>
      {figures.map(({ label, value, remark }) => (
        <div key={label} className={card.fig}>
          <dt>{label}</dt>
          <dd className="tnum">{value}</dd>
          {remark ? <dd className={card.remark}>{remark}</dd> : null}
        </div>
      ))}
    </dl>
  )
}
