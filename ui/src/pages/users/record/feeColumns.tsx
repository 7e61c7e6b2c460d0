// The columns of a patron's fees.
import type { Text } from '#/i18n/text'
import type { Formats } from '#/lib/format'
import { isSuspended, possible } from '#/patrons/fees/acts'
import type { Account, FeeAct } from '#/patrons/fees/types'
import { STATES } from '#/patrons/fees/words'
import { Outcome } from '#/ui/Badge'
import { RowActs } from '#/ui/RowActs'
import type { Column } from '#/ui/Table'

interface Context {
  t: Text
  formats: Formats
  onAct: (act: FeeAct, account: Account) => void
  onShow: (account: Account) => void
}

export function feeColumns({ t, formats, onAct, onShow }: Context): Column<Account>[] {
  return [
    {
      id: 'kind',
      title: t('fees.kind'),
      kind: 'main',
      cell: (one) => <bdi className="medium">{one.feeFineType}</bdi>,
    },
    { id: 'for', title: t('fees.for'), width: 15, cell: (one) => <bdi>{one.title}</bdi> },
    {
      id: 'owner',
      title: t('fees.owner'),
      width: 8,
      wide: true,
      cell: (one) => <bdi>{one.feeFineOwner}</bdi>,
    },
    {
      id: 'charged',
      title: t('fees.charged'),
      width: 9,
      cell: (one) => {
        const when = one.metadata?.createdDate ?? one.dateCreated
        return when ? <span className="nowrap">{formats.day(when)}</span> : null
      },
    },
    {
      id: 'status',
      title: t('fees.status'),
      width: 13,
      cell: (one) => {
        const found = STATES[one.paymentStatus?.name ?? '']
        if (!found) return <bdi>{one.paymentStatus?.name}</bdi>
        const [text, kind, icon] = found
        return (
          <Outcome kind={kind} icon={icon}>
            {t(text)}
          </Outcome>
        )
      },
    },
    {
      id: 'amount',
      title: t('fees.amount'),
      width: 6,
      kind: 'num',
      named: true,
      cell: (one) => formats.money(one.amount),
    },
    {
      id: 'left',
      title: t('fees.left'),
      width: 6,
      kind: 'num',
      named: true,
      cell: (one) => (
        <span className={isSuspended(one) ? 'soft' : 'strong'}>{formats.money(one.remaining)}</span>
      ),
    },
    {
      id: 'menu',
      title: t('loans.actions'),
      width: 3,
      kind: 'menu',
      cell: (one) => <Menu account={one} t={t} onAct={onAct} onShow={onShow} />,
    },
  ]
}

interface MenuProps extends Omit<Context, 'formats'> {
  account: Account
}

const ACTS: readonly FeeAct[] = ['pay', 'waive', 'transfer', 'refund', 'cancel']

function Menu({ account, t, onAct, onShow }: MenuProps) {
  return (
    <RowActs
      name={[account.feeFineType, account.title].filter(Boolean).join(', ')}
      acts={[
        ...ACTS.map((act) => ({
          id: act,
          text: t(`fees.act.${act}`),
          disabled: possible([account], act)
            ? undefined
            : t(`fees.not.${act === 'refund' ? 'refund' : 'open'}`),
          run: () => onAct(act, account),
        })),
        'line',
        { id: 'history', text: t('fees.history'), icon: 'history', run: () => onShow(account) },
      ]}
    />
  )
}
