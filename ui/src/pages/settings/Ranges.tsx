// The ranges of a fixed due date schedule: lent from, to, due on.
import { isoOf, localOf } from '#/desk/localTime'
import { useText } from '#/i18n/text'
import { Button } from '#/ui/Button'
import { TextField } from '#/ui/TextField'
import styles from './settings.module.css'

const PARTS = ['from', 'to', 'due'] as const
type Range = Partial<Record<(typeof PARTS)[number], string>>

interface Props {
  label: string
  value: unknown
  onChange: (value: unknown) => void
}

export function Ranges({ label, value, onChange }: Props) {
  const t = useText()
  const ranges = (Array.isArray(value) ? value : []) as readonly Range[]
  const set = (at: number, part: keyof Range, text: string) =>
    onChange(ranges.map((one, index) => (index === at ? { ...one, [part]: isoOf(text) } : one)))
  return (
    <fieldset className={styles.ranges}>
      <legend className="sm medium">{label}</legend>
      {ranges.map((range, at) => (
        // Ranges have no ids, and their order is fixed.
        <div key={at} className={styles.range}>
          {PARTS.map((part) => (
            <TextField
              key={part}
              label={t(`set.range.${part}`)}
              type="datetime-local"
              value={range[part] ? localOf(new Date(range[part])) : ''}
              onChange={(text) => set(at, part, text)}
            />
          ))}
          <Button
            kind="quiet"
            icon="trash-2"
            aria-label={t('set.removeRange')}
            onPress={() => onChange(ranges.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <div className="row">
        <Button small icon="plus" onPress={() => onChange([...ranges, {}])}>
          {t('set.addRange')}
        </Button>
      </div>
    </fieldset>
  )
}
