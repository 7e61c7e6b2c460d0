// Budgets of many funds are changed together: typed in a grid or by a worksheet from a spreadsheet, previewed, and then
// made all at once or not at all.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import look from '#/acquisitions/acquisitions.module.css'
import { rowsQuery, type Whose } from '#/acquisitions/allocations'
import type { ListSearch } from '#/acquisitions/list/search'
import { useMoney } from '#/acquisitions/money'
import { recordQuery, yearsQuery } from '#/acquisitions/queries'
import type { FiscalYear, Group, Ledger } from '#/acquisitions/types'
import { queryClient, useLoaded } from '#/api/query'
import { FaultNote } from '#/forms/FaultNote'
import { LeaveGuard } from '#/forms/LeaveGuard'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Failed } from '#/ui/Failed'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Select } from '#/ui/Select'
import { Grid } from './Grid'
import { useAllocations } from './useAllocations'
import { WorksheetActs } from './WorksheetActs'

const sourceQuery = (whose: Whose, id: string) =>
  recordQuery<Ledger | Group>(whose === 'ledger' ? '/finance/ledgers' : '/finance/groups', id)

/** The years that can still be planned: of a ledger those of its series. */
function open(
  years: readonly FiscalYear[],
  source: Ledger | Group,
  now = new Date().toISOString(),
) {
  const first = 'fiscalYearOneId' in source ? source.fiscalYearOneId : undefined
  const series = years.find((one) => one.id === first)?.series
  return years
    .filter((one) => one.periodEnd >= now && (!series || one.series === series))
    .toSorted((a, b) => a.periodStart.localeCompare(b.periodStart))
}

export async function loader(whose: Whose, id: string, { of }: ListSearch) {
  const [, source, years] = await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(sourceQuery(whose, id)),
    queryClient.ensureQueryData(yearsQuery),
  ])
  const year = of?.[0] ?? open(years, source)[0]?.id
  if (year) await queryClient.ensureQueryData(rowsQuery(whose, id, year))
}

export function AllocationsPage({ whose }: { whose: Whose }) {
  const t = useText()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { of } = useSearch({ strict: false }) as ListSearch
  const source = useLoaded(sourceQuery(whose, id))
  const years = open(useLoaded(yearsQuery), source)
  const year = years.find((one) => one.id === of?.[0]) ?? years[0]
  return (
    <>
      <RecordHead
        title={t('fin.alloc.title')}
        path={
          <>
            <Link to="/finance" search={{ view: `${whose}s` }}>
              {t(`acq.list.${whose}s`)}
            </Link>{' '}
            /{' '}
            <Link to="/finance/$kind/$id" params={{ kind: `${whose}s`, id }}>
              <bdi>{source.name}</bdi>
            </Link>
          </>
        }
      />
      {year ? (
        <Year key={year.id} whose={whose} id={id} years={years} year={year} code={source.code} />
      ) : (
        <div className={page.pane}>
          <p className={page.body}>{t('fin.alloc.noYear')}</p>
        </div>
      )}
    </>
  )
}

interface Props {
  whose: Whose
  id: string
  years: readonly FiscalYear[]
  year: FiscalYear
  code: string
}

function Year({ whose, id, years, year, code }: Props) {
  const t = useText()
  const money = useMoney()
  const navigate = useNavigate()
  const { data: rows, error, refetch } = useQuery(rowsQuery(whose, id, year.id))
  const { reason } = useNeeds('finance.finance-data.collection.put')
  const all = useAllocations(rows, year, code)
  const nothing = all.changed ? undefined : t('fin.alloc.nothing')
  const unseen = all.seen ? undefined : t('fin.alloc.previewFirst')
  const apply = async () => {
    const log = await all.apply()
    if (log)
      await navigate({
        to: '/finance/$kind/$id',
        params: { kind: 'allocations', id: log },
        ignoreBlocker: true,
      })
  }
  useCommands([
    {
      id: 'fin.alloc.preview',
      title: 'fin.alloc.preview',
      group: 'page',
      keys: 'Mod+S',
      disabled: reason ?? nothing,
      run: () => void all.look(),
    },
    {
      id: 'fin.alloc.apply',
      title: 'fin.alloc.apply',
      group: 'page',
      keys: 'Alt+A',
      disabled: reason ?? nothing ?? unseen,
      run: all.ask,
    },
  ])
  const { seen } = all
  const sums = seen && {
    budgets: seen.budgets,
    made: seen.made,
    funds: seen.funds,
    sum: money(seen.sum, year.currency) ?? '',
  }
  return (
    <div className={page.pane}>
      <div className={`${page.body} stack far`}>
        <LeaveGuard isDirty={() => all.changed > 0 && !all.done} />
        <Section title={t('fin.alloc.sheet')}>
          <div className="stack wide">
            <div className={look.scan}>
              <Select
                label={t('acq.fiscalYear')}
                value={year.id}
                choices={years.map((one) => ({ value: one.id, text: one.name }))}
                onChange={(next) =>
                  void navigate({
                    to: '/finance/$kind/$id',
                    params: { kind: `${whose}-allocations`, id },
                    search: { of: [next] },
                    replace: true,
                  })
                }
              />
            </div>
            <p className="sm muted">{t('fin.alloc.what')}</p>
            <WorksheetActs disabled={!rows?.length} onSave={all.save} onRead={all.read} />
          </div>
        </Section>
        {all.sheetFault ? (
          <Note kind="blocked" alert>
            <p>{all.sheetFault}</p>
          </Note>
        ) : null}
        {all.strangers.length ? (
          <Note kind="question" alert>
            <p>{t('fin.alloc.strangers', { count: all.strangers.length })}</p>
            <ul>
              {all.strangers.map((name) => (
                <li key={name}>
                  <bdi>{name}</bdi>
                </li>
              ))}
            </ul>
          </Note>
        ) : null}
        {all.missing ? (
          <Note kind="question">
            <p>{t('fin.alloc.missing', { count: all.missing })}</p>
          </Note>
        ) : null}
        <FaultNote faults={all.noted} failure={all.failure} />
        {error ? <Failed error={error} retry={() => void refetch()} /> : null}
        <Section
          title={t('acq.list.funds')}
          count={all.entries.length ? t('fin.alloc.changed', { count: all.changed }) : undefined}
          acts={
            <>
              <Button
                small
                kind={seen ? 'plain' : 'primary'}
                keys="Mod+S"
                busy={all.busy}
                disabled={reason ?? nothing}
                onPress={() => void all.look()}
              >
                {t('fin.alloc.preview')}
              </Button>
              <Button
                small
                kind={seen ? 'primary' : 'plain'}
                icon="check"
                keys="Alt+A"
                disabled={reason ?? nothing ?? unseen}
                onPress={all.ask}
              >
                {t('fin.alloc.apply')}
              </Button>
            </>
          }
        >
          {sums ? (
            <Note kind="ok">
              <p role="status">{t('fin.alloc.seen', sums)}</p>
            </Note>
          ) : null}
          {all.asking && sums ? (
            <ConfirmCard
              title={t('fin.alloc.applyAsk', { count: all.changed })}
              text={t('fin.alloc.seen', sums)}
              act={t('fin.alloc.apply')}
              busy={all.busy}
              onAct={() => void apply()}
              onClose={all.back}
            />
          ) : null}
          {all.entries.length ? (
            <Grid
              entries={all.entries}
              faults={all.faults}
              currency={year.currency}
              locked={all.busy}
              onEdit={all.edit}
            />
          ) : (
            <p className="sm muted">{t('fin.alloc.noRows')}</p>
          )}
        </Section>
      </div>
    </div>
  )
}
