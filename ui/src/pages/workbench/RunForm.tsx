// A measurement of this library: what, how many at once, how long. The program runs it; the command is made here.
import { useState } from 'react'
import { useSelf } from '#/api/self'
import { useText } from '#/i18n/text'
import { CopyLine } from '#/ui/CopyLine'
import { Note } from '#/ui/Note'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import { commandOf, WORKLOADS, type Workload } from '#/workbench/command'
import styles from './workbench.module.css'

/** They only look things up. */
const READS: readonly Workload[] = [
  'instance-search',
  'inventory-views',
  'get-items',
  'batch-lookup',
  'formatted-records',
]

export function RunForm() {
  const t = useText()
  const { user } = useSelf()
  const [workload, setWorkload] = useState<Workload>('check-in-check-out')
  const [users, setUsers] = useState('20')
  const [minutes, setMinutes] = useState('10')
  const isNumber = (text: string) => /^[1-9]\d{0,4}$/.test(text.trim())
  const ready = isNumber(users) && isNumber(minutes)
  const wanted = {
    workload,
    users: Number(users),
    minutes: Number(minutes),
    rampUpSeconds: Number(users),
  }
  return (
    <section className="stack" aria-labelledby="bench-start">
      <h2 id="bench-start">{t('bench.startRun')}</h2>
      <div className={styles.form}>
        <Select
          label={t('bench.workload')}
          value={workload}
          onChange={setWorkload}
          choices={WORKLOADS.map((value) => ({ value, text: t(`bench.workload.${value}`) }))}
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
      </div>
      {READS.includes(workload) ? null : (
        <Note kind="fee">
          <p>{t('bench.writes')}</p>
        </Note>
      )}
      {ready ? (
        <CopyLine
          text={commandOf(wanted, user.username ?? 'admin')}
          label={t('bench.commandOfRun')}
        />
      ) : null}
      <p className="soft sm">{t('bench.startWhat')}</p>
    </section>
  )
}
