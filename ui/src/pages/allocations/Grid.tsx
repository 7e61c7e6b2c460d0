// The funds of a year in a grid of fields. Plain fields: a ledger has hundreds of funds, and a change draws its row alone.
import { memo } from 'react'
import { useMoney } from '#/acquisitions/money'
import { useChoices } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import { cx } from '#/ui/cx'
import field from '#/ui/Field.module.css'
import { ScrollBox } from '#/ui/ScrollBox'
import table from '#/ui/Table.module.css'
import styles from './allocations.module.css'
import {
  after,
  BUDGET_STATUSES,
  type Edit,
  type Entry,
  type Field,
  FUND_STATUSES,
  isChanged,
} from './entries'

/** The faults of a row in words. */
export type Said = Partial<Record<Field, string>>

export const cellId = (at: number, name: Field) => `alloc.${at}.${name}`

interface Props {
  entries: readonly Entry[]
  faults: ReadonlyMap<number, Said>
  currency?: string
  locked: boolean
  onEdit: (at: number, name: Field, value: string) => void
}

export function Grid({ entries, faults, currency, locked, onEdit }: Props) {
  const t = useText()
  const heads = useHeads()
  return (
    <ScrollBox label={t('fin.alloc.rows')}>
      <table className={cx(table.tbl, styles.grid)} aria-label={t('fin.alloc.rows')}>
        <thead>
          <tr>
            <th scope="col">{t('acq.fund')}</th>
            <th scope="col">{heads.fundStatus}</th>
            <th scope="col">{heads.budgetStatus}</th>
            <th scope="col" className="num">
              {t('fin.alloc.now')}
            </th>
            <th scope="col" className="num">
              {heads.change}
            </th>
            <th scope="col" className="num">
              {t('fin.alloc.after')}
            </th>
            <th scope="col" className="num">
              {heads.encumbrance}
            </th>
            <th scope="col" className="num">
              {heads.expenditure}
            </th>
            <th scope="col">{heads.description}</th>
            <th scope="col">{heads.tags}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, at) => (
            <GridRow
              key={entry.row.fundId}
              at={at}
              entry={entry}
              said={faults.get(at)}
              currency={currency}
              locked={locked}
              onEdit={onEdit}
            />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function useHeads(): Record<Field, string> {
  const t = useText()
  return {
    fundStatus: t('fin.alloc.fundStatus'),
    budgetStatus: t('fin.alloc.budgetStatus'),
    change: t('fin.alloc.change'),
    encumbrance: t('fin.alloc.encumbrance'),
    expenditure: t('fin.alloc.expenditure'),
    description: t('acq.description'),
    tags: t('fin.alloc.tags'),
  }
}

interface RowProps {
  at: number
  entry: Entry
  said?: Said
  currency?: string
  locked: boolean
  onEdit: Props['onEdit']
}

const GridRow = memo(({ at, entry, said, currency, locked, onEdit }: RowProps) => {
  const t = useText()
  const money = useMoney()
  const choices = useChoices()
  const heads = useHeads()
  const { row, edit } = entry
  const name = row.fundName ?? row.fundCode ?? ''
  const common = (of: Field) => ({
    id: cellId(at, of),
    className: field.input,
    'aria-label': t('fin.alloc.cell', { what: heads[of], fund: name }),
    'aria-invalid': said?.[of] ? (true as const) : undefined,
    'aria-describedby': said?.[of] ? `${cellId(at, of)}.fault` : undefined,
    value: edit[of],
    disabled: locked,
    onChange: ({ target }: { target: { value: string } }) => onEdit(at, of, target.value),
  })
  const fault = (of: Field) =>
    said?.[of] ? (
      <span className={field.err} id={`${cellId(at, of)}.fault`}>
        {said[of]}
      </span>
    ) : null
  const cell = (of: keyof Edit, kind?: 'num' | 'long') => (
    <td className={kind === 'num' ? 'num' : undefined}>
      <input
        {...common(of)}
        inputMode={kind === 'num' ? 'decimal' : undefined}
        dir={kind === 'num' ? 'ltr' : 'auto'}
        data-kind={kind}
        autoComplete="off"
      />
      {fault(of)}
    </td>
  )
  const select = (of: 'fundStatus' | 'budgetStatus', all: readonly string[], none?: string) => {
    const known = [...all, ...(edit[of] && !all.includes(edit[of]) ? [edit[of]] : [])]
    return (
      <td>
        <select {...common(of)}>
          {none === undefined ? null : <option value="">{none}</option>}
          {choices(known).map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        {fault(of)}
      </td>
    )
  }
  return (
    <tr className={isChanged(entry) ? styles.changed : undefined}>
      <th scope="row">
        <bdi>{name}</bdi>
        <span className="sm muted">
          <bdi>{row.budgetName ?? t('fin.alloc.noBudget')}</bdi>
        </span>
      </th>
      {select('fundStatus', FUND_STATUSES)}
      {select('budgetStatus', BUDGET_STATUSES, row.budgetId ? undefined : t('fin.alloc.byYear'))}
      <td className="num">{row.budgetId ? money(row.budgetCurrentAllocation, currency) : '–'}</td>
      {cell('change', 'num')}
      <td className="num">{money(after(entry), currency)}</td>
      {cell('encumbrance', 'num')}
      {cell('expenditure', 'num')}
      {cell('description', 'long')}
      {cell('tags')}
    </tr>
  )
})
