// A ledger is rolled over into another fiscal year: what becomes of the budgets by type of fund, and of the
// encumbrances by type of order. A preview first, as often as wanted; the rollover itself once a year.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ListSearch } from '#/acquisitions/list/search'
import {
  changed,
  equals,
  fundTypesQuery,
  ofQuery,
  recordQuery,
  yearsQuery,
} from '#/acquisitions/queries'
import { Refused } from '#/acquisitions/Refused'
import { ORDER_TYPES, ROLLOVERS, rolloverQuery, typesOf } from '#/acquisitions/rollovers'
import type { Fund, Ledger } from '#/acquisitions/types'
import { useChoices } from '#/acquisitions/words'
import { post } from '#/api/client'
import { queryClient, useLoaded } from '#/api/query'
import type { Id } from '#/api/types'
import { FaultNote } from '#/forms/FaultNote'
import { LeaveGuard } from '#/forms/LeaveGuard'
import { useAct } from '#/forms/useAct'
import { useForm } from '#/forms/useForm'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { FormField } from '#/inventory/form/FormField'
import styles from '#/inventory/form/form.module.css'
import { figures, missing, type Part, type Values } from '#/inventory/form/specs'
import { useCommands } from '#/keys/useCommands'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Part as FieldPart, Fields } from '#/ui/Fields'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { rolloverParts } from './parts'
import { budgetsOf, encumbrancesOf, proposed, valuesOf } from './settings'

const ledgerQuery = (id: string) => recordQuery<Ledger>('/finance/ledgers', id)
const fundsOf = (id: string) => ofQuery<Fund>('/finance/funds', 'funds', equals('ledgerId', id))

