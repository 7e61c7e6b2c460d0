// What is different for all scans of this session; on, a pill says in full what is so.
import { memo, useState } from 'react'
import { announce } from '#/app/live'
import { useText } from '#/i18n/text'
import { useFormats } from '#/lib/format'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'
import { ToggleButton } from '#/ui/ToggleButton'
import styles from '../desk.module.css'
import { isoOf, localOf } from '../localTime'
import type { Modifiers as Value } from '../types'

interface Props {
  value: Value
  onChange: (value: Value) => void
  /** Amnesty and ignored holds need the server's own desk routes. */
  hasDesk: boolean
}

export const Modifiers = memo(({ value, onChange, hasDesk }: Props) => {
  const t = useText()
  const formats = useFormats()
  const [asking, setAsking] = useState(false)
  const [local, setLocal] = useState('')
  const change = (next: Partial<Value>, spoken: string) => {
    onChange({ ...value, ...next })
    announce(spoken)
  }
  const backdate = (iso: string | undefined) => {
    setAsking(false)
    if (iso) change({ backdate: iso }, t('checkin.backdatedTo', { when: formats.dayTime(iso) }))
  }
  const toggle =
    (key: 'printAtOnce' | 'amnesty' | 'ignoreHolds' | 'inHouse', text: string) => (on: boolean) =>
      change({ [key]: on }, t(on ? 'checkin.on' : 'checkin.off', { what: text }))
  return (
    <fieldset className={styles.mods} aria-label={t('checkin.modifiers')}>
      <ToggleButton
        icon="calendar-clock"
        removable
        on={Boolean(value.backdate)}
        onChange={(on) => {
          if (!on)
            change({ backdate: undefined }, t('checkin.off', { what: t('checkin.backdate') }))
          else {
            setLocal(localOf(Date.now()))
            setAsking(true)
          }
        }}
      >
        {value.backdate
          ? t('checkin.backdatedTo', { when: formats.dayTime(value.backdate) })
          : t('checkin.backdate')}
      </ToggleButton>
      {asking ? (
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault()
            backdate(isoOf(local))
          }}
        >
          <TextField
            label={t('checkin.returned')}
            type="datetime-local"
            value={local}
            onChange={setLocal}
            autoFocus
          />
          <Button small type="submit">
            {t('checkin.set')}
          </Button>
        </form>
      ) : null}
      <ToggleButton
        icon="printer"
        on={value.printAtOnce}
        onChange={toggle('printAtOnce', t('checkin.printAtOnce'))}
      >
        {t('checkin.printAtOnce')}
      </ToggleButton>
      {hasDesk ? (
        <>
          <ToggleButton
            icon="coins"
            on={value.amnesty}
            onChange={toggle('amnesty', t('checkin.amnesty'))}
          >
            {t('checkin.amnesty')}
          </ToggleButton>
          <ToggleButton
            icon="bookmark"
            on={value.ignoreHolds}
            onChange={toggle('ignoreHolds', t('checkin.ignoreHolds'))}
          >
            {t('checkin.ignoreHolds')}
          </ToggleButton>
        </>
      ) : null}
      <ToggleButton
        icon="armchair"
        on={value.inHouse}
        onChange={toggle('inHouse', t('checkin.inHouse'))}
      >
        {t('checkin.inHouse')}
      </ToggleButton>
    </fieldset>
  )
})
