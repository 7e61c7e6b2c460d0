// The library's protected fields: those that this profile may change all the same.
import { useQuery } from '@tanstack/react-query'
import { useText } from '#/i18n/text'
import { PROTECTIONS, type Protection, withOverride, wordsOf } from '#/settings/imports/protections'
import { recordsQuery } from '#/settings/records'
import { Checkbox } from '#/ui/Checkbox'
import styles from '../settings.module.css'

interface Props {
  label: string
  value: unknown
  onChange: (overrides: readonly Protection[]) => void
}

export function Overrides({ label, value, onChange }: Props) {
  const t = useText()
  const { data = [] } = useQuery(recordsQuery(PROTECTIONS))
  const given = (Array.isArray(value) ? value : []) as readonly Protection[]
  const own = (data as unknown as readonly Protection[]).filter(({ source }) => source === 'USER')
  return (
    <fieldset className={styles.ranges}>
      <legend className="sm medium">{label}</legend>
      {own.length ? (
        own.map((one) => (
          <Checkbox
            key={one.id}
            checked={given.some(({ id, override }) => id === one.id && override)}
            onChange={(on) => onChange(withOverride(given, one, on))}
          >
            <bdi>{wordsOf(one)}</bdi>
          </Checkbox>
        ))
      ) : (
        <p className="sm soft">{t('map.noProtections')}</p>
      )}
    </fieldset>
  )
}
