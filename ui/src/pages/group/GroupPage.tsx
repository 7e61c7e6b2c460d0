// A group of funds in a fiscal year: its sums as the server reckons them, its funds, its expense classes.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import look from '#/acquisitions/acquisitions.module.css'
import type { ListSearch } from '#/acquisitions/list/search'
import { currentYear, equals, ofQuery, recordQuery, yearsQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import { SumsFigures } from '#/acquisitions/SumsFigures'
import { SumsTable } from '#/acquisitions/SumsTable'
import type { Group, GroupPlace, Sums } from '#/acquisitions/types'
import { get } from '#/api/client'
import { all } from '#/api/cql'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Description } from '#/ui/Description'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Select } from '#/ui/Select'
import { GroupClasses } from './GroupClasses'
import { GroupFunds } from './GroupFunds'

const groupQuery = (id: string) => recordQuery<Group>('/finance/groups', id)
const placesQuery = (id: string) =>
  ofQuery<GroupPlace>(
    '/finance/group-fund-fiscal-years',
    'groupFundFiscalYears',
    equals('groupId', id),
  )
const sumsQuery = (id: string, year: string) =>
  queryOptions({
    queryKey: ['acq', 'group-sums', id, year],
    queryFn: async ({ signal }) => {
      const query = all(equals('groupId', id), equals('fiscalYearId', year))
      const { groupFiscalYearSummaries } = await get<{ groupFiscalYearSummaries: Sums[] }>(
        '/finance/group-fiscal-year-summaries',
        { query, limit: 1 },
        signal,
      )
      return groupFiscalYearSummaries[0] ?? null
    },
    staleTime: 0,
  })

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(groupQuery(id)),
    queryClient.ensureQueryData(placesQuery(id)),
    queryClient.ensureQueryData(yearsQuery),
  ])
}

export function GroupPage() {
  const t = useText()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { of } = useSearch({ strict: false }) as ListSearch
  const group = useLoaded(groupQuery(id))
  const places = useLoaded(placesQuery(id))
  const years = useLoaded(yearsQuery)
  const own = years.filter((one) => places.some(({ fiscalYearId }) => fiscalYearId === one.id))
  const year = years.find((one) => one.id === of?.[0]) ?? currentYear(own) ?? currentYear(years)
  const { data: sums } = useQuery({
    ...sumsQuery(id, year?.id ?? ''),
    enabled: Boolean(year),
  })
  const { reason } = useNeeds('finance.groups.item.put')
  const mayAllocate = useNeeds('finance.finance-data.collection.get')
  const allocate = () =>
    void navigate({
      to: '/finance/$kind/$id',
      params: { kind: 'group-allocations', id },
      search: { of },
    })
  const edit = () =>
    void navigate({ to: '/finance/$kind/$id/edit', params: { kind: 'groups', id } })
  useCommands([
    {
      id: 'acq.edit',
      title: 'acq.edit',
      group: 'page',
      keys: 'Alt+E',
      disabled: reason,
      run: edit,
    },
    {
      id: 'fin.alloc.title',
      title: 'fin.alloc.title',
      group: 'page',
      keys: 'Alt+B',
      disabled: mayAllocate.reason,
      run: allocate,
    },
  ])
  return (
    <>
      <RecordHead
        title={group.name}
        path={
          <>
            <Link to="/finance" search={{ view: 'groups' }}>
              {t('acq.list.groups')}
            </Link>{' '}
            / <bdi>{group.code}</bdi>
          </>
        }
        sub={<StateOf value={group.status} />}
      >
        <Button icon="list-checks" keys="Alt+B" disabled={mayAllocate.reason} onPress={allocate}>
          {t('fin.alloc.title')}
        </Button>
        <Button kind="primary" icon="pencil" keys="Alt+E" disabled={reason} onPress={edit}>
          {t('acq.edit')}
        </Button>
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          <Section title={t('acq.money')}>
            <div className="stack wide">
              <div className={look.scan}>
                <Select
                  label={t('acq.fiscalYear')}
                  value={year?.id}
                  choices={years.map((one) => ({ value: one.id, text: one.name }))}
                  onChange={(next) =>
                    void navigate({
                      to: '/finance/$kind/$id',
                      params: { kind: 'groups', id },
                      search: { of: [next] },
                      replace: true,
                    })
                  }
                />
              </div>
              {sums ? (
                <>
                  <SumsFigures sums={sums} currency={year?.currency} />
                  <SumsTable sums={sums} currency={year?.currency} />
                </>
              ) : (
                <p className="sm muted">{t('fin.noFundsInYear')}</p>
              )}
            </div>
          </Section>
          {year ? (
            <>
              <GroupFunds
                group={group}
                year={year}
                places={places.filter((one) => one.fiscalYearId === year.id)}
              />
              <GroupClasses group={group} year={year} />
            </>
          ) : null}
          <Section title={t('acq.summary')}>
            <Description lines={[[t('acq.description'), group.description]]} />
          </Section>
        </div>
      </div>
    </>
  )
}