export async function loader(id: string, { of }: ListSearch) {
  await Promise.all([
    loadTexts('lists', 'forms', 'inventory', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(ledgerQuery(id)),
    queryClient.ensureQueryData(fundsOf(id)),
    queryClient.ensureQueryData(yearsQuery),
    queryClient.ensureQueryData(fundTypesQuery),
    of?.[0] && queryClient.ensureQueryData(rolloverQuery(of[0])),
  ])
}

export function RolloverForm() {
  const t = useText()
  const choices = useChoices()
  const navigate = useNavigate()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { of } = useSearch({ strict: false }) as ListSearch
  const ledger = useLoaded(ledgerQuery(id))
  const funds = useLoaded(fundsOf(id))
  const allYears = useLoaded(yearsQuery)
  const fundTypes = useLoaded(fundTypesQuery)
  const { data: earlier } = useQuery({ ...rolloverQuery(of?.[0] ?? ''), enabled: false })
  const { reason } = useNeeds('finance.ledger-rollovers.item.post')
  const types = useMemo(() => typesOf(funds), [funds])
  // The years of the ledger's own series, the oldest first.
  const years = useMemo(() => {
    const first = allYears.find((one) => one.id === ledger.fiscalYearOneId)
    return allYears
      .filter((one) => one.series === first?.series)
      .toSorted((a, b) => a.periodStart.localeCompare(b.periodStart))
  }, [allYears, ledger.fiscalYearOneId])
  const first = useMemo((): Values => {
    if (earlier) return { ...valuesOf(types, earlier), fromFiscalYearId: earlier.fromFiscalYearId }
    const now = new Date().toISOString()
    const at = years.findIndex((one) => one.periodEnd >= now)
    return {
      ...proposed(types, ledger),
      fromFiscalYearId: years[at]?.id,
      toFiscalYearId: at < 0 ? undefined : years[at + 1]?.id,
    }
  }, [earlier, types, years, ledger])
  const form = useForm<Values>(first)
  const parts = useMemo(
    (): Part[] =>
      rolloverParts(t, choices, {
        years: years.map((one) => ({ value: one.id, text: one.name })),
        types: types.map((type) => ({
          value: type,
          text: fundTypes.find((one) => one.id === type)?.name ?? t('fin.withoutType'),
        })),
      }),
    [t, choices, years, types, fundTypes],
  )
  const act = useAct()
  const [asking, setAsking] = useState(false)
  const checked = (): Values | undefined => {
    const fields = parts.flatMap((part) => part.fields)
    const typed = figures(fields, form.values, (name) => t('forms.noFigure', { name }))
    const faults = {
      ...missing(parts, form.values, (name) => t('inventory.fill', { name })),
      ...typed.faults,
      ...(form.values.fromFiscalYearId === form.values.toFiscalYearId
        ? { toFiscalYearId: t('fin.otherYear') }
        : {}),
    }
    form.setFaults(faults)
    return Object.keys(faults).length ? undefined : typed.values
  }
  const run = async (rolloverType: 'Preview' | 'Commit') => {
    const values = checked()
    if (!values) return
    let made: Id | undefined
    const done = await act.run(async () => {
      made = await post<Id>(ROLLOVERS, {
        ledgerId: id,
        rolloverType,
        fromFiscalYearId: values.fromFiscalYearId,
        toFiscalYearId: values.toFiscalYearId,
        restrictEncumbrance: values.restrictEncumbrance === true,
        restrictExpenditures: values.restrictExpenditures === true,
        needCloseBudgets: values.needCloseBudgets === true,
        budgetsRollover: budgetsOf(types, values),
        encumbrancesRollover: encumbrancesOf(values),
      })
    })
    if (!done || !made) return setAsking(false)
    await changed()
    await navigate({
      to: '/finance/$kind/$id',
      params: { kind: 'rollovers', id: made.id },
      ignoreBlocker: true,
    })
  }
  const ask = () => {
    if (checked()) setAsking(true)
  }
  useCommands([
    {
      id: 'fin.preview',
      title: 'fin.preview',
      group: 'page',
      keys: 'Mod+S',
      disabled: reason,
      run: () => void run('Preview'),
    },
    {
      id: 'fin.rollOver',
      title: 'fin.rollOver',
      group: 'page',
      keys: 'Alt+R',
      disabled: reason,
      run: ask,
    },
  ])
  const closes = form.values.needCloseBudgets === true
  return (
    <>
      <RecordHead
        title={t('fin.rollOverOf', { name: ledger.name })}
        path={
          <>
            <Link to="/finance" search={{ view: 'ledgers' }}>
              {t('acq.list.ledgers')}
            </Link>{' '}
            /{' '}
            <Link to="/finance/ledgers/$id" params={{ id }}>
              <bdi>{ledger.name}</bdi>
            </Link>
          </>
        }
      >
        <Button
          icon="eye"
          keys="Mod+S"
          busy={act.busy}
          disabled={reason}
          onPress={() => void run('Preview')}
        >
          {t('fin.preview')}
        </Button>
        <Button kind="primary" icon="calendar-clock" keys="Alt+R" disabled={reason} onPress={ask}>
          {t('fin.rollOver')}
        </Button>
      </RecordHead>
      <div className={`${page.pane} ${page.body}`}>
        {asking ? (
          <ConfirmCard
            title={t('fin.rollOverAsk', { name: ledger.name })}
            text={t(closes ? 'fin.rollOverCloses' : 'fin.rollOverKeeps')}
            act={t('fin.rollOver')}
            danger
            busy={act.busy}
            onAct={() => void run('Commit')}
            onClose={() => setAsking(false)}
          />
        ) : null}
        <form
          className={styles.form}
          aria-label={t('fin.rollOverOf', { name: ledger.name })}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void run('Preview')
          }}
        >
          <LeaveGuard isDirty={() => form.isDirty} />
          {act.failure ? (
            <Refused failure={act.failure} />
          ) : (
            <FaultNote faults={form.faults} failure={undefined} />
          )}
          {years.length > 1 ? null : (
            <Note kind="hold">
              <p>{t('fin.noNextYear')}</p>
            </Note>
          )}
          {parts.map((part) => (
            <FieldPart key={part.title} title={part.title}>
              <Fields wide>
                {part.fields.map((spec) => (
                  <FormField
                    key={spec.name}
                    spec={spec}
                    id={spec.name}
                    value={form.values[spec.name]}
                    faults={form.faults}
                    onChange={(value) => form.change({ [spec.name]: value })}
                  />
                ))}
              </Fields>
            </FieldPart>
          ))}
          {ORDER_TYPES.some((type) => form.values[`o:${type}:rolled`] === true) ? null : (
            <p className="sm muted">{t('fin.noOrdersRolled')}</p>
          )}
          <button type="submit" hidden />
        </form>
      </div>
    </>
  )
}
