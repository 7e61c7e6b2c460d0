// Where one request spends its time: sent once or several times, the one with the median time is drawn.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { queryClient } from '#/api/query'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Note } from '#/ui/Note'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import { traceMedian, traceQuery } from '#/workbench/trace'
import { TraceList } from './TraceList'
import { TraceView } from './TraceView'
import styles from './workbench.module.css'

const TIMES = ['1', '5', '20'] as const
const EXAMPLE = '/inventory/items?limit=10'

export function TraceTab() {
  const t = useText()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/workbench' })
  const may = useNeeds('octavo.trace.get')
  const act = useAct()
  const [path, setPath] = useState(search.path ?? EXAMPLE)
  const [times, setTimes] = useState<(typeof TIMES)[number]>('5')
  const { data: kept } = useQuery({
    ...traceQuery(search.trace ?? ''),
    enabled: Boolean(search.trace),
  })
  const [untraced, setUntraced] = useState(false)
  // Two slashes would lead to another server.
  const isPath = /^\/(?!\/)\S*$/.test(path.trim())
  const send = async () => {
    const wanted = path.trim()
    const show = (trace: string | undefined) =>
      navigate({ to: '/workbench', search: { tab: 'trace', path: wanted, trace }, replace: true })
    await show(undefined)
    await act.run(async () => {
      const found = await traceMedian(wanted, Number(times))
      setUntraced(!found)
      if (!found) return
      queryClient.setQueryData(['trace', found.id], { state: 'there', data: found })
      await show(found.id)
      await queryClient.invalidateQueries({ queryKey: ['traces'] })
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isPath && !may.reason) void send()
  }
  return (
    <section className="stack wide" aria-labelledby="bench-trace">
      <div className="stack tight">
        <h2 id="bench-trace">{t('bench.tab.trace')}</h2>
        <p className="soft sm">{t('bench.traceWhat')}</p>
      </div>
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          grow
          label={t('bench.tracePath')}
          value={path}
          onChange={setPath}
          error={isPath ? undefined : t('bench.traceNoPath')}
        />
        <span className={styles.short}>
          <Select
            label={t('bench.howMany')}
            value={times}
            onChange={setTimes}
            choices={TIMES.map((value) => ({ value, text: value }))}
          />
        </span>
        <Button
          type="submit"
          kind="primary"
          icon="activity"
          busy={act.busy}
          disabled={may.reason ?? (isPath ? undefined : t('bench.traceNoPath'))}
        >
          {t('bench.traceSend')}
        </Button>
      </form>
      {may.reason ? <p className="sm soft">{may.reason}</p> : null}
      <NotDone failure={act.failure} />
      {untraced && !act.failure ? (
        <Note kind="offline" icon="lock">
          <p>
            <strong>{t('bench.notAllowed')}</strong> {t('bench.operatorsOnly')}
          </p>
        </Note>
      ) : null}
      {kept?.state === 'there' && !act.failure ? <TraceView trace={kept.data} /> : null}
      {kept?.state === 'missing' ? <p className="soft">{t('bench.traceGone')}</p> : null}
      <TraceList />
    </section>
  )
}
