// A ledger in a fiscal year: its sums as the server reckons them, its funds, its rollovers.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import look from '#/acquisitions/acquisitions.module.css'
import type { ListSearch } from '#/acquisitions/list/search'
import { equals, ofQuery, recordQuery, yearsQuery } from '#/acquisitions/queries'
import { StateOf } from '#/acquisitions/StateOf'
import { SumsFigures } from '#/acquisitions/SumsFigures'
import { SumsTable } from '#/acquisitions/SumsTable'
import type { FiscalYear, Fund, Ledger } from '#/acquisitions/types'
import { useYears } from '#/acquisitions/useYears'
import { get } from '#/api/client'
import { queryClient, useLoaded } from '#/api/query'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Code } from '#/ui/Code'
import { Description } from '#/ui/Description'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Select } from '#/ui/Select'
import { type Column, rowsOf, Table } from '#/ui/Table'
import table from '#/ui/Table.module.css'
import { Allocations } from './Allocations'
import { Rollovers } from './Rollovers'

const fundsOf = (id: string) => ofQuery<Fund>('/finance/funds', 'funds', equals('ledgerId', id))
const ledgerQuery = (id: string, year?: string) =>
  recordQuery<Ledger>('/finance/ledgers', id, year && `fiscalYear=${encodeURIComponent(year)}`)
const currentQuery = (id: string) =>
  queryOptions({
    queryKey: ['acq', 'current-year', id],
    queryFn: ({ signal }) =>
      get<FiscalYear>(`/finance/ledgers/${id}/current-fiscal-year`, undefined, signal),
    retry: false,
  })

export async function loader(id: string, { of }: ListSearch) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(ledgerQuery(id)),
    queryClient.ensureQueryData(yearsQuery),
  ])
  // A ledger may have no current year; its own facts are shown all the same.
  const year =
    of?.[0] ?? (await queryClient.ensureQueryData(currentQuery(id)).catch(() => null))?.id
  if (year) await queryClient.ensureQueryData(ledgerQuery(id, year))
}

export function LedgerPage() {
  const t = useText()
  const { number } = useFormats()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { of } = useSearch({ strict: false }) as ListSearch
  const { years } = useYears()
  const { data: current } = useQuery({ ...currentQuery(id), enabled: !of })
  const ledger = useLoaded(ledgerQuery(id))
  const year = of?.[0] ?? current?.id
  const { data: sums } = useQuery({ ...ledgerQuery(id, year), enabled: Boolean(year) })
  const { data: funds } = useQuery(fundsOf(id))
  const { reason } = useNeeds('finance.ledgers.item.put')
  const mayRoll = useNeeds('finance.ledger-rollovers.item.post')
  const roll = () => void navigate({ to: '/finance/$kind/$id', params: { kind: 'rollover', id } })
  const mayAllocate = useNeeds('finance.finance-data.collection.get')
  const allocate = () =>
    void navigate({
      to: '/finance/$kind/$id',
      params: { kind: 'ledger-allocations', id },
      search: { of },
    })
  const edit = () =>
    void navigate({ to: '/finance/$kind/$id/edit', params: { kind: 'ledgers', id } })
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
    {
      id: 'fin.rollOver',
      title: 'fin.rollOver',
      group: 'page',
      keys: 'Alt+R',
      disabled: mayRoll.reason,
      run: roll,
    },
  ])
  const columns: Column<Fund>[] = [
    {
      id: 'name',
      title: t('acq.name'),
      kind: 'main',
      cell: (one) => (
        <Link className={table.title} to="/finance/funds/$id" params={{ id: one.id }} tabIndex={-1}>
          <bdi>{one.name}</bdi>
        </Link>
      ),
    },
    {
      id: 'code',
      title: t('acq.codeOf'),
      width: 10,
      cell: (one) => <Code plain>{one.code}</Code>,
    },
    {
      id: 'status',
      title: t('acq.status'),
      width: 8,
      cell: (one) => <StateOf value={one.fundStatus} />,
    },
  ]
  return (
    <>
      <RecordHead
        title={ledger.name}
        path={
          <>
            <Link to="/finance" search={{ view: 'ledgers' }}>
              {t('acq.list.ledgers')}
            </Link>{' '}
            / <bdi>{ledger.code}</bdi>
          </>
        }
        sub={<StateOf value={ledger.ledgerStatus} />}
      >
        <Button icon="list-checks" keys="Alt+B" disabled={mayAllocate.reason} onPress={allocate}>
          {t('fin.alloc.title')}
        </Button>
        <Button icon="calendar-clock" keys="Alt+R" disabled={mayRoll.reason} onPress={roll}>
          {t('fin.rollOver')}
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
                  value={year}
                  choices={years.map((one) => ({ value: one.id, text: one.name }))}
                  onChange={(next) =>
                    void navigate({
                      to: '/finance/ledgers/$id',
                      params: { id },
                      search: { of: [next] },
                      replace: true,
                    })
                  }
                />
              </div>
              {sums ? (
                <>
                  <SumsFigures sums={sums} currency={sums.currency} />
                  <SumsTable sums={sums} currency={sums.currency} />
                </>
              ) : (
                <p className="sm muted">{t('acq.noYear')}</p>
              )}
            </div>
          </Section>
          <Section title={t('acq.list.funds')} count={funds && number(funds.length)}>
            {funds?.length ? (
              <Table
                label={t('acq.list.funds')}
                columns={columns}
                rows={rowsOf(funds)}
                keyOf={(one) => one.id}
                nameOf={(one) => one.name}
                onOpen={(one) =>
                  void navigate({ to: '/finance/funds/$id', params: { id: one.id } })
                }
              />
            ) : (
              <p className="sm muted">{t('acq.none')}</p>
            )}
          </Section>
          <Rollovers ledger={ledger} />
          <Allocations ledgerId={id} />
          <Section title={t('acq.summary')}>
            <Description
              lines={[
                [t('acq.description'), ledger.description],
                [
                  t('acq.restrictions'),
                  [
                    ledger.restrictEncumbrance && t('acq.restrictEncumbrance'),
                    ledger.restrictExpenditures && t('acq.restrictExpenditures'),
                  ]
                    .filter(Boolean)
                    .join(', ') || t('acq.noRestrictions'),
                ],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  )
}
