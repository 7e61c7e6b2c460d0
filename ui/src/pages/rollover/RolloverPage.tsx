// A rollover or its preview: how far it is, the budgets that it makes, what it could not do.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { changed, ledgersQuery, yearsQuery } from '#/acquisitions/queries'
import {
  isOver,
  progressQuery,
  rolloverBudgetsQuery,
  rolloverErrorsQuery,
  rolloverQuery,
} from '#/acquisitions/rollovers'
import { StateOf } from '#/acquisitions/StateOf'
import { useWord } from '#/acquisitions/words'
import { queryClient, useLoaded } from '#/api/query'
import { announce } from '#/app/live'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Description } from '#/ui/Description'
import { Failed } from '#/ui/Failed'
import { Note } from '#/ui/Note'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { Section } from '#/ui/Section'
import { Errors } from './Errors'
import { Stages } from './Stages'
import { TargetBudgets } from './TargetBudgets'

export async function loader(id: string) {
  await Promise.all([
    loadTexts('lists', 'forms', 'acquisitions', 'finance'),
    queryClient.ensureQueryData(rolloverQuery(id)),
    queryClient.ensureQueryData(yearsQuery),
    queryClient.ensureQueryData(ledgersQuery),
  ])
}

export function RolloverPage() {
  const t = useText()
  const word = useWord()
  const navigate = useNavigate()
  const { dayTime } = useFormats()
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const rollover = useLoaded(rolloverQuery(id))
  const years = useLoaded(yearsQuery)
  const ledgers = useLoaded(ledgersQuery)
  const { data: progress, error, refetch } = useQuery(progressQuery(id))
  const over = isOver(progress)
  const { data: budgets } = useQuery({ ...rolloverBudgetsQuery(id), enabled: over })
  const { data: errors } = useQuery({ ...rolloverErrorsQuery(id), enabled: over })
  const { reason } = useNeeds('finance.ledger-rollovers.item.post')
  const ledger = ledgers.find((one) => one.id === rollover.ledgerId)
  const from = years.find((one) => one.id === rollover.fromFiscalYearId)
  const to = years.find((one) => one.id === rollover.toFiscalYearId)
  const status = progress?.overallRolloverStatus
  const isPreview = rollover.rolloverType === 'Preview'
  const waited = useRef(false)
  useEffect(() => {
    if (progress && !over) waited.current = true
    if (!over || !waited.current) return
    waited.current = false
    announce(t(status === 'Success' ? 'fin.rolledOver' : 'fin.rolledWithErrors'))
    // Budgets, ledgers and order lines are others now.
    void changed()
  }, [progress, over, status, t])
  return (
    <>
      <RecordHead
        title={t('fin.rolloverOf', {
          kind: word(rollover.rolloverType),
          from: from?.code ?? '',
          to: to?.code ?? '',
        })}
        path={
          <>
            <Link to="/finance" search={{ view: 'ledgers' }}>
              {t('acq.list.ledgers')}
            </Link>{' '}
            /{' '}
            <Link to="/finance/ledgers/$id" params={{ id: rollover.ledgerId }}>
              <bdi>{ledger?.name ?? t('acq.ledger')}</bdi>
            </Link>
          </>
        }
        sub={<StateOf value={status ?? 'Not Started'} />}
      >
        {isPreview ? (
          <Button
            kind="primary"
            icon="calendar-clock"
            disabled={reason}
            onPress={() =>
              void navigate({
                to: '/finance/$kind/$id',
                params: { kind: 'rollover', id: rollover.ledgerId },
                search: { of: [id] },
              })
            }
          >
            {t('fin.withTheseSettings')}
          </Button>
        ) : null}
      </RecordHead>
      <div className={page.pane}>
        <div className={`${page.body} stack far`}>
          {error ? <Failed error={error} retry={() => void refetch()} /> : null}
          {isPreview ? (
            <Note kind="question">
              <p>{t('fin.previewWhat')}</p>
            </Note>
          ) : null}
          <Stages progress={progress ?? undefined} />
          {errors ? <Errors errors={errors} currency={to?.currency} /> : null}
          {budgets ? <TargetBudgets budgets={budgets} currency={to?.currency} /> : null}
          <Section title={t('acq.summary')}>
            <Description
              lines={[
                [t('fin.fromYear'), from?.name],
                [t('fin.toYear'), to?.name],
                [
                  t('fin.begun'),
                  rollover.metadata?.createdDate && dayTime(rollover.metadata.createdDate),
                ],
                [
                  t('fin.closeBudgets'),
                  rollover.needCloseBudgets && !isPreview ? t('acq.yes') : undefined,
                ],
              ]}
            />
          </Section>
        </div>
      </div>
    </>
  )
}
