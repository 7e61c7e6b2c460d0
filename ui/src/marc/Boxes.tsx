// Fixed places as boxes: the leader's, and those of 006 to 008 as the server names them.
import { useText } from '#/i18n/text'
import { KINDS } from './kinds'
import styles from './marc.module.css'
import { elementText, shown, withCharacter, withElement } from './model'
import type { Elements, MarcFormat } from './types'

interface LeaderProps {
  format: MarcFormat
  leader: string
  readOnly?: boolean
  onChange: (leader: string) => void
}

export function LeaderBoxes({ format, leader, readOnly, onChange }: LeaderProps) {
  const t = useText()
  return (
    <fieldset className={styles.boxes}>
      <legend className="vh">{t('inventory.fixedFields', { tag: 'LDR' })}</legend>
      {KINDS[format].leader.map(([name, at]) => (
        <label key={name}>
          {name}
          <input
            value={shown(leader[at] ?? '')}
            size={1}
            maxLength={1}
            readOnly={readOnly}
            spellCheck={false}
            onFocus={(event) => event.target.select()}
            onChange={(event) =>
              onChange(withCharacter(leader, at, event.target.value.replace(' ', '\\')))
            }
          />
        </label>
      ))}
    </fieldset>
  )
}

interface Props {
  format: MarcFormat
  tag: string
  content: Elements
  readOnly?: boolean
  onChange: (content: Elements) => void
}

export function ElementBoxes({ format, tag, content, readOnly, onChange }: Props) {
  const t = useText()
  const { derived } = KINDS[format]
  const category = content.$categoryName
  return (
    <fieldset className={styles.boxes}>
      <legend className="vh">{t('inventory.fixedFields', { tag })}</legend>
      {category ? <span className={styles.category}>{category}</span> : null}
      {Object.entries(content)
        .filter(([name]) => !name.startsWith('$') && (tag !== '008' || !derived.has(name)))
        .map(([name, value]) => (
          <label key={name}>
            {name}
            <input
              value={elementText(value)}
              size={Math.max(1, value.length)}
              maxLength={value.length}
              readOnly={readOnly}
              spellCheck={false}
              onFocus={(event) => event.target.select()}
              onChange={(event) => onChange(withElement(content, name, event.target.value))}
            />
          </label>
        ))}
    </fieldset>
  )
}
