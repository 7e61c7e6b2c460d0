// The actions on one fee, newest first; all of them on a receipt.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { feeActionsQuery } from '#/patrons/fees/queries'
import type { Account, FeeAction } from '#/patrons/fees/types'
import { useReceipt } from '#/patrons/fees/useReceipt'
import { actionWord } from '#/patrons/fees/words'
import { Button } from '#/ui/Button'
import { Failed } from '#/ui/Failed'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

interface Props {
  account: Account
  /** The card of the patron. */
  barcode: string | undefined
  onClose: () => void
}

export function FeeHistory({ account, barcode, onClose }: Props) {
  const t = useText()
  const formats = useFormats()
  const { data, error } = useQuery(feeActionsQuery(account.id))
  const print = useReceipt(barcode)
  const name = [account.feeFineType, account.title].filter(Boolean).join(', ')
  const columns: Column<FeeAction>[] = [
    {
      id: 'what',
      title: t('fees.action'),
      kind: 'main',
      cell: (one) => <bdi className="medium">{actionWord(one.typeAction, t)}</bdi>,
    },
    {
      id: 'when',
      title: t('fees.when'),
      width: 12,
      cell: (one) => (one.dateAction ? formats.dayTime(one.dateAction) : null),
    },
    {
      id: 'method',
      title: t('fees.method'),
      width: 9,
      soft: true,
      cell: (one) => <bdi>{one.paymentMethod}</bdi>,
    },
    {
      id: 'amount',
      title: t('fees.amount'),
      width: 6,
      kind: 'num',
      named: true,
      cell: (one) => (one.amountAction === undefined ? null : formats.money(one.amountAction)),
    },
    {
      id: 'balance',
      title: t('fees.left'),
      width: 6,
      kind: 'num',
      named: true,
      cell: (one) => (one.balance === undefined ? null : formats.money(one.balance)),
    },
    { id: 'by', title: t('fees.by'), width: 9, soft: true, cell: (one) => <bdi>{one.source}</bdi> },
    {
      id: 'comment',
      title: t('fees.comment'),
      width: 14,
      cell: (one) => <bdi>{one.comments}</bdi>,
    },
  ]
  return (
    <section className="stack" aria-label={t('fees.historyOf', { name })}>
      <div className="row">
        <h3>
          <bdi>{t('fees.historyOf', { name })}</bdi>
        </h3>
        <span className="row push">
          <Button
            small
            icon="printer"
            busy={!data && !error}
            onPress={() => data && print([account], data.toReversed())}
          >
            {t('fees.printReceipt')}
          </Button>
          <Button small kind="quiet" onPress={onClose}>
            {t('shell.close')}
          </Button>
        </span>
      </div>
      {error ? <Failed error={error} /> : null}
      {data ? (
        <div className={table.scroll}>
          <Table
            label={t('fees.historyOf', { name })}
            columns={columns}
            rows={rowsOf(data)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.typeAction ?? ''}
          />
        </div>
      ) : null}
    </section>
  )
}
