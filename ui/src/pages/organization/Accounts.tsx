// The accounts that the library has with an organization.
import type { Account } from '#/acquisitions/types'
import { useWord } from '#/acquisitions/words'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Code } from '#/ui/Code'
import { Section } from '#/ui/Section'
import { type Column, rowsOf, Table } from '#/ui/Table'

export function Accounts({ accounts }: { accounts: readonly Account[] }) {
  const t = useText()
  const word = useWord()
  const { number } = useFormats()
  const columns: Column<Account>[] = [
    { id: 'name', title: t('acq.name'), kind: 'main', cell: ({ name }) => <bdi>{name}</bdi> },
    {
      id: 'number',
      title: t('acq.accountNo'),
      width: 12,
      cell: ({ accountNo }) => (accountNo ? <Code plain>{accountNo}</Code> : null),
    },
    { id: 'status', title: t('acq.status'), width: 9, cell: (one) => word(one.accountStatus) },
    {
      id: 'method',
      title: t('acq.paymentMethod'),
      width: 10,
      cell: (one) => word(one.paymentMethod),
    },
    {
      id: 'note',
      title: t('acq.description'),
      width: 14,
      soft: true,
      wide: true,
      cell: (one) => <bdi>{one.description}</bdi>,
    },
  ]
  return (
    <Section title={t('acq.accounts')} count={number(accounts.length)}>
      {accounts.length ? (
        <Table
          label={t('acq.accounts')}
          columns={columns}
          rows={rowsOf(accounts)}
          keyOf={(one) => one.accountNo ?? one.name ?? ''}
          nameOf={(one) => one.name ?? ''}
        />
      ) : (
        <p className="sm muted">{t('acq.noAccounts')}</p>
      )}
    </Section>
  )
}
