// A fiscal year, ledger, group, fund or budget is made or changed.

import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { AcqForm, useEdited } from '#/acquisitions/form/AcqForm'
import type { ListSearch } from '#/acquisitions/list/search'
import {
  classesQuery,
  fundsQuery,
  fundTypesQuery,
  groupsQuery,
  ledgersQuery,
  yearsQuery,
} from '#/acquisitions/queries'
import { keepTags, useTagField } from '#/acquisitions/tags'
import { useChoices } from '#/acquisitions/words'
import { get } from '#/api/client'
import { loadLists } from '#/api/lists'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { type FinanceRecord, type Kind, kindOf, PATHS, read, save } from './kinds'
import { partsOf } from './parts'

const storedQuery = (kind: Kind, id: string) => ({
  queryKey: ['acq', 'form', kind, id],
  queryFn: () => get<unknown>(`${PATHS[kind]}/${id}`).then((answer) => read(kind, answer)),
  staleTime: 0,
})

export async function loader({ kind, id }: { kind: string; id: string }) {
  const of = kindOf(kind)
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(yearsQuery),
    (of === 'funds' || of === 'budgets') && queryClient.ensureQueryData(ledgersQuery),
    (of === 'funds' || of === 'budgets') && queryClient.ensureQueryData(fundsQuery),
    of === 'funds' && loadLists('locations').catch(() => []),
    id !== 'new' && queryClient.fetchQuery(storedQuery(of, id)),
  ])
}

export function FinanceForm() {
  const t = useText()
  const choices = useChoices()
  const id = useEdited()
  const { kind: named } = useParams({ strict: false }) as { kind?: string }
  const { of } = useSearch({ strict: false }) as ListSearch
  const kind = kindOf(named)
  const years = useLoaded(yearsQuery)
  const isFund = kind === 'funds'
  const { data: ledgers } = useQuery({ ...ledgersQuery, enabled: isFund })
  const { data: funds } = useQuery({ ...fundsQuery, enabled: isFund || kind === 'budgets' })
  const { data: groups } = useQuery({ ...groupsQuery, enabled: isFund })
  const { data: classes } = useQuery({ ...classesQuery, enabled: kind === 'budgets' })
  const { data: types } = useQuery({ ...fundTypesQuery, enabled: isFund })
  const { data: stored } = useQuery({ ...storedQuery(kind, id ?? ''), enabled: false })
  const tags = useTagField()
  const parts = useMemo(
    () =>
      partsOf(kind, Boolean(id), t, {
        years,
        ledgers: ledgers ?? [],
        funds: funds ?? [],
        types: types ?? [],
        groups: groups ?? [],
        classes: classes ?? [],
        choices,
        tags,
      }),
    [kind, id, t, choices, years, ledgers, funds, types, groups, classes, tags],
  )
  const record = useMemo(
    (): FinanceRecord =>
      id && stored
        ? stored
        : {
            budgetStatus: 'Active',
            fundStatus: 'Active',
            ledgerStatus: 'Active',
            status: 'Active',
            fundId: of?.[0],
          },
    [id, stored, of],
  )
  return (
    <AcqForm<FinanceRecord>
      key={`${kind}/${id}`}
      title={id ? t('acq.editOf', { name: String(record.name ?? '') }) : t(`acq.new.${kind}`)}
      path={
        <Link to="/finance" search={{ view: kind === 'budgets' ? undefined : kind }}>
          {t(`acq.list.${kind}`)}
        </Link>
      }
      record={record}
      parts={parts}
      stored={id ? { path: `${PATHS[kind]}/${id}`, of: (answer) => read(kind, answer) } : undefined}
      save={async (next) => {
        await keepTags(next)
        return save(kind, id, next, { funds: funds ?? [], years })
      }}
    />
  )
}
