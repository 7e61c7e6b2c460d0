// A length of time: how many of which unit. Without a number there is none.
import { useText } from '#/i18n/text'
import type { Field } from '#/settings/kinds'
import type { Values } from '#/settings/paths'
import { Select } from '#/ui/Select'
import { TextField } from '#/ui/TextField'
import styles from './settings.module.css'

interface Props {
  field: Extract<Field, { type: 'period' }>
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}

/** All kinds of periods have it. */
const USUAL = 'Days'

export function PeriodField({ field, value, error, onChange }: Props) {
  const t = useText()
  const name = t(field.label)
  const period = (value ?? {}) as Values
  const unit = String(period.intervalId ?? USUAL)
  return (
    <div className={styles.period}>
      <TextField
        label={name}
        mark={field.needed ? 'needed' : undefined}
        type="number"
        value={period.duration === undefined ? '' : String(period.duration)}
        help={field.help && t(field.help)}
        error={error}
        onChange={(text) =>
          onChange(
            text === '' ? undefined : { ...period, duration: Number(text), intervalId: unit },
          )
        }
      />
      <Select
        label={t('set.unitOf', { name })}
        labelHidden
        value={unit}
        onChange={(intervalId) => onChange({ ...period, intervalId })}
        choices={field.units.map((one) => ({ value: one.value, text: t(one.text) }))}
      />
    </div>
  )
}
