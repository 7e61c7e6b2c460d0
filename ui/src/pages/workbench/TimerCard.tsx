// Another rhythm for a timer, or the module's own again.
import { useState } from 'react'
import { queryClient } from '#/api/query'
import { NotDone } from '#/forms/NotDone'
import { useAct } from '#/forms/useAct'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { ConfirmCard } from '#/ui/ConfirmCard'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import { changeTimer, type Timer, UNITS, type Unit, unitOf } from '#/workbench/timers'
import styles from './workbench.module.css'

interface Props {
  timer: Timer
  every: string
  onClose: () => void
}

export function TimerCard({ timer, every, onClose }: Props) {
  const t = useText()
  const act = useAct()
  const [delay, setDelay] = useState(timer.routingEntry.delay ?? '')
  const [unit, setUnit] = useState<Unit>(unitOf(timer.routingEntry.unit) ?? 'minute')
  const isNumber = /^[1-9]\d{0,5}$/.test(delay.trim())
  const change = async (to: Parameters<typeof changeTimer>[1]) => {
    const done = await act.run(() => changeTimer(timer.id, to))
    await queryClient.invalidateQueries({ queryKey: ['timers'] })
    if (done) onClose()
  }
  return (
    <ConfirmCard
      title={t('bench.changeAsk', { name: timer.routingEntry.pathPattern ?? timer.id })}
      text={t('bench.changeWhat', { every })}
      act={t('bench.change')}
      busy={act.busy}
      disabled={isNumber ? undefined : t('bench.wholeNumber')}
      onAct={() => void change({ unit, delay: delay.trim() })}
      onClose={onClose}
    >
      <div className={styles.form}>
        <span className={styles.short}>
          <TextField
            label={t('bench.every')}
            value={delay}
            onChange={setDelay}
            inputMode="numeric"
          />
        </span>
        <span className={styles.short}>
          <Select
            label={t('bench.unit')}
            value={unit}
            onChange={setUnit}
            choices={UNITS.map((value) => ({ value, text: t(`bench.unit.${value}`) }))}
          />
        </span>
        {timer.modified ? (
          <Button kind="quiet" icon="rotate-ccw" onPress={() => void change({})}>
            {t('bench.moduleOwn')}
          </Button>
        ) : null}
      </div>
      <NotDone failure={act.failure} />
    </ConfirmCard>
  )
}
