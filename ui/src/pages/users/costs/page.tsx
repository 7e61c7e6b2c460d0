// Lost items whose cost is to be found out: billed to the patron, or let go. The status stands in the address.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { queryClient } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { type Cost, costsSource, STATUSES, type Status } from '#/patrons/costs/costs'
import { Empty } from '#/ui/Empty'
import { Failed } from '#/ui/Failed'
import { ListFoot } from '#/ui/ListFoot'
import { Note } from '#/ui/Note'
import { Head, page } from '#/ui/Page'
import { Segmented } from '#/ui/Segmented'
import { firstWindow, useWindows } from '#/ui/useWindows'
import { VirtualTable } from '#/ui/VirtualTable'
import { CostCard } from './CostCard'
import { useCostColumns } from './useCostColumns'

export async function loader({ deps }: { deps: { status?: Status } }) {
  await Promise.all([
    loadTexts('lists', 'forms', 'users', 'fees', 'loans'),
    queryClient.ensureQueryData(firstWindow(costsSource(deps.status ?? 'open'))),
  ])
}

export function CostsPage() {
  const t = useText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const { status = 'open' } = useSearch({ from: '/shell/users/actual-costs' })
  const source = useMemo(() => costsSource(status), [status])
  const costs = useWindows<Cost>(source)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const [task, setTask] = useState<{ act: 'bill' | 'letGo'; cost: Cost }>()
  const [said, setSaid] = useState<string>()
  const columns = useCostColumns((act, cost) => {
    setSaid(undefined)
    setTask({ act, cost })
  })
  return (
    <div className={page.col}>
      <Head
        title={t('users.actualCosts')}
        beside={
          <Segmented
            label={t('fees.status')}
            value={status}
            onChange={(next) => {
              setTask(undefined)
              void navigate({
                to: '/users/actual-costs',
                search: { status: next === 'open' ? undefined : next },
                replace: true,
              })
            }}
            choices={STATUSES.map((one) => ({ value: one, text: t(`fees.cost.${one}`) }))}
          />
        }
      />
      {task || said ? (
        <div className={page.body}>
          {task ? (
            <CostCard
              key={task.act + task.cost.id}
              act={task.act}
              cost={task.cost}
              onDone={(text) => {
                setTask(undefined)
                setSaid(text)
                void client.invalidateQueries({ queryKey: ['actual-costs'] })
                void client.invalidateQueries({ queryKey: ['patrons', task.cost.user.id] })
              }}
              onClose={() => setTask(undefined)}
            />
          ) : (
            <Note kind="ok" bar>
              <p>{said}</p>
            </Note>
          )}
        </div>
      ) : null}
      {costs.error && !costs.total ? (
        <div className={page.body}>
          <Failed error={costs.error} retry={costs.retry} />
        </div>
      ) : null}
      {costs.total === 0 && !costs.isLoading ? (
        <Empty icon="coins" title={t('fees.noCosts')} text={t('fees.noCostsWhat')} />
      ) : (
        <VirtualTable
          label={t('users.actualCosts')}
          listKey={status}
          columns={columns}
          rows={costs}
          keyOf={(one) => one.id}
          nameOf={(one) => one.instance.title ?? one.item.barcode ?? ''}
          onRange={(first, last) => {
            costs.onRange(first, last)
            setRange({ first, last })
          }}
        />
      )}
      <ListFoot
        first={range.first}
        last={Math.min(range.last, costs.total - 1)}
        total={costs.found}
        error={costs.error}
        retry={costs.retry}
      />
    </div>
  )
}
