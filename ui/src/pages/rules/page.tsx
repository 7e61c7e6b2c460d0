// Circulation rules: the text with names, faults where they stand, and a test beside it.
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useRef, useState } from 'react'
import { queryClient, useLoaded } from '#/api/query'
import { announce } from '#/app/live'
import { loadTexts } from '#/i18n/areas'
import { useText } from '#/i18n/text'
import { useCommands } from '#/keys/useCommands'
import { useFormats } from '#/lib/format'
import { useMay } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { cx } from '#/ui/cx'
import { Failed } from '#/ui/Failed'
import { Icon } from '#/ui/Icon'
import { page } from '#/ui/Page'
import { RecordHead } from '#/ui/RecordHead'
import { TextField } from '#/ui/TextField'
import { Changed } from './Changed'
import type { Fault } from './marks'
import { refsQuery, rulesQuery } from './refs'
import styles from './rules.module.css'
import { faultsOf, type Saved, save } from './save'
import { Tester } from './Tester'
import { toNames } from './words'

const RulesText = lazy(() => import('./RulesText'))

export const loader = () =>
  Promise.all([
    loadTexts('settings'),
    queryClient.ensureQueryData(refsQuery),
    queryClient.fetchQuery(rulesQuery),
    import('./RulesText'),
  ])

export function RulesPage() {
  const t = useText()
  const formats = useFormats()
  const may = useMay('writeRules')
  const refs = useLoaded(refsQuery)
  const { rulesAsText } = useLoaded(rulesQuery)
  const goTo = useRef<(line: number, column: number) => void>(undefined)
  // What was read is kept as the start: a later reading must not change the text under the hands.
  const [before, setBefore] = useState(rulesAsText)
  const [text, setText] = useState(() => toNames(rulesAsText, refs))
  const [answer, setAnswer] = useState<{ text: string; saved: Saved }>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [find, setFind] = useState('')
  const [decides, setDecides] = useState<number>()
  const dirty = text !== toNames(before, refs)
  const faults = useMemo((): readonly Fault[] => {
    // What the server said holds for the text that it was said of.
    if (answer?.saved.kind === 'faults' && answer.text === text) return answer.saved.faults
    return faultsOf(text, refs, t)
  }, [answer, text, refs, t])
  const [first] = faults
  const run = async (anyway = false) => {
    if (busy || may.reason) return
    if (first) return goTo.current?.(first.line, first.from)
    setBusy(true)
    setError(undefined)
    try {
      const saved = await save(text, before, { refs, t, anyway })
      setAnswer({ text, saved })
      if (saved.kind === 'saved') {
        const now = await queryClient.fetchQuery(rulesQuery)
        setBefore(now.rulesAsText)
        announce(t('rules.saved'))
        void queryClient.invalidateQueries({ queryKey: ['rules-test'] })
      }
      if (saved.kind === 'faults') {
        const [fault] = saved.faults
        if (fault) goTo.current?.(fault.line, fault.from)
        announce(fault?.message ?? '', true)
      }
    } catch (failed) {
      setError(failed)
    } finally {
      setBusy(false)
    }
  }
  const look = (wanted: string) => {
    setFind(wanted)
    const at = text
      .split('\n')
      .findIndex((line) => wanted && line.toLowerCase().includes(wanted.toLowerCase()))
    if (at >= 0) setDecides(undefined)
  }
  useCommands([
    { id: 'rules.save', title: 'rules.save', group: 'page', keys: 'Mod+S', run: () => void run() },
    {
      id: 'rules.fault',
      title: 'rules.nextFault',
      group: 'page',
      keys: 'F8',
      run: () => first && goTo.current?.(first.line, first.from),
    },
  ])
  const mended =
    first && t('rules.mend', { count: faults.length, line: formats.number(first.line + 1) })
  return (
    <>
      <RecordHead
        title={t('rules.title')}
        path={<Link to="/settings">{t('shell.settings')}</Link>}
        sub={t('rules.lines', { count: text.split('\n').length })}
      >
        {dirty ? (
          <Button kind="quiet" onPress={() => setText(toNames(before, refs))}>
            {t('rules.undoAll')}
          </Button>
        ) : null}
        <Button
          kind="primary"
          keys="Mod+S"
          busy={busy}
          disabled={may.reason ?? mended ?? (dirty ? undefined : t('rules.unchanged'))}
          onPress={() => void run()}
        >
          {t('rules.save')}
        </Button>
      </RecordHead>
      <div className={cx(page.split, page.even)}>
        <div className={styles.work}>
          {answer?.saved.kind === 'changed' && answer.text === text ? (
            <Changed
              mine={text}
              theirs={answer.saved.theirs}
              onMine={() => void run(true)}
              onTheirs={() => {
                setText(answer.saved.kind === 'changed' ? answer.saved.theirs : text)
                void queryClient.fetchQuery(rulesQuery).then((now) => setBefore(now.rulesAsText))
              }}
            />
          ) : null}
          {error ? <Failed error={error} /> : null}
          <div className={styles.bar}>
            <TextField grow label={t('rules.find')} type="search" value={find} onChange={look} />
            {mended ? (
              <p className="blocked row" role="status">
                <Icon name="circle-x" />
                {mended}
              </p>
            ) : null}
          </div>
          <Suspense>
            <RulesText
              text={text}
              label={t('rules.title')}
              refs={refs}
              readOnly={Boolean(may.reason)}
              faults={faults}
              decides={decides}
              find={find}
              onChange={setText}
              goTo={goTo}
            />
          </Suspense>
        </div>
        <aside className={page.side}>
          <Tester refs={refs} dirty={dirty} onLine={setDecides} />
        </aside>
      </div>
    </>
  )
}
