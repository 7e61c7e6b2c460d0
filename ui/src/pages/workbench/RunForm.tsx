// A measurement of this library: what, how many at once, how long. The server runs it where that is allowed;
// otherwise the program does, and the command is made here.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useSelf } from '#/api/self'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { useNeeds } from '#/lib/permissions'
import { Button } from '#/ui/Button'
import { Checkbox } from '#/ui/Checkbox'
import { Note } from '#/ui/Note'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import { isKnown } from '#/workbench/command'
import { startRun, workloadsQuery } from '#/workbench/serverRuns'
import { RunCommand } from './RunCommand'
import { useWorkloads } from './useWorkloads'
import styles from './workbench.module.css'

export function RunForm() {
  const t = useText()
  const navigate = useNavigate()
  const { user } = useSelf()
  const { data } = useQuery(workloadsQuery)
  const workloads = useWorkloads()
  const may = useNeeds('octavo.workload-runs.post')
  const act = useAct()
  const [workload, setWorkload] = useState('check-in-check-out')
  const [users, setUsers] = useState('20')
  const [minutes, setMinutes] = useState('10')
  const [password, setPassword] = useState('')
  const [withoutPauses, setWithoutPauses] = useState(false)
  const isNumber = (text: string) => /^[1-9]\d{0,3}$/.test(text.trim())
  const wanted = {
    workload,
    users: Number(users),
    minutes: Number(minutes),
    rampUpSeconds: Number(users),
  }
  const ready = isNumber(users) && isNumber(minutes)
  const why = () => {
    if (may.reason) return may.reason
    if (data?.state === 'refused') return t('bench.operatorsOnly')
    if (data?.state !== 'there') return t('bench.runsByCommand')
    if (!data.data.runsAllowed) return t('bench.runsNotAllowed')
    if (!ready) return t('bench.wholeNumber')
    return password ? undefined : t('bench.passwordFirst')
  }
  const disabled = why()
  const start = () =>
    act.run(async () => {
      const run = await startRun({
        workload,
        name: workload,
        virtualUsers: wanted.users,
        rampUpSeconds: Math.min(wanted.rampUpSeconds, wanted.minutes * 30),
        durationSeconds: wanted.minutes * 60,
        withoutPauses,
        password,
      })
      setPassword('')
      await navigate({ to: '/workbench/report/$runId', params: { runId: run.id }, search: {} })
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!disabled) void start()
  }
  return (
    <section className="stack" aria-labelledby="bench-start">
      <h2 id="bench-start">{t('bench.startRun')}</h2>
      <form className={styles.form} onSubmit={submit} noValidate>
        <Select
          label={t('bench.workload')}
          value={workload}
          onChange={setWorkload}
          choices={workloads.map(({ id, name }) => ({ value: id, text: name }))}
        />
        <span className={styles.short}>
          <TextField
            label={t('bench.users')}
            value={users}
            onChange={setUsers}
            inputMode="numeric"
            error={isNumber(users) ? undefined : t('bench.wholeNumber')}
          />
        </span>
        <span className={styles.short}>
          <TextField
            label={t('bench.minutes')}
            value={minutes}
            onChange={setMinutes}
            inputMode="numeric"
            error={isNumber(minutes) ? undefined : t('bench.wholeNumber')}
          />
        </span>
        <TextField
          label={t('bench.passwordOf', { name: user.username ?? '' })}
          type="password"
          autoComplete="off"
          value={password}
          onChange={setPassword}
        />
        <Checkbox checked={withoutPauses} onChange={setWithoutPauses}>
          {t('bench.withoutPauses')}
        </Checkbox>
        <Button type="submit" kind="primary" icon="play" busy={act.busy} disabled={disabled}>
          {t('bench.startIt')}
        </Button>
      </form>
      {disabled ? <p className="sm soft">{disabled}</p> : null}
      <NotDone failure={act.failure} />
      {workloads.find(({ id }) => id === workload)?.writes ? (
        <Note kind="fee">
          <p>{t('bench.writes')}</p>
        </Note>
      ) : null}
      {isKnown(workload) && ready ? <RunCommand wanted={{ ...wanted, workload }} /> : null}
    </section>
  )
}
