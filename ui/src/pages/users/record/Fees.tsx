// What the user owes and owed: pay, waive, transfer, refund, cancel, one or many; a new charge.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { isSuspended, sumOf } from '#/patrons/fees/acts'
import { feesQuery } from '#/patrons/fees/queries'
import type { Account, FeeAct, FeeAction } from '#/patrons/fees/types'
import { useReceipt } from '#/patrons/fees/useReceipt'
import type { Patron } from '#/patrons/types'
import { Button } from '#/ui/Button'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { Note } from '#/ui/Note'
import { Segmented } from '#/ui/Segmented'
import { rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { ChargeForm } from './ChargeForm'
import { FeeActCard } from './FeeActCard'
import { FeeBar } from './FeeBar'
import { FeeHistory } from './FeeHistory'
import { feeColumns } from './feeColumns'
import styles from './record.module.css'

interface Done {
  said: string
  accounts: readonly Account[]
  actions: readonly FeeAction[]
}
type Task = { act: FeeAct; accounts: readonly Account[] } | { act: 'charge' }

export function Fees({ user }: { user: Patron }) {
  const t = useText()
  const formats = useFormats()
  const navigate = useNavigate()
  const client = useQueryClient()
  const search = useSearch({ from: '/shell/users/$userId' })
  const state = search.fees ?? 'open'
  const { data, error, refetch } = useQuery(feesQuery(user.id, state))
  const mayCharge = useNeeds('accounts.item.post')
  const mayPay = useNeeds('feesfines.accounts-bulk.pay.post')
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const [task, setTask] = useState<Task>()
  const [shown, setShown] = useState<Account>()
  const [last, setLast] = useState<Done>()
  const print = useReceipt(user.barcode)
  const accounts = data ?? []
  const chosen = accounts.filter((one) => keys.has(one.id))
  const due = accounts.filter((one) => one.status.name === 'Open' && !isSuspended(one))
  const left = sumOf(due, 'remaining')
  const done = async () => {
    setTask(undefined)
    setKeys(new Set())
    await client.invalidateQueries({ queryKey: ['patrons', user.id] })
    await client.invalidateQueries({ queryKey: ['fees'] })
  }
  const start = (act: FeeAct, some: readonly Account[]) => {
    setShown(undefined)
    setLast(undefined)
    setTask({ act, accounts: some })
  }
  const columns = feeColumns({
    t,
    formats,
    onAct: (act, one) => start(act, [one]),
    onShow: setShown,
  })
  return (
    <section className="stack" aria-label={t('fees.title')}>
      {chosen.length ? (
        <FeeBar
          chosen={chosen}
          total={accounts.length}
          onAct={(act) => start(act, chosen)}
          onClear={() => setKeys(new Set())}
        />
      ) : (
        <div className={styles.bar}>
          <h2>{t('fees.title')}</h2>
          <Segmented
            label={t('fees.title')}
            value={state}
            onChange={(value) =>
              void navigate({
                to: '/users/$userId',
                params: { userId: user.id },
                search: { ...search, fees: value === 'open' ? undefined : value },
                replace: true,
              })
            }
            choices={[
              { value: 'open', text: t('fees.open') },
              { value: 'closed', text: t('fees.closed') },
              { value: 'all', text: t('fees.all') },
            ]}
          />
          <span className="row wrap push">
            <Button
              small
              icon="plus"
              disabled={mayCharge.reason}
              onPress={() => setTask({ act: 'charge' })}
            >
              {t('fees.new')}
            </Button>
            {left > 0 ? (
              <Button small icon="coins" disabled={mayPay.reason} onPress={() => start('pay', due)}>
                {t('fees.payAll', { amount: formats.money(left) })}
              </Button>
            ) : null}
          </span>
        </div>
      )}
      {task?.act === 'charge' ? (
        <ChargeForm
          user={user}
          onDone={(account) => {
            void done().then(() => account && start('pay', [account]))
          }}
          onClose={() => setTask(undefined)}
        />
      ) : null}
      {task && task.act !== 'charge' ? (
        <FeeActCard
          key={task.act + task.accounts.map((one) => one.id).join()}
          act={task.act}
          accounts={task.accounts}
          onDone={(said, actions) => {
            setLast({ said, accounts: task.accounts, actions })
            void done()
          }}
          onClose={() => setTask(undefined)}
        />
      ) : null}
      {last ? (
        <Note kind="ok" bar>
          <p className="grow">{last.said}</p>
          {last.actions.length ? (
            <Button small icon="printer" onPress={() => print(last.accounts, last.actions)}>
              {t('fees.printReceipt')}
            </Button>
          ) : null}
        </Note>
      ) : null}
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {data?.length === 0 ? <Empty icon="coins" title={t(`fees.none.${state}`)} /> : null}
      {accounts.length ? (
        <div className={table.scroll}>
          <Table
            label={t('fees.title')}
            columns={columns}
            rows={rowsOf(accounts)}
            keyOf={(one) => one.id}
            nameOf={(one) => one.feeFineType ?? ''}
            selection={{ keys, onChange: setKeys }}
            onOpen={setShown}
          />
          <p className={styles.sum}>
            <span>{t('fees.total')}</span>
            <span className="tnum">{formats.money(left)}</span>
          </p>
        </div>
      ) : null}
      {shown ? (
        <FeeHistory account={shown} barcode={user.barcode} onClose={() => setShown(undefined)} />
      ) : null}
    </section>
  )
}
