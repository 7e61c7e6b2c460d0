// The funds of a group in one fiscal year, with their budgets; funds are added and taken out here.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMoney } from '#/acquisitions/money'
import { changed, equals, fundsQuery, ofQuery } from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import type { Budget, FiscalYear, Group, GroupPlace } from '#/acquisitions/types'
import { post, remove } from '#/api/client'
import { all, anyOf } from '#/api/cql'
import { announce } from '#/app/live'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { RowActs } from '#/ui/RowActs'
import { Section } from '#/ui/Section'
import { Select } from '#/ui/Select'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'

const PATH = '/finance/group-fund-fiscal-years'

interface Props {
  group: Group
  year: FiscalYear
  places: readonly GroupPlace[]
}

export function GroupFunds({ group, year, places }: Props) {
  const t = useText()
  const money = useMoney()
  const { number } = useFormats()
  const navigate = useNavigate()
  const { data: funds } = useQuery(fundsQuery)
  const ids = places.map((one) => one.fundId)
  const { data: budgets } = useQuery({
    ...ofQuery<Budget>(
      '/finance/budgets',
      'budgets',
      all(equals('fiscalYearId', year.id), anyOf('fundId', ids)),
    ),
    enabled: ids.length > 0,
  })
  const mayAdd = useNeeds('finance.group-fund-fiscal-years.item.post')
  const mayRemove = useNeeds('finance.group-fund-fiscal-years.item.delete')
  const [adding, setAdding] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const act = useAct()
  const fundOf = ({ fundId }: GroupPlace) => funds?.find((one) => one.id === fundId)
  const nameOf = (place: GroupPlace) => fundOf(place)?.name ?? place.fundId
  const sumOf = (id: 'totalFunding' | 'available'): Column<GroupPlace> => ({
    id,
    title: t(`acq.sum.${id}`),
    width: 9,
    kind: 'num',
    named: true,
    cell: ({ fundId }) => {
      const budget = budgets?.find((one) => one.fundId === fundId)
      return budget ? money(budget[id] ?? 0, year.currency) : null
    },
  })
  const add = async () => {
    if (!chosen) return
    const body = { groupId: group.id, fundId: chosen, fiscalYearId: year.id }
    if (!(await act.run(() => post(PATH, body)))) return
    announce(t('fin.fundAdded'))
    await changed()
    setAdding(false)
    setChosen(undefined)
  }
  const takeOut = (place: GroupPlace) =>
    void act.run(async () => {
      await remove(`${PATH}/${place.id}`)
      announce(t('fin.fundTakenOut', { name: nameOf(place) }))
      await changed()
    })
  const columns: Column<GroupPlace>[] = [
    {
      id: 'name',
      title: t('acq.name'),
      kind: 'main',
      cell: (one) => (
        <Link
          className={table.title}
          to="/finance/funds/$id"
          params={{ id: one.fundId }}
          tabIndex={-1}
        >
          <bdi>{nameOf(one)}</bdi>
        </Link>
      ),
    },
    { id: 'code', title: t('acq.codeOf'), width: 9, cell: (one) => <bdi>{fundOf(one)?.code}</bdi> },
    sumOf('totalFunding'),
    sumOf('available'),
    {
      id: 'menu',
      title: t('acq.more'),
      kind: 'menu',
      width: 3,
      cell: (one) => (
        <RowActs
          name={nameOf(one)}
          acts={[
            {
              id: 'out',
              text: t('fin.takeOut'),
              icon: 'unlink',
              disabled: mayRemove.reason,
              run: () => takeOut(one),
            },
          ]}
        />
      ),
    },
  ]
  const others = (funds ?? []).filter((one) => !ids.includes(one.id))
  return (
    <Section
      title={t('acq.list.funds')}
      count={number(places.length)}
      acts={
        <Button small icon="plus" disabled={mayAdd.reason} onPress={() => setAdding(true)}>
          {t('fin.addFund')}
        </Button>
      }
    >
      {adding ? (
        <ConfirmCard
          title={t('fin.addFund')}
          text={<bdi>{year.name}</bdi>}
          act={t('acq.add')}
          busy={act.busy}
          disabled={chosen ? undefined : t('acq.chooseFund')}
          onAct={() => void add()}
          onClose={() => setAdding(false)}
        >
          <Refused failure={act.failure} />
          <Select
            label={t('acq.fund')}
            placeholder={t('acq.choose')}
            value={chosen}
            choices={others.map((one) => ({ value: one.id, text: `${one.code} · ${one.name}` }))}
            onChange={setChosen}
          />
        </ConfirmCard>
      ) : (
        <Refused failure={act.failure} />
      )}
      {places.length ? (
        <Table
          label={t('acq.list.funds')}
          columns={columns}
          rows={rowsOf(places)}
          keyOf={(one) => one.id}
          nameOf={nameOf}
          onOpen={(one) => void navigate({ to: '/finance/funds/$id', params: { id: one.fundId } })}
        />
      ) : (
        <p className="sm muted">{t('fin.noFundsInYear')}</p>
      )}
    </Section>
  )
}
